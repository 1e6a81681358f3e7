/** The files that pages load. Their names have the hash of their content, so that they are loaded once. */

import { createHash } from 'node:crypto'
import type { ServiceResponse } from '../../api/rules/types.js'
import { script } from './script.js'
import { style } from './style.js'

/** A speech bubble. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0a5cc2" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 11h14M9 18h9"/></svg>`

export type AssetName = 'style' | 'script' | 'icon'

interface Asset {
  readonly text: string
  readonly ending: string
  /** The URL's path. */
  readonly path: string
  readonly answer: ServiceResponse
}

export const assets: Readonly<Record<AssetName, Asset>> = {
  style: assetOf('style', 'css', 'text/css; charset=utf-8', style),
  script: assetOf('script', 'js', 'text/javascript; charset=utf-8', script),
  icon: assetOf('icon', 'svg', 'image/svg+xml', icon),
}

function assetOf(name: AssetName, ending: string, type: string, text: string): Asset {
  const path = `/assets/${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.${ending}`
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
  return { text, ending, path, answer: { status: 200, headers, body: text } }
}

/** Answers a request for one of these files; null if the path is another. */
export function answerAsset(path: string): ServiceResponse | null {
  // Browsers ask for it if a page names no icon.
  if (path === '/favicon.ico') {
    const { answer } = assets.icon
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'public, max-age=86400' } }
  }
  return Object.values(assets).find((asset) => asset.path === path)?.answer ?? null
}
