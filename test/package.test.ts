/** The package as npm packs and installs it. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { toHtml } from '../src/index.js'
import { nodesOf, parseTypeScript, top } from './source.js'

const { packed, folder } = inject('installed')
const home = join(folder, 'node_modules', 'blockmark')
const description = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
const paths = packed.files.map(({ path }) => path)

const UNPACKED_BYTES_MAX = 1_000_000

describe('contents', () => {
  test('are what was built, the README and the licence', () => {
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(
      ['LICENSE', 'README.md', 'package.json'].filter((name) => existsSync(join(top, name))),
    )
    const kinds = new Set(
      paths.filter((path) => path.startsWith('dist/')).map((path) => path.replace(/^.*?(?=\.)/, '')),
    )
    expect([...kinds].sort()).toEqual(['.d.ts', '.html', '.js', '.json.gz'])
  })

  test('hold no fixture, above all none under another licence', () => {
    expect(paths.filter((path) => /fixtures|commonmark|cases/i.test(path))).toEqual([])
  })

  test('are less than 1 MB in one folder', () => {
    expect(packed.unpackedSize).toBeLessThan(UNPACKED_BYTES_MAX)
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed).toEqual(['blockmark'])
    expect(lstatSync(home).isSymbolicLink()).toBe(false)
    expect(existsSync(join(home, 'node_modules'))).toBe(false)
  })

  test('depend on nothing and run nothing when installed', () => {
    expect(Object.keys(description).filter((field) => /^(?:dep|optionalDep|bundle)/.test(field))).toEqual([])
    expect(Object.keys(description.scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([])
  })

  test('name no place of the machine that built them', () => {
    const contents = paths.map((path) => ({ path, text: readFileSync(join(home, path), 'utf8') }))
    const places = [top, join(folder, '..')]
    expect(contents.filter(({ text }) => places.some((place) => text.includes(place))).map(({ path }) => path)).toEqual(
      [],
    )
  })
})

describe('exports', () => {
  const entries = Object.entries<string | { types: string; default: string }>(description.exports)

  test('have code and types each', () => {
    const files = entries.flatMap(([, entry]) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
    expect(files.filter((path) => !existsSync(join(home, path)))).toEqual([])
    const untyped = entries.filter(([, entry]) => typeof entry === 'string').map(([name]) => name)
    expect(untyped).toEqual(['./conformance.json.gz', './package.json'])
  })

  test('are reached by import and by require, without a word on standard error', () => {
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

  test('keep everything else inside', () => {
    const { stderr, status } = run('module', `import 'blockmark/dist/index.js'`)
    expect(status).not.toBe(0)
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  test('compile for users, with every check and without a package of types', () => {
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
// @ts-expect-error a number is no source
toHtml(42)
`

describe('what is loaded', () => {
  interface Loaded {
    now: string[]
    later: string[]
  }

  const known = new Map<string, Loaded>()

  /** What a built file imports at once, and what when it is called for. */
  function importsOf(path: string): Loaded {
    const before = known.get(path)
    if (before !== undefined) return before
    const { program } = parseTypeScript(path, readFileSync(join(home, path), 'utf8'))
    const loaded: Loaded = { now: [], later: [] }
    for (const node of nodesOf(program)) {
      const list = node.type === 'ImportExpression' ? loaded.later : loaded.now
      const source = 'source' in node ? node.source : null
      if (typeof source === 'object' && source?.type === 'Literal') list.push(String(source.value))
    }
    known.set(path, loaded)
    return loaded
  }

  test('the library is one file that imports nothing', () => {
    expect(importsOf('dist/index.js')).toEqual({ now: [], later: [] })
    expect(readFileSync(join(home, 'dist', 'index.js'), 'utf8')).not.toMatch(/\brequire\(/)
  })

  test('only the server, the command line and what runs the server in a test need what Node brings', () => {
    const entries = Object.entries<string | { default: string; require?: string }>(description.exports)
    const needy = entries.flatMap(([name, entry]) => {
      if (typeof entry === 'string') return []
      const files = filesFrom([entry.default, entry.require ?? entry.default].map((path) => join(path)))
      const names = [...files].flatMap((path) => [...importsOf(path).now, ...importsOf(path).later])
      return names.some((each) => isBuiltin(each)) ? [name] : []
    })
    expect(needy.filter((name) => name !== './server' && name !== './testing')).toEqual([])
  })

  test('an entry that lacks what it is to be installed beside it says so in one line, with the command', () => {
    const entries = Object.entries(description.exports).filter(([, entry]) => typeof entry !== 'string')
    const said = entries.map(([name]) => {
      const entry = `blockmark${name.slice(1)}`
      const script = `import('${entry}').then(() => console.log('fine'), (error) => console.log(error.message))`
      const { stdout } = spawnSync(process.execPath, ['--eval', script], { cwd: folder, encoding: 'utf8' })
      return [name, stdout.trimEnd()]
    })
    expect(said.filter(([, line = '']) => line !== 'fine' && !/^.+: npm install .+$/.test(line))).toEqual([])
    expect(said.find(([name]) => name === './arbitraries')).toEqual([
      './arbitraries',
      'blockmark/arbitraries needs the package fast-check: npm install --save-dev fast-check',
    ])
  })

  test('the command line loads a command when it is called', () => {
    const start = filesFrom(['dist/cli.js'])
    const later = [...start].flatMap((path) => importsOf(path).later.map((name) => join(path, '..', name)))
    expect(later.length).toBeGreaterThan(0)
    expect(later.filter((path) => start.has(path))).toEqual([])
    expect(codeOf(start)).not.toContain('function toHtml')
    expect(codeOf(filesFrom(later))).toContain('function toHtml')
  })

  /** The files, and what they import as they are loaded. */
  function filesFrom(paths: readonly string[]): Set<string> {
    const seen = new Set<string>()
    const load = (path: string): void => {
      if (seen.has(path)) return
      seen.add(path)
      for (const name of importsOf(path).now) {
        if (name.startsWith('.')) load(join(path, '..', name))
        else if (name === 'blockmark') load('dist/index.js')
      }
    }
    paths.forEach(load)
    return seen
  }

  function codeOf(paths: ReadonlySet<string>): string {
    return [...paths].map((path) => readFileSync(join(home, path), 'utf8')).join('\n')
  }
})

