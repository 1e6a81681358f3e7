/** The files that pages load: named by what they hold, so that they may be kept for ever. */

import { createHash } from 'node:crypto'
import type { Answer } from '../../api/service/options.js'
import { script } from './script.js'
import { style } from './style.js'

/** A speech bubble. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0a5cc2" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 11h14M9 18h9"/></svg>`

type AssetName = 'style' | 'script' | 'icon'

/** What a file's name holds the hash of never changes. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

const assets = {
  style: assetOf('style', 'css', 'text/css; charset=utf-8', style),
  script: assetOf('script', 'js', 'text/javascript; charset=utf-8', script),
  icon: assetOf('icon', 'svg', 'image/svg+xml', icon),
}

/** What each holds. */
export const assetTexts: Readonly<Record<'style' | 'script' | 'icon', string>> = { style, script, icon }

/** Where each is. */
export const assetPaths: Readonly<Record<AssetName, string>> = {
  style: assets.style.path,
  script: assets.script.path,
  icon: assets.icon.path,
}

function assetOf(name: string, ending: string, type: string, body: string): { path: string; answer: Answer } {
  const path = `/assets/${name}-${createHash('sha256').update(body).digest('base64url').slice(0, 16)}.${ending}`
  const headers = {
    'content-type': type,
    'cache-control': FOR_EVER,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
  return { path, answer: { status: 200, headers, body } }
}

/** Answers a request for one of these files; null where the path is none of them. */
export function answerAsset(path: string): Answer | null {
  // What browsers ask for where no page says better.
  if (path === '/favicon.ico') {
    const { answer } = assets.icon
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'public, max-age=86400' } }
  }
  return Object.values(assets).find((asset) => asset.path === path)?.answer ?? null
}
