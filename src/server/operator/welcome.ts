/** The first channel of a new server: a short thread that shows the dialect. */

export interface Welcome {
  readonly channelURL: string
  /** The thread's share link. */
  readonly threadURL: string
}

/** A PNG of four colored squares, 96 by 32 pixels, in Base64. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgBAMAAAAf7mBnAAAAD1BMVEX///8lY+sQuYH1ngvvREQn96DTAAAAAXRSTlMAQObYZgAAAChJREFU' +
  'eNpjYBgFgwQIQgGIrQQFILYxFIDYLlAwqmFUw3DXMAoGAQAAZz5VAQ0oYGcAAAAASUVORK5CYII='

/** Returns the blocks of the thread, which show the constructs of the dialect. */
export function welcomeBlocks(botID: string, fileID: string, siteUrl: string): string[] {
  return [
    '# Welcome',
    `This thread was posted by <@${botID}|> through the API, as *any* program can do it. Everyone with its share link can read it.
Text stays as it was typed: snake_case, well-known, 2 * 3 * 4, --flag. Formatting looks like this: **bold**, *italic*, _underlined_, -struck out- and \`inline code\`; \\*a backslash\\* prevents it.`,
    '## More',
    `* A link can have a text: [the API's documentation](${siteUrl}/docs)\n* or not: ${siteUrl}/openapi.json\n* A list is lines that start with a star`,
    '```sh\n# Code keeps its lines and its *stars*.\ncurl "$BLOCKMARK_URL/api/public/ping" -H "Authorization: Bearer $BLOCKMARK_API_KEY"\n```',
    'A file is alone on its line:',
    `<!${fileID}|four blocks.png>`,
  ]
}

/** Creates the channel and posts the thread by calling the API, as a bot does. */
export async function postWelcome(
  service: (request: Request) => Promise<Response>,
  apiKey: string,
  siteUrl: string,
): Promise<Welcome> {
  const { createClient } = await import('../../api/client/index.js')
  const bot = createClient({ baseUrl: siteUrl, apiKey, fetch: (to, init) => service(new Request(to, init)) })
  const [own] = await bot.users()
  const { fileID } = await bot.upload(Buffer.from(PICTURE, 'base64'), { name: 'four blocks.png' })
  const description = 'The dialect and its output'
  const { channelID, channelURL } = await bot.createChannel({ name: 'welcome', description })
  const blocks = welcomeBlocks(own?.userID ?? '', fileID, siteUrl)
  const { threadID, threadURL } = await bot.postThread({ channelID, blocks })
  const comment = ['Comments are below the thread, in the same dialect.']
  const { commentID } = await bot.postComment({ threadID, blocks: comment })
  await bot.postComment({ threadID, parentID: commentID, blocks: ['You can reply to a comment, too.'] })
  return { channelURL, threadURL }
}
