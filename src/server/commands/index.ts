/** `blockmark-server`: the service and its operator's commands. */

import { createRequire } from 'node:module'
import type { Commands } from '../../terminal/command.js'
import { runProgram } from '../../terminal/program.js'
import { settings } from '../config.js'
import { program } from '../program.js'

/** All commands by name. A new command is a line here and a file in this folder, which is loaded when it is called. */
export const commands: Commands = {
  serve: { summary: 'run the service', load: () => import('./serve.js') },
  organizations: {
    summary: 'list, add, rename, suspend and remove organizations',
    load: () => import('./organizations.js'),
  },
  keys: { summary: 'create, list, rotate and revoke the API keys of bots', load: () => import('./keys.js') },
  bots: { summary: 'list and remove bots', load: async () => ({ command: (await import('./members.js')).bots }) },
  people: {
    summary: 'list, add, remove and import people, and sign them in',
    load: async () => ({ command: (await import('./members.js')).people }),
  },
  posts: { summary: 'remove what somebody posted', load: () => import('./posts.js') },
  files: { summary: 'remove files that no message shows', load: () => import('./files.js') },
  export: {
    summary: 'write organizations to a folder',
    load: async () => ({ command: (await import('./transfer.js')).exporting }),
  },
  import: {
    summary: 'read organizations from a folder into an empty database',
    load: async () => ({ command: (await import('./transfer.js')).importing }),
  },
  doctor: { summary: 'check the disk, the database and the files', load: () => import('./doctor.js') },
}

/**
 * Runs a command, as the shell's `blockmark-server` does.
 *
 * @param words - the words after the program's name; by default `serve`
 * @returns a promise for its end; errors go to standard error and set `process.exitCode`
 */
export async function run(words: readonly string[]): Promise<void> {
  await runProgram(
    { name: 'blockmark-server', call: program, version, commands, usual: 'serve', notes: settings },
    words,
  )
}

/** Both packages have one version. The package's name finds its description from any bundle. */
async function version(): Promise<string> {
  const description: { version: string } = createRequire(import.meta.url)('blockmark/package.json')
  const { dialectVersion } = await import('../../index.js')
  return `${description.version} (dialect ${dialectVersion})`
}
