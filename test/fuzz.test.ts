/**
 * Runs the fuzzer (`fuzz/`) for a few seconds: it finds no failure, and it finds a planted fault. The long form is
 * `npm run fuzz`.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { isLong, isThorough } from './amount.js'
import { top } from './source.js'

/** A parser that fails on two constructs together. The first examples contain neither of them. */
const planted: Plugin = {
  name: 'planted',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/parse\/index\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const fault = ['<#C1|a>', '<!here>'].reduceRight(
        (inner, piece) => `if (input.includes(${JSON.stringify(piece)})) { ${inner} }`,
        `throw new Error('planted: ' + input)`,
      )
      const body = /^(export function parse\(.*\{)$/m
      expect(text).toMatch(body)
      return { contents: text.replace(body, `$1\n  if (typeof input === 'string') { ${fault} }`), loader: 'ts' }
    })
  },
}

/** Runs the fuzzer, bundled as `npm run fuzz` does it. */
async function run(
  words: readonly string[],
  plugins: Plugin[] = [],
): Promise<{ stdout: string; status: number | null }> {
  const outfile = join(top, 'node_modules', '.cache', `fuzz-${process.pid}.js`)
  onTestFinished(() => rmSync(outfile, { force: true }))
  await build({
    ...{ absWorkingDir: top, entryPoints: ['test/fuzz/index.ts'], outfile, plugins, bundle: true, format: 'esm' },
    ...{ platform: 'node', target: 'node20.19', packages: 'external', logLevel: 'warning' },
  })
  const { stdout, stderr, status } = spawnSync(process.execPath, [outfile, ...words], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return { stdout, status }
}

test('a short run of every target finds no failure', async () => {
  const runs = isLong ? 8 : 2
  const { stdout, status } = await run(['--runs', `${runs}`, '--seeds', '2', '--seed', process.env['SEED'] ?? '1'])
  expect([stdout.match(/^.*, [1-9]\d* finds/gm), status], stdout).toEqual([null, 0])
  expect(stdout.match(new RegExp(`^\\w+: ${runs} inputs`, 'gm'))?.length).toBeGreaterThan(20)
})

test.runIf(isThorough)(
  'a fault that only coverage leads to is found, as the shortest input, and again with the same seed (if CI is set)',
  async () => {
    const words = ['toHtml', '--runs', '20000', '--finds', '1', '--seeds', '20', '--seed', '9']
    const { stdout, status } = await run(words, [planted])
    const [, input = '{}'] = /^input: (.*)$/m.exec(stdout) ?? []
    const { text = '' }: { text?: string } = JSON.parse(input)
    expect([text.length, status], stdout).toEqual(['<#C1|a><!here>'.length, 1])
    expect(stdout).toContain('example NAME-OF-THE-BEHAVIOR')
    expect(await run(words, [planted])).toEqual({ stdout, status })
  },
)
