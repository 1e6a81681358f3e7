/** A message as the request that posts it. */

import { stringify, toBlocks } from '../index.js'
import { OWN } from './dialects.js'
import { element } from './element.js'
import type { Chosen, Shown } from './shown.js'

/** The request in curl and in TypeScript. */
export function requestOf({ text, dialect, tree }: Shown, { blockLength }: Chosen): string {
  const blocks = toBlocks(dialect === OWN ? text : tree, { blockLength })
  const body = JSON.stringify({ channel: 'deploys', blocks }).replaceAll("'", `'\\''`)
  const source = dialect === OWN ? text : stringify(tree)
  return `# curl
curl "$BLOCKMARK_URL/api/public/postThread" -H "Authorization: Bearer $BLOCKMARK_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'

// TypeScript
import { createClient } from 'blockmark/client'

const bot = createClient({ baseUrl: process.env.BLOCKMARK_URL ?? '', apiKey: process.env.BLOCKMARK_KEY ?? '' })
await bot.postThread({ channel: 'deploys', blocks: ${JSON.stringify(source)} })`
}

/** Draws it. */
export function drawPost(shown: Shown, chosen: Chosen): readonly Node[] {
  return [element('pre', { class: 'wrapped' }, requestOf(shown, chosen))]
}
