/** The exports of the library's package. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { toHtml } from '../../src/index.js'
import { top } from '../source.js'
import { codeOf, description, filesFrom, home } from './library.js'

const { folder } = inject('installed')

describe('exports', () => {
  const entries = Object.entries<string | { types: string; default: string }>(description.exports)

  test('each have code and types', () => {
    const files = entries.flatMap(([, entry]) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
    expect(files.filter((path) => !existsSync(join(home, path)))).toEqual([])
    const untyped = entries.filter(([, entry]) => typeof entry === 'string').map(([name]) => name)
    expect(untyped).toEqual(['./style.css', './playground.html.br', './conformance.json.gz', './package.json'])
  })

  test('can be imported and required, without output on standard error', () => {
    const source = '**Build 7** of _api_ by <@17|Ann>\n* https://example.com'
    const print = `console.log(JSON.stringify([Object.keys(blockmark).sort(), blockmark.toHtml(${JSON.stringify(source)})]))`
    const imported = run('module', `import * as blockmark from 'blockmark'; ${print}`)
    const required = run('commonjs', `const blockmark = require('blockmark'); ${print}`)
    expect(imported.stderr).toBe('')
    expect(required.stderr).toBe('')
    expect(JSON.parse(imported.stdout)[1]).toBe(toHtml(source))
    const names = JSON.parse(required.stdout)[0].filter((name: string) => name !== '__esModule')
    expect(names).toEqual(JSON.parse(imported.stdout)[0])
    expect(JSON.parse(required.stdout)[1]).toBe(toHtml(source))
  })

  test('blockmark/render is a part of blockmark, less than half of it', () => {
    const names = `import('blockmark').then(async (all) => {
      const part = await import('blockmark/render')
      console.log(JSON.stringify(Object.keys(part).map((name) => [name, typeof all[name]])))
      console.log(part.toHtml('_a_') === all.toHtml('_a_'))
    })`
    expect(run('module', names).stdout).toBe(
      '[["parse","function"],["toHast","function"],["toHtml","function"],["toText","function"]]\ntrue\n',
    )
    const sizeOf = (file: string): number => codeOf(filesFrom([`dist/${file}`])).length
    expect(sizeOf('render.js')).toBeLessThan(sizeOf('index.js') / 2)
  })

  test('give no access to other files', () => {
    const { stderr, status } = run('module', `import 'blockmark/dist/index.js'`)
    expect(status).not.toBe(0)
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  test('without peer dependencies compile for users, with every check and without a package of types', () => {
    writeFileSync(join(folder, 'user.mts'), userSource)
    writeFileSync(join(folder, 'user.cts'), userSource)
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--types', '', '--skipLibCheck', 'false']
    const compile = (...words: string[]): string => {
      const compiler = join(top, 'node_modules', 'typescript', 'bin', 'tsc')
      const { stdout, stderr } = spawnSync(process.execPath, [compiler, '--ignoreConfig', ...options, ...words], {
        cwd: folder,
        encoding: 'utf8',
      })
      return stdout + stderr
    }
    expect(compile('--module', 'nodenext', 'user.mts', 'user.cts')).toBe('')
    expect(compile('--module', 'esnext', '--moduleResolution', 'bundler', 'user.mts')).toBe('')
  })

  function run(type: string, source: string): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [`--input-type=${type}`, '--eval', source], { cwd: folder, encoding: 'utf8' })
  }
})

const userSource = `import { parse, type Root, toHast, toHtml, toText } from 'blockmark'
const tree: Root = parse('# hi')
const html: string = toHtml([tree, 'x'], { mention: (id, label) => ({ name: label ?? id }) })
export const all: unknown[] = [html, toText(tree), toHast('x').type]
// @ts-expect-error a number is not a source
toHtml(42)

import { createClient } from 'blockmark/client'
import * as reading from 'blockmark/render'
import { fromSlack, type RichTextBlock, toSlackBlocks } from 'blockmark/messengers'
import { assertSameTree, createTestService } from 'blockmark/testing'
const service = createTestService({ channels: ['deploys'] })
const { apiKey, baseUrl, fetch } = service
export const posted = createClient({ apiKey, baseUrl, fetch }).postThread({ channel: 'deploys', blocks: [tree, 'x'] })
const same: reading.Root = tree
assertSameTree(fromSlack([{ type: 'section' }]).tree, same)
export const written: RichTextBlock[] = toSlackBlocks(same)
`

test('npm finds the program by its name', () => {
  const html = execFileSync('npx', ['--no', 'blockmark', 'render'], {
    cwd: folder,
    input: '*hi*',
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  expect(html).toBe('<p><em>hi</em></p>\n')
})
