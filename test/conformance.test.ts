/** The conformance data in the package: its contents, and that another language can use it. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, inject, test } from 'vitest'
import { type ConformanceData, conformanceData } from './fixtures/conformance.js'
import { top } from './source.js'

const home = join(inject('installed').folder, 'node_modules', 'blockmark')
const file = join(home, 'dist', 'conformance.json.gz')
const data: ConformanceData = JSON.parse(gunzipSync(readFileSync(file)).toString())
const python = spawnSync('python3', ['--version']).status === 0

test('the package has every example, except those under another license', () => {
  expect(data).toEqual(JSON.parse(JSON.stringify(conformanceData())))
  expect(data.cases.length).toBeGreaterThan(900)
  expect(data.cases.filter(({ chapter }) => /commonmark/.test(chapter))).toEqual([])
})

describe.skipIf(!python)('the lines of Python in its README (python3 runs them)', () => {
  test('finds no difference between the package and the data', () => {
    const { stdout, stderr, status } = run(pathToFileURL(join(home, 'dist', 'index.js')).href)
    expect([stdout, stderr, status]).toEqual([`${data.cases.length} of ${data.cases.length} cases pass\n`, '', 0])
  })

  test('names the cases that an implementation gets wrong', () => {
    const wrong = `import { parse, stringify, toHtml } from ${JSON.stringify(pathToFileURL(join(home, 'dist', 'index.js')).href)}
      export { parse, stringify, toHtml }
      export const toText = (source) => source.join(' ')`
    const { stdout, status } = run(`data:text/javascript,${encodeURIComponent(wrong)}`)
    expect(status).toBe(1)
    expect(stdout).toMatch(/^7-plain-text \S+ text$/m)
    expect(stdout).not.toMatch(/ (?:html|trees|dialect)(?: |$)/m)
  })

  function run(url: string): { stdout: string; stderr: string; status: number | null } {
    const readme = readFileSync(join(home, 'dist', 'conformance.md'), 'utf8')
    const [, code = ''] = /^```python\n([\s\S]*?)^```$/m.exec(readme) ?? []
    const implementation = join(top, 'test', 'conformance', 'implementation.js')
    const words = ['-c', code, process.execPath, implementation, url]
    return spawnSync('python3', words, { cwd: join(home, 'dist'), encoding: 'utf8', maxBuffer: 2 ** 26 })
  }
})
