/**
 * Writes the reference of the library from its declarations: for each entry, every exported name with its signature,
 * parameters, result, errors and example. TypeDoc needs the compiler's API of TypeScript 6, which `npm ci` would not install
 * next to the TypeScript 7 of this project; the parser and the doc comments are all that is needed.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * A name that a module exports: its text without a body, and its doc comment.
 *
 * @typedef {{ name: string, kind: 'function' | 'value' | 'type', code: string, doc: string}} Declared
 */

/** Words of a type that make a constant a function. */
const FUNCTION_TYPE = /^(?:<[^>]*>)?\(|^(?:Plugin|Template)\b/

/**
 * Lists the entries of the package, in the order of its exports.
 *
 * @returns {{ entry: string, file: string }[]} the name of each import, and its source
 */
export function entries() {
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const file = target.types.replace('./dist/', 'src/').replace('.d.ts', '.ts')
    return [{ entry: path.replace('.', 'blockmark'), file }]
  })
}

/**
 * Writes the reference of one entry as Markdown.
 *
 * @param {string} entry - for example `blockmark/lint`
 * @param {string} file - its source
 * @returns {string}
 */
export function referenceOf(entry, file) {
  const { text, comments } = moduleOf(file)
  const intro = sentencesOf(contentOf(comments[0], text)).replace(/^(?:The entry )?`[^`]+`: (.)/, (_, first) =>
    first.toUpperCase(),
  )
  const declared = exportsOf(file)
  const parts = ['function', 'value', 'type'].flatMap((kind) => declared.filter((each) => each.kind === kind))
  return `# ${entry}\n\n${intro}\n\n${parts.map(sectionOf).join('\n')}`
}

/**
 * Lists what a module exports, its own and that of other modules, in the order of the code.
 *
 * @param {string} file
 * @returns {Declared[]}
 */
export function exportsOf(file) {
  return moduleOf(file).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    if (node.source === null) return declaredBy(node, file)
    const from = exportsOf(join(file, '..', node.source.value.replace(/\.js$/, '.ts')))
    return node.specifiers.flatMap((/** @type {any} */ { local, exported }) =>
      from.filter(({ name }) => name === local.name).map((each) => ({ ...each, name: exported.name })),
    )
  })
}

/** @type {Map<string, { body: any[], comments: readonly any[], text: string }>} */
const modules = new Map()

/** @param {string} file */
function moduleOf(file) {
  const known = modules.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, text, { lang: 'ts', sourceType: 'module' })
  if (errors[0] !== undefined) throw new SyntaxError(`${file}: ${errors[0].message}`)
  // The nodes have the type `any`: the parser's types would require a check before each field is read.
  const found = { body: /** @type {any[]} */ (program.body), comments, text }
  modules.set(file, found)
  return found
}

/**
 * @param {any} statement - an export of a declaration
 * @param {string} file
 * @returns {Declared[]}
 */
function declaredBy({ declaration, start }, file) {
  const { text } = moduleOf(file)
  const doc = docBefore(start, file)
  const end = declaration.body?.type === 'BlockStatement' ? declaration.body.start : declaration.end
  const code = text.slice(declaration.start, end).trim()
  const { type, id } = declaration
  if (type === 'FunctionDeclaration' || type === 'TSDeclareFunction')
    return [{ name: id.name, kind: 'function', code: code.replace(/^async /, ''), doc }]
  if (type === 'VariableDeclaration') {
    const { id: variable } = declaration.declarations[0]
    // An identifier ends after its type; without a type, its value is shown.
    const type = variable.typeAnnotation === null ? '' : text.slice(variable.typeAnnotation.start, variable.end)
    const isFunction = FUNCTION_TYPE.test(type.replace(/^:\s*/, ''))
    const shown = type === '' ? code : `const ${variable.name}${type}`
    return [{ name: variable.name, kind: isFunction ? 'function' : 'value', code: shown, doc }]
  }
  if (type === 'ClassDeclaration') return [{ name: id.name, kind: 'value', code: classOf(declaration, text), doc }]
  return [{ name: id.name, kind: 'type', code, doc }]
}

