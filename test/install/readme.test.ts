/** Runs the examples of the README in a project that has the library and the other imports. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { examplesOfMarkdown, moduleOf } from '../examples.js'
import { outputOf } from './managers.js'
import { compiled, highest, openProjects, type Projects } from './project.js'

const home = join(inject('installed').folder, 'node_modules', 'blockmark')
const examples = examplesOfMarkdown('README.md', readFileSync(join(home, 'README.md'), 'utf8'))

let projects: Projects
let folder: string

beforeAll(async () => {
  projects = await openProjects()
  const code = examples.map((example) => example.code).join('\n')
  const imported = Object.entries(manifest.devDependencies).filter(([name]) => code.includes(`from '${name}'`))
  const installed = await projects.install('readme', { ...highest, ...Object.fromEntries(imported) })
  expect(installed.npm).toMatchObject({ code: 0, stderr: '' })
  folder = installed.folder
})

afterAll(() => projects.close())

test('all examples compile', async () => {
  for (const { line, code } of examples) writeFileSync(join(folder, `line-${line}.ts`), `${code}\nexport {}\n`)
  const files = examples.map(({ line }) => `line-${line}.ts`)
  expect(await compiled(folder, ['--module', 'nodenext', ...files])).toBe('')
})

test.for(examples)('line $line', async (example) => {
  const { source, lines } = await moduleOf(example)
  const check = `
import { deepStrictEqual } from 'node:assert'
for (const { line, actual, expected } of comparisons__) deepStrictEqual(actual, expected, \`line \${line}: \${JSON.stringify(actual)}\`)
console.log(comparisons__.length)`
  const name = `line-${example.line}.js`
  writeFileSync(join(folder, name), (await transform(source + check, { loader: 'ts', format: 'esm' })).code)
  expect(await outputOf(process.execPath, [name], folder)).toEqual({ code: 0, stdout: `${lines.length}\n`, stderr: '' })
})
