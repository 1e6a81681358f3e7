/** Checks the structure of the source: allowed imports, lengths of files and functions, and words that no file may contain. */

import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path/posix'
import type { Node } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { filesBelow, lineAt, nodesOf, readSources, type SourceFile, top } from './source.js'

const FILE_LINES_MAX = 600
const FUNCTION_LINES_MAX = 70

interface Area {
  /** Other areas, or single files, that the area may import. It may always import its own files. */
  imports: readonly string[]
  /** Packages that the area may import; `node:` means all modules of Node.js. */
  packages: readonly string[]
}

const core = [
  'dialect-version',
  'describe',
  'tree',
  'characters',
  'delimiters',
  'errors',
  'diagnostic',
  'search',
  'parse',
  'source',
  'render',
  'write',
  'split',
  'check',
  'author',
  'stream',
]
const roots = ['describe', 'tree', 'characters', 'delimiters', 'errors', 'diagnostic', 'search']
/** The files of `convert` that the messengers import. */
const convertShared = ['blocks', 'conversion', 'lines', 'markers', 'names', 'options'].map((name) => `convert/${name}`)

/** The allowed imports of each file and folder directly in `src`. A test fails if one of them is missing here. */
const areas: Readonly<Record<string, Area>> = {
  'dialect-version': { imports: [], packages: [] },
  tree: { imports: ['describe', 'errors'], packages: [] },
  characters: { imports: [], packages: [] },
  delimiters: { imports: ['tree'], packages: [] },
  describe: { imports: [], packages: [] },
  errors: { imports: ['describe', 'diagnostic', 'tree'], packages: [] },
  diagnostic: { imports: ['tree'], packages: [] },
  search: { imports: ['tree'], packages: [] },
  missing: { imports: [], packages: [] },
  parse: { imports: ['describe', 'tree', 'characters', 'delimiters'], packages: [] },
  source: { imports: [...roots, 'parse/index'], packages: [] },
  render: { imports: [...roots, 'parse', 'source'], packages: [] },
  write: { imports: [...roots, 'parse', 'render/text'], packages: [] },
  split: {
    imports: [...roots, 'parse/index', 'source', 'render/text', 'write', 'check/limits'],
    packages: [],
  },
  stream: { imports: [...roots, 'parse'], packages: [] },
  check: { imports: [...roots, 'parse', 'source', 'render/escape'], packages: [] },
  author: { imports: [...roots, 'parse/index', 'write'], packages: [] },
  index: { imports: core, packages: [] },
  lint: { imports: ['index', ...core], packages: [] },
  chunks: { imports: [], packages: [] },
  packing: { imports: ['index', 'chunks', 'check/limits', 'describe'], packages: [] },
  messengers: {
    // Of `convert` only shared files: the caller passes the reader of CommonMark as an option.
    imports: ['index', 'packing', ...core, ...convertShared],
    // Only its types are imported.
    packages: ['mdast'],
  },
  convert: {
    imports: ['index', 'missing', ...core],
    packages: [
      'mdast',
      'mdast-util-from-markdown',
      'mdast-util-gfm',
      'mdast-util-to-markdown',
      'micromark-extension-gfm',
    ],
  },
  unified: { imports: ['index', ...core, 'convert'], packages: ['unified', 'mdast', 'hast', 'unist', 'vfile'] },
  // The part of the service that the library contains: it needs no package.
  api: {
    imports: ['index', 'chunks', 'describe', 'packing', 'check/limits'],
    packages: ['node:'],
  },
  // Published only in the server's package.
  server: {
    imports: ['index', 'render/escape', 'api', 'page', 'terminal'],
    packages: [
      ...['node:', 'fastify', '@fastify/busboy', 'pg', 'pg-copy-streams', 'pino', 'prom-client'],
      ...['file-type', 'image-dimensions', 'aws4fetch', 'csv-parse/sync'],
    ],
  },
  arbitraries: { imports: ['index', 'missing', ...core], packages: ['fast-check'] },
  testing: { imports: ['index', 'chunks', 'convert/display-width', ...core, 'api'], packages: ['node:'] },
  // The playground runs in a browser, with the core and the packages that read CommonMark. Only its fuzzer needs fast-check.
  playground: {
    imports: ['index', 'lint/index', 'messengers/index', 'render/escape', 'arbitraries', ...core, 'convert'],
    packages: ['mdast-util-from-markdown', 'mdast-util-gfm', 'micromark', 'micromark-extension-gfm', 'fast-check'],
  },
  // Used only by the build, which writes the pages.
  docs: {
    imports: ['index', 'lint/index', 'api', 'page'],
    packages: [
      'hast',
      'hast-util-to-html',
      'mdast',
      'mdast-util-from-markdown',
      'mdast-util-gfm',
      'mdast-util-to-hast',
      'micromark-extension-gfm',
    ],
  },
  // Shared by the library's program and the server: the page around messages, and the output on a terminal.
  page: { imports: ['render/escape', 'docs'], packages: ['node:', 'minisearch'] },
  terminal: { imports: ['describe'], packages: ['node:'] },
  cli: {
    imports: ['index', 'lint', 'messengers', 'packing', ...core, 'api', 'convert', 'page', 'terminal'],
    packages: ['node:'],
  },
}

