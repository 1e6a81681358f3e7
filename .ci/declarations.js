/**
 * Keeps only the declarations that a user's compiler can reach from an entry of a package. It is ours because the
 * versions of rolldown-plugin-dts that work with this compiler need Node.js 22.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync, visitorKeys } from 'oxc-parser'
import { serverManifest } from './server-package.js'

/**
 * @typedef {object} Statement
 * @property {string} text - with the comments before it
 * @property {readonly string[]} names - the names that it declares or exports again
 * @property {ReadonlyMap<string, string>} specifiers - of an import or a hand-over: the name here, and the one there
 * @property {string | null} source - the file that it imports from, or null
 * @property {ReadonlySet<string>} mentioned - every name in it
 * @property {readonly (readonly [left: string, right: string])[]} qualified - every `a.b` in it
 * @property {readonly { source: string, name: string }[]} inline - its inline imports, for example `import('./a.js').B`
 * @property {boolean} isImport
 */

/** @type {Map<string, readonly Statement[]>} */
const known = new Map()

const all = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'))
const server = textsFrom(serverManifest(), 'dist/types')
const library = textsFrom(JSON.parse(readFileSync('package.json', 'utf8')), 'dist')
for (const path of all) rmSync(join('dist', path))
for (const [path, text] of library) write(join('dist', path), text)
for (const [path, text] of server) write(join('dist/server/types', path), text)

/**
 * Gives the kept text of each file, by its path below `dist`.
 *
 * @param {{ exports: Record<string, unknown> }} description - the package's
 * @param {string} place - the package's folder for the files of `dist`
 */
function textsFrom({ exports }, place) {
  /** @type {Map<string, Set<Statement>>} */
  const kept = new Map()
  for (const entry of Object.values(exports)) {
    if (typeof entry !== 'object' || entry === null || !('types' in entry)) continue
    const path = relative(place, String(entry.types))
    for (const statement of statementsOf(path)) if (!statement.isImport) keep(path, statement, kept)
  }
  return new Map(Array.from(kept, ([path, statements]) => [path, textOf(path, statements)]))
}

/**
 * Keeps a statement and the statements that it needs.
 *
 * @param {string} path
 * @param {Statement} statement
 * @param {Map<string, Set<Statement>>} kept
 */
function keep(path, statement, kept) {
  const statements = kept.get(path) ?? new Set()
  kept.set(path, statements)
  if (statements.has(statement)) return
  statements.add(statement)
  const { source, specifiers, mentioned, qualified, inline } = statement
  for (const name of specifiers.values()) if (source !== null) need(source, name, kept)
  for (const { source, name } of inline) need(source, name, kept)
  for (const other of statementsOf(path)) {
    if (other.isImport) {
      const isAlways = other.specifiers.size === 0
      const used = [...other.specifiers].filter(([name]) => mentioned.has(name))
      if (isAlways || used.length > 0) statements.add(other)
      for (const [here, there] of used) {
        const members = qualified.flatMap(([left, right]) => (left === here ? [right] : []))
        for (const name of there === '*' ? members : [there]) if (other.source !== null) need(other.source, name, kept)
      }
      if (isAlways && other.source !== null) need(other.source, '*', kept)
    } else if (other.source === null && other.names.some((name) => mentioned.has(name))) keep(path, other, kept)
    else if (other.names.length === 0) keep(path, other, kept)
  }
}

/**
 * Keeps the statements that export a name; `*` is every name.
 *
 * @param {string} path
 * @param {string} name
 * @param {Map<string, Set<Statement>>} kept
 */
function need(path, name, kept) {
  const found = statementsOf(path).filter((each) => !each.isImport && (name === '*' || each.names.includes(name)))
  if (found.length === 0) throw new Error(`${path} declares no ${name}`)
  for (const statement of found) keep(path, statement, kept)
}

