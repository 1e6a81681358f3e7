/** The first channel of a new server: a short thread that shows everything that can be written. */

import { fetching } from '../../api/service/exchange.js'
import type { Handler } from '../../api/service/options.js'

/** What was posted. */
export interface Welcome {
  readonly channelURL: string
  /** Opens for everybody who has it. */
  readonly threadURL: string
}

/** What the thread is written with. */
interface Shown {
  readonly botID: string
  readonly fileID: string
  readonly siteUrl: string
}

/** Four blocks, 96 by 32 pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgBAMAAAAf7mBnAAAAD1BMVEX///8lY+sQuYH1ngvvREQn96DTAAAAAXRSTlMAQObYZgAAAChJREFU' +
  'eNpjYBgFgwQIQgGIrQQFILYxFIDYLlAwqmFUw3DXMAoGAQAAZz5VAQ0oYGcAAAAASUVORK5CYII='

/** The blocks of the thread: every construct of the dialect. */
export function welcomeBlocks({ botID, fileID, siteUrl }: Shown): string[] {
  return [
    '# Welcome',
    `This thread was posted by <@${botID}|> through the API, as *any* program can do it. Whoever has its whole address can read it.
What is typed stays what it was: snake_case, well-known, 2 * 3 * 4, --flag. Formatting is asked for: **bold**, *italic*, _underlined_, -struck out- and \`inline code\`; \\*a backslash\\* takes it back.`,
    '## What else there is',
    `* Links have a name, as [the API's documentation](${siteUrl}/docs)\n* or none, as ${siteUrl}/openapi.json\n* Lists are lines that begin with a star`,
    '```sh\n# Code keeps its lines, and its *stars*.\ncurl "$SITE/api/public/ping" -H "Authorization: Bearer $KEY"\n```',
    'A file has a line of its own:',
    `<!${fileID}|four blocks.png>`,
  ]
}

/** Makes the channel and posts the thread in it, as a bot does. */
export async function postWelcome(service: Handler, apiKey: string, siteUrl: string): Promise<Welcome> {
  const { createClient } = await import('../../api/client/index.js')
  const answer = fetching(service)
  const bot = createClient({ baseUrl: siteUrl, apiKey, fetch: (to, init) => answer(new Request(to, init)) })
  const [own] = await bot.users()
  const { fileID } = await bot.upload(Buffer.from(PICTURE, 'base64'), { name: 'four blocks.png' })
  const description = 'What can be written, and how it looks'
  const { channelID, channelURL } = await bot.createChannel({ name: 'welcome', description })
  const blocks = welcomeBlocks({ botID: own?.userID ?? '', fileID, siteUrl })
  const { threadID, threadURL } = await bot.postThread({ channelID, blocks })
  const comment = ['Comments stand below, and are written in the same way.']
  const { commentID } = await bot.postComment({ threadID, blocks: comment })
  await bot.postComment({ threadID, parentID: commentID, blocks: ['A comment can be answered, too.'] })
  return { channelURL, threadURL }
}
