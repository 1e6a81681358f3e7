/** The size of the library in a page that only renders, with the usual bundlers. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { expect, inject, test } from 'vitest'
import { top } from '../source.js'
import { isInstalled, outputOf } from './managers.js'

/** Maximum number of minified and gzipped bytes: the result of `npm run bench -- size`, and a few more. */
const BYTES_MAX = 13_900

const { folder } = inject('installed')
const packages = join(top, 'test/install/node_modules')
const entry = join(folder, 'page.js')
writeFileSync(entry, `import { toHtml } from 'blockmark'\nglobalThis.toHtml = toHtml\n`)

/** The bytes that a page loads, after a check that the code works. */
async function sizeOf(code: string, name: string): Promise<number> {
  const file = join(folder, `${name}.cjs`)
  writeFileSync(file, code)
  const words = ['--require', file, '--eval', "console.log(toHtml('**a** <@7|Ann>'))"]
  const html = '<p><strong>a</strong> <span class="mention" data-user-id="7">@Ann</span></p>\n'
  expect(await outputOf(process.execPath, words, folder)).toEqual({ code: 0, stdout: html, stderr: '' })
  return gzipSync(code, { level: 9 }).length
}

const options = { bundle: true, minify: true, format: 'iife', charset: 'utf8', write: false } as const

test('esbuild', async () => {
  const { outputFiles } = await build({ ...options, entryPoints: [entry], absWorkingDir: folder })
  expect(await sizeOf(outputFiles[0]?.text ?? '', 'esbuild')).toBeLessThanOrEqual(BYTES_MAX)
})

test.skipIf(!isInstalled())('rollup (npm --prefix test/install ci installs it)', async () => {
  const words = ['page.js', '--file', 'rollup/page.js', '--format', 'iife', '--silent']
  const plugin = join(packages, '@rollup/plugin-node-resolve/dist/cjs/index.js')
  const program = join(packages, 'rollup/dist/bin/rollup')
  const { code: status, stderr } = await outputOf(process.execPath, [program, ...words, '--plugin', plugin], folder)
  expect(status, stderr).toBe(0)
  const { code } = await transform(readFileSync(join(folder, 'rollup/page.js'), 'utf8'), { minify: true })
  expect(await sizeOf(code, 'rollup')).toBeLessThanOrEqual(BYTES_MAX)
})

test.skipIf(!isInstalled())('webpack (npm --prefix test/install ci installs it)', async () => {
  const configuration = {
    ...{ mode: 'production', context: folder, entry: './page.js', target: ['web', 'es2022'] },
    output: { path: join(folder, 'webpack'), filename: 'page.js' },
  }
  const program = `require(${JSON.stringify(join(packages, 'webpack'))})(${JSON.stringify(configuration)}, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
})`
  mkdirSync(configuration.output.path, { recursive: true })
  expect(await outputOf(process.execPath, ['--eval', program], folder)).toEqual({ code: 0, stdout: '', stderr: '' })
  const code = readFileSync(join(configuration.output.path, 'page.js'), 'utf8')
  expect(await sizeOf(code, 'webpack')).toBeLessThanOrEqual(BYTES_MAX)
})

const writers = '{ packStream, toDiscord, toMatrix, toSlack, toSlackBlocks, toTelegram, toWhatsApp }'

test.each([
  ['with all of it', '*', 19_500],
  ['without the reader of Slack’s messages', writers, 8_700],
])('blockmark/messengers adds few bytes to a page with all of the core, %s', async (_, names, bytesMax) => {
  const bytesOf = async (...lines: string[]): Promise<number> => {
    const contents = lines.join('\n')
    const { outputFiles } = await build({ ...options, format: 'esm', stdin: { contents, resolveDir: folder } })
    return gzipSync(outputFiles[0]?.text ?? '', { level: 9 }).length
  }
  const core = "export * from 'blockmark'"
  const added = (await bytesOf(core, `export ${names} from 'blockmark/messengers'`)) - (await bytesOf(core))
  expect(added).toBeGreaterThan(1_000)
  expect(added).toBeLessThanOrEqual(bytesMax)
})