/**
 * Writes a file with the kept statements. Imports keep only the names that are used.
 *
 * @param {string} path
 * @param {ReadonlySet<Statement>} kept
 */
function textOf(path, kept) {
  const statements = statementsOf(path).filter((statement) => kept.has(statement))
  const mentioned = new Set(statements.filter(({ isImport }) => !isImport).flatMap((each) => [...each.mentioned]))
  return statements
    .map(({ text, isImport, specifiers }) => {
      if (!isImport || specifiers.size < 2) return text
      return text.replace(/\{([^}]*)\}/, (_, list) => {
        const names = list
          .split(',')
          .filter((/** @type {string} */ each) => mentioned.has(each.trim().split(' ').at(-1) ?? ''))
        return `{ ${names.map((/** @type {string} */ each) => each.trim()).join(', ')} }`
      })
    })
    .join('\n')
    .concat('\n')
}

/**
 * @param {string} path
 * @returns {readonly Statement[]}
 */
function statementsOf(path) {
  const before = known.get(path)
  if (before !== undefined) return before
  const text = readFileSync(join('dist', path), 'utf8')
  const { program } = parseSync(path, text, { lang: 'dts', sourceType: 'module' })
  let end = 0
  const statements = program.body.map((node) => {
    const statement = read(node, text.slice(end, node.end).trim(), path)
    end = node.end
    return statement
  })
  known.set(path, statements)
  return statements
}

/**
 * @param {import('oxc-parser').Statement} node
 * @param {string} text
 * @param {string} path
 * @returns {Statement}
 */
function read(node, text, path) {
  /** @param {string} request */
  const fileOf = (request) => (request.startsWith('.') ? join(dirname(path), request.replace(/\.js$/, '.d.ts')) : null)
  const nodes = [...nodesOf(node)]
  const mentioned = new Set(nodes.flatMap((each) => (each.type === 'Identifier' ? [each.name] : [])))
  const qualified = nodes.flatMap((each) =>
    each.type === 'TSQualifiedName' && each.left.type === 'Identifier'
      ? [/** @type {const} */ ([each.left.name, each.right.name])]
      : [],
  )
  const inline = nodes.flatMap((each) => {
    const source = each.type === 'TSImportType' ? fileOf(each.source.value) : null
    const name = each.type === 'TSImportType' && each.qualifier?.type === 'Identifier' ? each.qualifier.name : '*'
    return source === null ? [] : [{ source, name }]
  })
  const isImport = node.type === 'ImportDeclaration'
  const isHandOver = node.type === 'ExportNamedDeclaration' && node.source !== null
  const source = (isImport || isHandOver) && node.source !== null ? fileOf(node.source.value) : null
  const specifiers = new Map(
    isImport || isHandOver ? node.specifiers.map((/** @type {any} */ each) => pairOf(each)) : [],
  )
  const names = isHandOver ? [...specifiers.keys()] : isImport ? [] : declaredBy(node)
  return { text, names, specifiers, source, mentioned, qualified, inline, isImport }
}

/** @param {any} specifier @returns {[here: string, there: string]} */
function pairOf(specifier) {
  if (specifier.type === 'ExportSpecifier') return [specifier.exported.name, specifier.local.name]
  return [specifier.local.name, specifier.type === 'ImportSpecifier' ? specifier.imported.name : '*']
}

/** The names that a statement declares. A statement without names, such as an augmentation of a module, is always kept. @param {any} node @returns {string[]} */
function declaredBy(node) {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
  if (declaration === null) return []
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.map((/** @type {any} */ each) => each.id.name)
  return declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  // Two spaces of indentation instead of four save a tenth.
  writeFileSync(
    path,
    text.replace(/^(?: {4})+/gm, (spaces) => spaces.slice(spaces.length / 2)),
  )
}

/**
 * Gives a node and all in it, in the order of the code.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
function* nodesOf(node) {
  yield node
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (typeof child?.type === 'string') yield* nodesOf(child)
  }
}
