/**
 * Keeps only the declarations that a user's compiler can reach from an entry of a package. This is our own code, because the
 * versions of rolldown-plugin-dts that work with this compiler need Node.js 22.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync, visitorKeys } from 'oxc-parser'
import { checkFields } from './internal-fields.js'
import { serverManifest } from './server-package.js'

/**
 * A statement, or one name of an import.
 *
 * @typedef {object} Statement
 * @property {string} text - the code with the comments before it; for a name of an import, the code around all names
 * @property {readonly string[]} names - the names that it declares, imports or exports again
 * @property {string | null} source - the file that it imports from, or null
 * @property {readonly string[]} wanted - the names of that file; `*` is every name
 * @property {ReadonlySet<string>} mentioned - every name in the statement
 * @property {string | null} specifier - of a name of an import, for example `A as B`
 * @property {boolean} isImport
 */

/** A placeholder for the names of an import. */
const NAMES = '{…}'

/** @type {Map<string, readonly Statement[]>} */
const known = new Map()

const all = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'))
const server = textsFrom(serverManifest(), 'dist/types')
const library = textsFrom(JSON.parse(readFileSync('package.json', 'utf8')), 'dist')
for (const path of all) rmSync(join('dist', path))
for (const [path, text] of library) {
  checkFields(path, text)
  write(join('dist', path), text)
}
for (const [path, text] of server) write(join('dist/server/types', path), text)

/**
 * Returns the remaining declarations of each file, by its path below `dist`.
 *
 * @param {{ exports: Record<string, unknown> }} description - the package's
 * @param {string} place - the package's folder for the files of `dist`
 */
function textsFrom({ exports }, place) {
  /** @type {Map<string, Set<Statement>>} */
  const kept = new Map()
  for (const entry of Object.values(exports)) {
    if (typeof entry !== 'object' || entry === null || !('types' in entry)) continue
    need(relative(place, String(entry.types)), '*', kept)
  }
  return new Map(Array.from(kept, ([path, statements]) => [path, textOf(path, statements)]))
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
 * Keeps a statement and the statements that it needs. One without names, such as an augmentation of a module, is always kept.
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
  const { source, wanted, mentioned } = statement
  if (source !== null) for (const name of wanted) need(source, name, kept)
  for (const other of statementsOf(path))
    if (other.names.length === 0 || other.names.some((name) => mentioned.has(name))) keep(path, other, kept)
}

/**
 * Writes a file with the kept statements. The kept names of one import are together.
 *
 * @param {string} path
 * @param {ReadonlySet<Statement>} kept
 */
function textOf(path, kept) {
  /** @type {Map<string, string[]>} */
  const lines = new Map()
  for (const statement of statementsOf(path)) {
    if (!kept.has(statement)) continue
    const specifiers = lines.get(statement.text) ?? []
    lines.set(statement.text, statement.specifier === null ? specifiers : [...specifiers, statement.specifier])
  }
  const texts = Array.from(lines, ([text, names]) =>
    text.replace(NAMES, names.length > 0 ? `{ ${names.join(', ')} }` : NAMES),
  )
  return `${texts.join('\n')}\n`
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
  const statements = program.body.flatMap((node) => {
    const found = read(node, text, end, path)
    end = node.end
    return found
  })
  known.set(path, statements)
  return statements
}

/**
 * @param {any} node - a statement
 * @param {string} code - the file
 * @param {number} start - the end of the statement before
 * @param {string} path
 * @returns {Statement[]}
 */
function read(node, code, start, path) {
  const text = code.slice(start, node.end).trim()
  const isImport = node.type === 'ImportDeclaration'
  /** @type {string} */
  const request = node.source?.value ?? ''
  const source = request.startsWith('.') ? join(dirname(path), request.replace(/\.js$/, '.d.ts')) : null
  const nodes = [...nodesOf(node)]
  if (nodes.some((each) => each.type === 'TSImportType' && each.source.value.startsWith('.')))
    throw new Error(`${path}: expected an import of the type at the top of the file: ${text}`)
  const mentioned = new Set(isImport ? [] : nodes.flatMap((each) => (each.type === 'Identifier' ? [each.name] : [])))
  /** @type {readonly any[]} */
  const specifiers = node.specifiers ?? []
  const statement = { text, source, mentioned, specifier: null, isImport }
  if (!isImport && request === '') return [{ ...statement, names: declaredBy(node), wanted: [] }]
  if (!isImport) {
    const names = specifiers.map(({ exported }) => exported.name)
    return [{ ...statement, names, wanted: specifiers.map(({ local }) => local.name) }]
  }
  if (specifiers.length === 0) return [{ ...statement, names: [], wanted: ['*'] }]
  return specifiers.map(({ type, local, imported, start, end }) => {
    if (type !== 'ImportSpecifier') return { ...statement, names: [local.name], wanted: ['*'] }
    const around = text.replace(/\{[^}]*\}/, NAMES)
    const specifier = code.slice(start, end)
    return { ...statement, text: around, names: [local.name], wanted: [imported.name], specifier }
  })
}

/** @param {any} node @returns {string[]} */
function declaredBy(node) {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.map((/** @type {any} */ { id }) => id.name)
  return declaration?.id?.type === 'Identifier' ? [declaration.id.name] : []
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  // Two spaces of indentation instead of four save a tenth.
  const indented = text.replace(/^(?: {4})+/gm, (spaces) => spaces.slice(spaces.length / 2))
  writeFileSync(path, indented)
}

/**
 * Yields a node and all nodes in it, in the order of the code.
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
