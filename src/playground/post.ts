/** A message as the request that posts it. */

export function curlOf(blocks: readonly string[]): string {
  const body = JSON.stringify({ channel: 'welcome', blocks }, null, 2)
  return `curl "$BLOCKMARK_URL/api/public/postThread" -H "Authorization: Bearer $BLOCKMARK_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", `'\\''`)}'`
}

export function typescriptOf(blocks: readonly string[]): string {
  return `import { createClient } from 'blockmark/client'

const bot = createClient({
  baseUrl: process.env.BLOCKMARK_URL ?? '',
  apiKey: process.env.BLOCKMARK_API_KEY ?? '',
})
await bot.postThread({ channel: 'welcome', blocks: ${JSON.stringify(blocks, null, 2)} })`
}
