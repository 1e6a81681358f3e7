/** Builds the playground: one document that holds its style and its script, and needs nothing from elsewhere. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { build } from 'esbuild'

const folder = new URL('../src/playground/', import.meta.url)

/**
 * Makes the document.
 *
 * @returns {Promise<string>} its HTML
 */
export async function playground() {
  const [style, program] = [await bundle('style.css'), await bundle('main.ts')]
  const script = loaderOf(program)
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}' '${hashOf(program)}'; img-src data:; form-action 'none'; base-uri 'none'`
  return readFileSync(new URL('index.html', folder), 'utf8')
    .replace(
      '<meta name="viewport"',
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<meta name="viewport"`,
    )
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
}

/** @param {string} entry */
async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, folder))],
    bundle: true,
    // A browser reads it, nobody else does; people read the sources.
    minify: true,
    format: 'iife',
    charset: 'utf8',
    target: ['chrome110', 'firefox115', 'safari16'],
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * The program is packed, because a package is to stay small; the policy names it too, so that the loader may add it.
 *
 * @param {string} program
 */
function loaderOf(program) {
  const packed = deflateRawSync(program, { level: 9 }).toString('base64')
  return `const bytes = Uint8Array.from(atob('${packed}'), (letter) => letter.charCodeAt(0))
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
new Response(unpacked).text().then((program) => {
  const script = document.createElement('script')
  script.textContent = program
  document.body.append(script)
})
`
}

/** @param {string} content */
function hashOf(content) {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