test.each([
  ['narrow', '*a*', '.'],
  ['wide', '\u2014*a*', '\u2026'],
])('stars that are read first do not make what follows slow: %s texts', (_, stars, end) => {
  // In a process of its own, since an engine compiles an expression once, for what it reads then.
  const source = `import { paragraph, root, stringify, text, toHtml } from 'blockmark'
    for (let count = 0; count < 9; count += 1) toHtml(process.argv[1])
    const tree = root(paragraph(text('a few words, and more of them '.repeat(10_000) + process.argv[2])))
    let best = Infinity
    for (let count = 0; count < 30; count += 1) {
      const start = performance.now()
      stringify(tree)
      best = Math.min(best, performance.now() - start)
    }
    console.log(best)`
  const measure = (first: string): number =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '--eval', source, first, end], {
        cwd: folder,
        encoding: 'utf8',
      }),
    )
  const times = Array.from({ length: 7 }, () => ({ stars: measure(stars), words: measure(`a few words${end}`) }))
  const ofWords = Math.min(...times.map(({ words }) => words))
  expect(Math.min(...times.map((each) => each.stars))).toBeLessThan(2 * ofWords)
})

test('npm finds the program by its name', () => {
  const html = execFileSync('npx', ['--no', 'blockmark', 'render'], {
    cwd: folder,
    input: '*hi*',
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  expect(html).toBe('<p><em>hi</em></p>\n')
})