interface Import {
  from: string
  /** A file of `src` without its ending, or the name of a package. */
  to: string
  isType: boolean
  line: number
}

const sources = readSources()
const imports = sources.flatMap(importsOf)

function importsOf({ path, text, program }: SourceFile): Import[] {
  return [...nodesOf(program)].flatMap((node) => {
    const request = requestOf(node, path)
    if (request === undefined) return []
    const to = request.startsWith('.') ? moduleName(join(dirname(path), request)) : request
    const isType = node.type.startsWith('TS') || ('importKind' in node && node.importKind === 'type')
    return [{ from: moduleName(path), to, isType, line: lineAt(text, node.start) }]
  })
}

/** Returns the module that a node imports. A computed path fails the test, because its module is unknown. */
function requestOf(node: Node, path: string): string | undefined {
  if (node.type === 'TSExternalModuleReference') return node.expression.value
  if (node.type === 'TSImportType') return node.source.value
  const isImport =
    node.type === 'ImportDeclaration' ||
    node.type === 'ExportAllDeclaration' ||
    node.type === 'ExportNamedDeclaration' ||
    node.type === 'ImportExpression'
  if (!isImport || node.source === null) return undefined
  if (node.source.type === 'Literal' && typeof node.source.value === 'string') return node.source.value
  // This script imports the search by a path with a hash, which it reads from the page.
  if (path.endsWith('page/scripts/docs.ts')) return undefined
  throw new Error(`${path}: an import of something that is not written out`)
}

/** `src/parse/index.ts` and an import of `src/parse/index.js` are both `parse/index`. */
function moduleName(path: string): string {
  return path.replace(/^src\//, '').replace(/\.[jt]s$/, '')
}

function areaOf(name: string): string {
  return name.split('/')[0] ?? name
}

function isFile(name: string): boolean {
  return sources.some(({ path }) => moduleName(path) === name)
}

function place({ from, line, to }: Import): string {
  return `src/${from}.ts:${line} imports ${to}`
}

describe('imports', () => {
  test('every file of src is on the map', () => {
    const places = new Set(sources.map(({ path }) => areaOf(moduleName(path))))
    expect([...places].filter((name) => !Object.hasOwn(areas, name))).toEqual([])
  })

  test('follow the arrows of the map', () => {
    const within = imports.filter(({ to }) => isFile(to))
    expect(within.length).toBeGreaterThan(sources.length)
    const wrong = within.filter(({ from, to }) => {
      const allowed = areas[areaOf(from)]?.imports ?? []
      return areaOf(from) !== areaOf(to) && !allowed.includes(areaOf(to)) && !allowed.includes(to)
    })
    expect(wrong.map(place)).toEqual([])
  })

  test('of packages are on the map', () => {
    const wrong = imports.filter(({ from, to }) => {
      const allowed = areas[areaOf(from)]?.packages ?? []
      // Migrations and style sheets are not modules: the build inserts their text.
      if (/^(?:server|page)\/.*\.(?:sql|css|md)$/.test(to)) return false
      return !isFile(to) && !(isBuiltin(to) ? allowed.includes('node:') : allowed.includes(to))
    })
    expect(wrong.map(place)).toEqual([])
  })

  test('contain no cycle', () => {
    const next = new Map<string, string[]>()
    for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (name: string, path: readonly string[]): void => {
      if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(' → '))
      if (path.includes(name) || done.has(name)) return
      for (const to of next.get(name) ?? []) visit(to, [...path, name])
      done.add(name)
    }
    for (const name of next.keys()) visit(name, [])
    expect(circles).toEqual([])
  })
})

