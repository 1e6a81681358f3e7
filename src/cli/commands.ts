/** Every command by name. A new command is a line here and a file in this folder, which is loaded when it is called. */

import type { Command, Commands } from '../terminal/command.js'

export const commands: Commands = {
  render: { summary: 'write messages as HTML, plain text or a tree', load: () => import('./render.js') },
  playground: { summary: 'try the dialect in a browser', load: () => import('./playground.js') },
  convert: { summary: 'from and to Markdown and Slack', load: () => import('./convert.js') },
  lint: { summary: 'report what the author probably did not mean', load: () => import('./lint.js') },
  explain: { summary: 'say why a character is what it is', load: () => import('./explain.js') },
  post: { summary: 'post a thread in a channel', load: () => import('./post.js') },
  comment: { summary: 'comment on a thread', load: () => import('./comment.js') },
  message: { summary: 'post a message in a chat', load: () => import('./message.js') },
  upload: { summary: 'upload files', load: () => import('./upload.js') },
  channels: { summary: 'list the channels that the bot sees', load: queryNamed('channels') },
  users: { summary: 'list the users that the bot sees', load: queryNamed('users') },
  ping: { summary: 'check that the service responds and the API key works', load: queryNamed('ping') },
}

function queryNamed(name: 'channels' | 'users' | 'ping'): () => Promise<{ readonly command: Command }> {
  return async () => ({ command: (await import('./queries.js'))[name] })
}

/** The commands of the operator, which only the package `blockmark-server` has. */
export const serverCommands: readonly string[] = [
  'serve',
  'organizations',
  'keys',
  'bots',
  'people',
  'posts',
  'doctor',
  'export',
  'import',
]
