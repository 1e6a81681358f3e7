/** The story of a bot in any runtime, with that runtime's fetch. */

import { BlockmarkApiError, createClient } from '../../src/api/client/index.js'

/**
 * Makes the calls of the story.
 *
 * @param baseUrl - a service with a channel `deploys`, whose connection breaks now and then
 * @param apiKey - the bot's API key
 * @returns a fixed text if every result was as expected
 */
export async function tell(baseUrl: string, apiKey: string): Promise<string> {
  const bot = createClient({ baseUrl, apiKey })
  const { name } = await bot.ping()
  const { fileID } = await bot.upload(new Blob(['all is well\n']), { name: 'log.txt' })
  await bot.upload(new Blob(['from a stream\n']).stream(), { name: 'stream.txt' })
  const { threadID } = await bot.postThread({ channel: 'deploys', blocks: [`# from ${name}`, `<!${fileID}|>`] })
  const source = Array.from({ length: 150 }, (_, index) => `comment ${index}`)
  const comments = await bot.sendAll({ threadID, source }, { idempotencyKey: 'the long one' })
  if (comments.length !== 2) throw new Error(`expected 2 comments, received ${comments.length}`)
  const refused = await bot.deleteThread({ threadID: '1' }).catch((error: unknown) => error)
  if (!(refused instanceof BlockmarkApiError) || refused.code !== 'not_found') throw new Error(`not ${refused}`)
  const reason = new Error('enough')
  const aborted = await bot.ping({ signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)
  if (aborted !== reason) throw new Error(`not ${aborted}`)
  return 'the story is complete'
}
