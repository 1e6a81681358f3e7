/** A message as the request that posts it. */

/** The request in curl and in TypeScript. */
export function requestOf(blocks: readonly string[]): string {
  const list = JSON.stringify(blocks, null, 2)
  const body = `{ "channel": "deploys", "blocks": ${list} }`
  return `# curl
curl "$BLOCKMARK_URL/api/public/postThread" -H "Authorization: Bearer $BLOCKMARK_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", `'\\''`)}'

// TypeScript
import { createClient } from 'blockmark/client'

const bot = createClient({ baseUrl: process.env.BLOCKMARK_URL ?? '', apiKey: process.env.BLOCKMARK_KEY ?? '' })
await bot.postThread({ channel: 'deploys', blocks: ${list} })`
}