/** Writes a class without the bodies of its methods. @param {any} declaration @param {string} text */
function classOf(declaration, text) {
  const members = declaration.body.body.flatMap((/** @type {any} */ member) => {
    if (member.key?.type === 'PrivateIdentifier' || member.accessibility === 'private') return []
    return [`  ${text.slice(member.start, member.value?.body?.start ?? member.end).trim()}`]
  })
  return `${text.slice(declaration.start, declaration.body.start)}{\n${members.join('\n')}\n}`
}

/** Returns the doc comment that ends where a statement begins. @param {number} start @param {string} file */
function docBefore(start, file) {
  const { comments, text } = moduleOf(file)
  const comment = comments.findLast(({ end }) => end <= start)
  if (comment === undefined || text.slice(comment.end, start).trim() !== '') return ''
  return contentOf(comment, text)
}

/** Returns the lines of a doc comment, without its stars. @param {any} comment @param {string} text */
function contentOf(comment, text) {
  const written = comment === undefined ? '' : text.slice(comment.start, comment.end)
  if (!written.startsWith('/**')) return ''
  return written
    .replace(/^\/\*\*[ \t]*|\s*\*\/$/g, '')
    .replace(/^[ \t]*\*(?: |$)/gm, '')
    .trim()
}

/** Splits a doc comment into the text before its first tag, and its tags. @param {string} doc */
function tagsOf(doc) {
  const [text = '', ...tags] = doc.split(/^@(?=\w+)/m)
  const named = tags.map((tag) => {
    const [, name = '', content = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
    return { name, content: content.trim() }
  })
  return {
    text: text.trim(),
    all: (/** @type {string} */ name) => named.filter((tag) => tag.name === name).map(({ content }) => content),
  }
}

/** Writes the section of one name. @param {Declared} declared */
function sectionOf({ name, kind, code, doc }) {
  const tags = tagsOf(doc)
  const params = tags.all('param').map((param) => param.replace(/^(\S+)\s+-\s+/, '- `$1`: '))
  const throwing = tags.all('throws').map((text) => `- throws ${text.replace(/^\{(\w+)\}/, '`$1`')}`)
  const returns = tags.all('returns').map((text) => `- returns ${text}`)
  const list = [...params, ...returns, ...throwing].map((item) => sentencesOf(item))
  const examples = tags.all('example').map((text) => `\`\`\`ts\n${text}\n\`\`\`\n`)
  const see = tags.all('see').map((text) => `See ${sentencesOf(text)}.\n`)
  const after = kind === 'type' ? '' : sentencesOf(tags.text)
  const before = kind === 'type' ? sentencesOf(tags.text) : ''
  return [
    `## ${name}\n`,
    ...(before === '' ? [] : [`${before}\n`]),
    `\`\`\`ts\n${code}\n\`\`\`\n`,
    ...(after === '' ? [] : [`${after}\n`]),
    ...(list.length === 0 ? [] : [`${list.join('\n')}\n`]),
    ...see,
    ...examples,
  ].join('\n')
}

/** Writes links to other names as code, and the lines of a sentence as one. @param {string} text */
function sentencesOf(text) {
  return text.replace(/\{@link (\w+)\}/g, '`$1`').replace(/(?<!\n)\n(?!\n|[-*] |\d\. )/g, ' ')
}

/** Writes the whole reference: a list of the entries with their functions and values, then each entry with its exports. */
export function reference() {
  const contents = entries().map(({ entry, file }) => {
    const values = exportsOf(file).filter(({ kind }) => kind !== 'type')
    const names = values.map(({ name }) => `\`${name}\``).join(', ')
    // A heading's anchor has no slash.
    return `- [${entry}](#${entry.replace('/', '')})${names === '' ? '' : `: ${names}`}`
  })
  const parts = entries().map(({ entry, file }) => referenceOf(entry, file))
  return `${contents.join('\n')}\n\n${parts.join('\n')}`
}
