/** The files that pages load: named by what they hold, so that they may be kept for ever. */

import { createHash } from 'node:crypto'
import type { Answer } from '../service/options.js'
import { script } from './script.js'
import { style } from './style.js'

/** A speech bubble. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0a5cc2" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 11h14M9 18h9"/></svg>`

type AssetName = 'style' | 'script' | 'icon'

interface Source {
  readonly ending: string
  readonly type: string
  readonly text: string
}

const sources: Readonly<Record<AssetName, Source>> = {
  style: { ending: 'css', type: 'text/css; charset=utf-8', text: style },
  script: { ending: 'js', type: 'text/javascript; charset=utf-8', text: script },
  icon: { ending: 'svg', type: 'image/svg+xml', text: icon },
}

/** Where each is. */
export const assetPaths: Readonly<Record<AssetName, string>> = {
  style: pathOf('style'),
  script: pathOf('script'),
  icon: pathOf('icon'),
}

function pathOf(name: AssetName): string {
  const { ending, text } = sources[name]
  return `/assets/${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.${ending}`
}

const answers: ReadonlyMap<string, Answer> = new Map([
  [assetPaths.style, answerOf('style', 'public, max-age=31536000, immutable')],
  [assetPaths.script, answerOf('script', 'public, max-age=31536000, immutable')],
  [assetPaths.icon, answerOf('icon', 'public, max-age=31536000, immutable')],
  // What browsers ask for where no page says better.
  ['/favicon.ico', answerOf('icon', 'public, max-age=86400')],
])

function answerOf(name: AssetName, caching: string): Answer {
  const { type, text } = sources[name]
  const headers = {
    'content-type': type,
    'cache-control': caching,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
  return { status: 200, headers, body: text }
}

/**
 * Answers a request for one of these files.
 *
 * @param path - its path
 * @returns the answer, or null where the path is none of them
 */
export function answerAsset(path: string): Answer | null {
  return answers.get(path) ?? null
}
