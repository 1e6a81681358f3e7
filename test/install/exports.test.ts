/** The exports of the library's package. */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { toHtml } from '../../src/index.js'
import { parseTypeScript, top } from '../source.js'
import { description, home } from './library.js'

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
    const print = `console.log(blockmark.toHtml(${JSON.stringify(source)}))`
    const printed = { status: 0, stdout: `${toHtml(source)}\n`, stderr: '' }
    expect(run('module', `import * as blockmark from 'blockmark'; ${print}`)).toMatchObject(printed)
    expect(run('commonjs', `const blockmark = require('blockmark'); ${print}`)).toMatchObject(printed)
  })

  describe('have the names of their declarations, and no others', () => {
    const project = mkdtempSync(join(tmpdir(), 'exports-'))
    cpSync(home, join(project, 'node_modules', 'blockmark'), { recursive: true })
    for (const name of Object.keys(manifest.peerDependencies)) {
      const path = join(project, 'node_modules', name)
      mkdirSync(dirname(path), { recursive: true })
      symlinkSync(join(top, 'node_modules', name), path)
    }
    afterAll(() => rmSync(project, { recursive: true }))

    test.each(entries.flatMap(([name, entry]) => (typeof entry === 'string' ? [] : [[name, entry.types] as const])))(
      '%s',
      (name, types) => {
        const entry = JSON.stringify(`blockmark${name.slice(1)}`)
        const print = 'console.log(JSON.stringify(Object.keys(names).filter((name) => name !== "__esModule").sort()))'
        const imported = run('module', `import * as names from ${entry}; ${print}`, project)
        const required = run('commonjs', `const names = require(${entry}); ${print}`, project)
        const declared = JSON.stringify(valuesIn(types).sort())
        expect(imported).toMatchObject({ stderr: '', stdout: `${declared}\n` })
        expect(required).toMatchObject({ stderr: '', stdout: `${declared}\n` })
      },
    )
  })

  test('of a type have one meaning in all entries', () => {
    const places = new Map<string, Set<string>>()
    for (const [entryName, entry] of entries) {
      // The nodes of `blockmark/mdast` are those of the core, with mdast's types of children.
      if (typeof entry === 'string' || entryName === './mdast') continue
      for (const [name, place] of declarationsIn(entry.types)) {
        places.set(name, (places.get(name) ?? new Set()).add(place))
      }
    }
    const several = [...places].filter(([, files]) => files.size > 1)
    expect(places.size).toBeGreaterThan(100)
    expect(several.map(([name, files]) => [name, ...files])).toEqual([])
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

  function run(type: string, source: string, cwd = folder): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [`--input-type=${type}`, '--eval', source], { cwd, encoding: 'utf8' })
  }
})

/** Returns the names of the values, not of the types, that a file of declarations exports. */
function valuesIn(path: string): string[] {
  return exportsOf(path).flatMap(({ name, isType }) => (isType ? [] : [name]))
}

/** Returns each exported name with the file that declares it. */
function declarationsIn(path: string): (readonly [name: string, place: string])[] {
  return exportsOf(path).flatMap(({ name, from }) => {
    if (from === null) return [[name, path] as const]
    return declarationsIn(join(dirname(path), from.replace(/\.js$/, '.d.ts'))).filter(([other]) => other === name)
  })
}

interface Exported {
  readonly name: string
  readonly isType: boolean
  /** The file from which it is exported again, or null if this one declares it. */
  readonly from: string | null
}

function exportsOf(path: string): Exported[] {
  const { program } = parseTypeScript(path, readFileSync(join(home, path), 'utf8'))
  if (program.type !== 'Program') return []
  return program.body.flatMap((node): Exported[] => {
    if (node.type === 'ExportAllDeclaration') throw new Error(`${path}: expected the names that are exported`)
    if (node.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers, exportKind, source } = node
    if (declaration === null) {
      return specifiers.map(({ exported, exportKind: kind }) => {
        const name = 'name' in exported ? exported.name : exported.value
        return { name, isType: exportKind === 'type' || kind === 'type', from: source?.value ?? null }
      })
    }
    if (declaration.type === 'VariableDeclaration') {
      return declaration.declarations.flatMap(({ id }) =>
        'name' in id ? [{ name: id.name, isType: false, from: null }] : [],
      )
    }
    const name = 'id' in declaration && declaration.id !== null && 'name' in declaration.id ? declaration.id.name : ''
    return [{ name, isType: /^TS(?:Interface|TypeAlias)/.test(declaration.type), from: null }]
  })
}

const userSource = `import { parse, type Root, toHast, toHtml, toText } from 'blockmark'
const tree: Root = parse('# hi')
const html: string = toHtml([tree, 'x'], { mention: (id, label) => ({ name: label ?? id }) })
export const all: unknown[] = [html, toText(tree), toHast('x').type]
// @ts-expect-error a number is not a source
toHtml(42)

import { createClient } from 'blockmark/client'
import { fromSlack, type RichTextBlock, toSlackBlocks } from 'blockmark/messengers'
import { assertSameTree, createTestService } from 'blockmark/testing'
const service = createTestService({ channels: ['deploys'] })
const { apiKey, baseUrl, fetch } = service
export const posted = createClient({ apiKey, baseUrl, fetch }).postThread({ channel: 'deploys', blocks: [tree, 'x'] })
const same: Root = tree
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
