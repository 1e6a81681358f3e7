/** Builds the playground: one document that contains its style and its script and loads nothing else. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { noticesOf } from './notices.js'

const folder = new URL('../src/playground/', import.meta.url)

const DESCRIPTION =
  'Paste what a model wrote, and see it in Telegram, Discord, WhatsApp, Slack and Matrix: the payloads, what each loses, and how it streams.'

/**
 * Builds the document.
 *
 * @returns {Promise<string>} the HTML of the document
 */
export async function playground() {
  const [style, script] = [await bundle('style.css'), await bundle('page.ts')]
  // A `<script` after `<!--` would hide the end of the script's own element.
  if (/<script/i.test(script)) throw new Error('the playground: its script contains <script')
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; img-src data:; worker-src 'none'; form-action 'none'; base-uri 'none'`
  const { headOf } = await load('../page/markup.ts')
  const head = headOf('blockmark playground', DESCRIPTION).html
  return filled(readFileSync(new URL('index.html', folder), 'utf8'), await names())
    .replace('<head>', () => `<head>\n${head}\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
}

/**
 * Adds menus and tabs to the document, so that nothing moves when the script runs.
 *
 * @param {string} html
 * @param {{ examples: readonly string[], tabs: readonly (readonly [name: string, label: string])[] }} names
 */
function filled(html, { examples, tabs }) {
  const options = examples.map((name, index) => `<option value="${index}">${name}</option>`).join('')
  const buttons = tabs.map(
    ([name, label], index) =>
      `<button type="button" role="tab" aria-controls="panel" id="tab-${name}" aria-selected="${index === 0}" tabindex="${index === 0 ? 0 : -1}">${label}</button>`,
  )
  return html
    .replace('Example …</option>', () => `Example …</option>${options}`)
    .replace('id="tabs">', () => `id="tabs">${buttons.join('')}`)
}

/**
 * Builds the fuzzer, which a service serves next to the document.
 *
 * @returns {Promise<string>} the script of the worker
 */
export const fuzzer = () => bundle('fuzz-worker.ts')

/** Loads the names of menus and tabs from the program itself. */
async function names() {
  const { examples } = await load('examples.ts')
  const { tabLabels } = await load('tabs.ts')
  return { examples: examples.map((/** @type {{ name: string }} */ { name }) => name), tabs: Object.entries(tabLabels) }
}

/** @param {string} entry */
async function load(entry) {
  return import(`data:text/javascript;base64,${Buffer.from(await bundle(entry, 'esm')).toString('base64')}`)
}

/**
 * @param {string} entry
 * @param {'iife' | 'esm'} [format]
 */
async function bundle(entry, format = 'iife') {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(entry, folder))],
    bundle: true,
    // The code is minified, because only browsers read the document.
    minify: true,
    format,
    platform: format === 'esm' ? 'node' : 'browser',
    charset: 'utf8',
    target: ['chrome110', 'firefox115', 'safari16'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    write: false,
  })
  return `${outputFiles[0]?.text}${noticesOf(metafile)}`
}

/** @param {string} content */
function hashOf(content) {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
