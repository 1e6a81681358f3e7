/** The first channel of a new server: a short thread that shows everything that can be written. */

import { PATH_PREFIX } from '../contract/types.js'
import type { Answer, IncomingRequest } from '../service/options.js'

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

/**
 * The blocks of the thread.
 *
 * @param shown - the bot that it mentions, the file that it shows, and where the site is
 * @returns the blocks, which hold every construct of the dialect
 */
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

/**
 * Makes the channel and posts the thread in it, as a client does.
 *
 * @param service - the service
 * @param key - the first bot's key
 * @param siteUrl - where the service is
 * @returns the addresses
 */
export async function postWelcome(
  service: (request: IncomingRequest) => Promise<Answer>,
  key: string,
  siteUrl: string,
): Promise<Welcome> {
  const send = async (name: string, type: string, body: string | Buffer): Promise<Record<string, string>> => {
    const headers = new Headers({ authorization: `Bearer ${key}`, 'content-type': type })
    const parts = (async function* () {
      yield Buffer.from(body)
    })()
    const answer = await service({ method: 'POST', url: siteUrl + PATH_PREFIX + name, headers, body: parts })
    if (answer.status !== 200) throw new Error(`the welcome could not be posted: ${name} answered ${answer.status}`)
    return resultOf(String(answer.body))
  }
  const post = (name: string, body: object): Promise<Record<string, string>> =>
    send(name, 'application/json', JSON.stringify(body))
  const { userID = '' } = await send('users', 'application/json', '')
  const { fileID = '' } = await send(
    'upload',
    'multipart/form-data; boundary=part',
    uploadOf('four blocks.png', PICTURE),
  )
  const description = 'What can be written, and how it looks'
  const { channelID, channelURL = '' } = await post('createChannel', { name: 'welcome', description })
  const blocks = welcomeBlocks({ botID: userID, fileID, siteUrl })
  const { threadID, threadURL = '' } = await post('postThread', { channelID, blocks })
  const comment = { threadID, blocks: ['Comments stand below, and are written in the same way.'] }
  const { commentID } = await post('postComment', comment)
  await post('postComment', { threadID, parentID: commentID, blocks: ['A comment can be answered, too.'] })
  return { channelURL, threadURL }
}

/** The fields of a result, or of the first element of a list. */
function resultOf(text: string): Record<string, string> {
  const { result }: { result: Record<string, string> | [Record<string, string>] } = JSON.parse(text)
  return Array.isArray(result) ? result[0] : result
}

function uploadOf(name: string, content: string): Buffer {
  const head = `--part\r\ncontent-disposition: form-data; name="data"; filename="${name}"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content, 'base64'), Buffer.from('\r\n--part--\r\n')])
}