describe('the core', () => {
  const files = sources.filter(({ path }) => [...core, 'index'].includes(areaOf(moduleName(path))))

  test('uses no environment, no clock and no random numbers', () => {
    const outside = ['process', 'require', 'global', 'globalThis', 'window', 'document', 'navigator', 'self']
    outside.push('console', 'fetch', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask')
    const members = ['Date.now', 'Math.random']
    // Only this file may test for `Buffer`, which copies strings faster than a loop.
    const isBuffer = (path: string, name: string): boolean => name === 'Buffer' && path !== 'src/parse/state.ts'
    const used = files.flatMap(({ path, text, program }) => {
      const nodes = [...nodesOf(program)]
      // A local name hides a global one: in `parse`, `document` is the source.
      const own = new Set(nodes.flatMap((node) => [...declaredNames(node)]))
      return nodes
        .filter((node) => {
          const code = text.slice(node.start, node.end)
          if (node.type === 'NewExpression') return code === 'new Date()'
          if (node.type === 'MemberExpression') return members.includes(code)
          if (node.type !== 'Identifier') return false
          return isBuffer(path, node.name) || (outside.includes(node.name) && !own.has(node.name))
        })
        .filter((node) => !isPropertyName(node, nodes))
        .map((node) => `${path}:${lineAt(text, node.start)} ${text.slice(node.start, node.end)}`)
    })
    expect(used).toEqual([])
  })

  function* declaredNames(node: Node): Generator<string> {
    if ('id' in node && node.id?.type === 'Identifier') yield node.id.name
    if (!('params' in node) || !Array.isArray(node.params)) return
    for (const parameter of node.params) {
      for (const part of nodesOf(parameter)) if (part.type === 'Identifier') yield part.name
    }
  }

  function isPropertyName(node: Node, nodes: readonly Node[]): boolean {
    return nodes.some(
      (parent) =>
        (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
        ((parent.type === 'Property' || parent.type === 'TSPropertySignature') && parent.key === node),
    )
  }
})

describe('length', () => {
  test(`no file of src has more than ${FILE_LINES_MAX} lines`, () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    expect(lengths.filter(({ lines }) => lines > FILE_LINES_MAX)).toEqual([])
  })

  test(`no function of src has more than ${FUNCTION_LINES_MAX} lines`, () => {
    const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
    const long = sources.flatMap(({ path, text, program }) =>
      [...nodesOf(program)]
        .filter(({ type }) => functions.includes(type))
        .map(({ start, end }) => ({
          place: `${path}:${lineAt(text, start)}`,
          lines: lineAt(text.slice(start, end), end),
        }))
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX),
    )
    expect(long).toEqual([])
  })
})

describe('the text of all files', () => {
  const texts = filesBelow('.').map((path) => ({ path, lines: readFileSync(join(top, path), 'utf8').split('\n') }))

  function linesWith(pattern: RegExp, isLooked: (path: string) => boolean): string[] {
    return texts
      .filter(({ path }) => isLooked(path))
      .flatMap(({ path, lines }) =>
        lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.slice(0, 100)}`] : [])),
      )
  }

  test('contains no path of one machine', () => {
    // Fixtures contain paths that people type in a chat. Only the paths of this clone and this user are searched.
    const own = [top.replace(/\/$/, ''), homedir()].filter((path) => path.length > '/root'.length)
    const quoted = own.map((path) => path.replace(/[^\w/]/g, '\\$&'))
    if (quoted.length > 0) expect(linesWith(new RegExp(quoted.join('|')), () => true)).toEqual([])
    const folders = ['tmp', 'root', 'work', 'Users', 'home'].join('|')
    const machine = new RegExp(`(?<![\\w.:*/-])/(?:${folders})/\\w`)
    expect(linesWith(machine, (path) => !/^(?:fixtures|bench|test)\//.test(path))).toEqual([])
  })

  test('contains no URL of a registry, also not in the lock file', () => {
    // Written in two parts, so that this file does not match.
    const [host, field] = ['registry', 'resolved']
    expect(linesWith(new RegExp(`${host}\\.(?:npmjs|yarnpkg)|"${field}": "http`), () => true)).toEqual([])
  })

  test('the package depends on nothing', () => {
    const description = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
    const dependencies = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies']
    expect(dependencies.filter((field) => Object.keys(description[field] ?? {}).length > 0)).toEqual([])
    const versions = Object.entries<string>(description.devDependencies)
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('peer dependencies are ranges, tested with their lowest version and with ours', () => {
    const description = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
    const { dependencies } = JSON.parse(readFileSync(join(top, 'test/peers/package.json'), 'utf8'))
    const ranges = Object.entries<string>(description.peerDependencies)
    expect(Object.fromEntries(ranges.map(([name, range]) => [name, range.split(' ')[0]?.replace('^', '')]))).toEqual(
      dependencies,
    )
    const highest = ranges.map(([name, range]) => [name, /\^(\d+)[\d.]*$/.exec(range)?.[1]])
    expect(highest).toEqual(ranges.map(([name]) => [name, description.devDependencies[name].split('.')[0]]))
    expect(Object.keys(description.peerDependenciesMeta)).toEqual(ranges.map(([name]) => name))
  })

  test.each(['package-lock.json', 'bench/package-lock.json', 'test/install/package-lock.json'])(
    '%s has the packages of every platform, because npm ci fails otherwise',
    (path) => {
      interface Locked {
        optionalDependencies?: Record<string, string>
      }
      const { packages } = JSON.parse(readFileSync(join(top, path), 'utf8'))
      const missing = Object.values<Locked>(packages).flatMap(({ optionalDependencies = {} }) =>
        Object.keys(optionalDependencies).filter((name) => !Object.hasOwn(packages, `node_modules/${name}`)),
      )
      expect(missing).toEqual([])
    },
  )
})
