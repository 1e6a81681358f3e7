/** Use from CommonJS as documented: in programs with TypeScript's `node16` modules, and in Jest. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, inject, test } from 'vitest'
import { top } from '../source.js'
import { isInstalled, outputOf } from './managers.js'
import { compiled } from './project.js'

const { folder } = inject('installed')

test('a CommonJS program with the module setting node16 uses import()', async () => {
  const program = `import type { Root } from 'blockmark' with { 'resolution-mode': 'import' }
declare const console: { log(line: string): void }
async function main(): Promise<void> {
  const { parse, toHtml } = await import('blockmark')
  const tree: Root = parse('*a*')
  console.log(toHtml(tree))
}
void main()
`
  for (const module of ['node16', 'node18']) {
    writeFileSync(join(folder, 'dynamic.cts'), program)
    expect(await compiled(folder, ['--module', module, 'dynamic.cts'])).toBe('')
  }
  const { code } = await transform(program, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    supported: { 'dynamic-import': true },
  })
  writeFileSync(join(folder, 'dynamic.cjs'), code)
  expect(await outputOf(process.execPath, ['dynamic.cjs'], folder)).toMatchObject({
    code: 0,
    stdout: '<p><em>a</em></p>\n',
  })
})

test('for a static import, the compiler names the alternative', async () => {
  writeFileSync(
    join(folder, 'static.cts'),
    `import { toHtml } from 'blockmark'\nexport const html: string = toHtml('*a*')\n`,
  )
  expect(await compiled(folder, ['--module', 'node16', 'static.cts'])).toMatch(
    /TS1479: .*dynamic 'import\("blockmark"\)'/,
  )
})

test.skipIf(!isInstalled())('Jest imports, as the README says (npm --prefix test/install ci installs it)', async () => {
  const project = join(folder, 'jest')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module", "jest": { "transform": {} } }\n')
  writeFileSync(
    join(project, 'bot.test.js'),
    `import { md } from 'blockmark'
import { createClient } from 'blockmark/client'
import { assertSameTree, createTestService } from 'blockmark/testing'

test('posts', async () => {
  const service = createTestService({ channels: ['deploys'] })
  await createClient(service).postThread({ channel: 'deploys', blocks: md\`**\${'v7'}** is out\` })
  assertSameTree(service.threads[0].blocks, '**v7** is out')
  expect(service.threads.map(({ text }) => text)).toEqual(['v7 is out'])
})
`,
  )
  const jest = join(top, 'test/install/node_modules/jest/bin/jest.js')
  const environment = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' }
  const { code, stderr } = await outputOf(process.execPath, [jest, '--rootDir', project], project, environment)
  expect(stderr).toContain('1 passed')
  expect(code).toBe(0)
})
