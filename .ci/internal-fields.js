/** Shortens the names of internal fields, which no minifier may do: they are a fiftieth of a bundle. */

import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

/** Names that only the parser, its readers and the writer use, each for one thing; the 52 most frequent ones first. */
const fields = [
  ...['backslashes', 'base', 'below', 'char', 'chars', 'contentEnd', 'contentStart', 'delimiter', 'density'],
  ...['difference', 'ending', 'escapes', 'event', 'eventsEnd', 'fence', 'flags', 'group', 'isInLabel', 'isPlain'],
  ...['isWhole', 'lastBackticks', 'lastSpace', 'lastWord', 'lineBase', 'lineCount', 'linkEnd', 'misread'],
  ...['needsWord', 'nextRange', 'nodeCount', 'onChange', 'openBracket', 'opener', 'openerCount', 'openers', 'outer'],
  ...['parents', 'partner', 'pathKeysLeft', 'prefix', 'rank', 'sequence', 'sequenceEnd', 'sizeOf', 'spaceMark'],
  ...['spans', 'state', 'stops', 'textOf', 'tighterEnd', 'tokens', 'wordMark'],
  ...['backticksFrom', 'between', 'chainAfter', 'chainEnd', 'chainStart', 'checkFields', 'childCount'],
  ...['closesNotAfter', 'closesNotBefore', 'codeStart', 'endsWithReturn', 'firstStop', 'hasPositions', 'heads'],
  ...['holdsHeadings', 'isBroken', 'isEscaping', 'isFinished', 'isForced', 'isInAnchor', 'isLine', 'isMoved'],
  ...['isNextLine', 'isParagraph', 'lastStop', 'latest', 'lengthMax', 'level', 'nextStart', 'nodesLeft', 'openCount'],
  ...['opened', 'opensNotBefore', 'outside', 'over', 'pathKeysMax', 'placeholder', 'readLeaf', 'resolved'],
  ...['shrugEnd', 'stopsEnd', 'strictness', 'textEnd', 'textStart', 'throwTooLong', 'without'],
]

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
if (fields.length > 2 * LETTERS.length) throw new Error(`${fields.length} internal fields are too many`)
/** Returns a letter, or a dollar sign and a letter. @param {number} index */
const shortName = (index) => (index < LETTERS.length ? '' : '$') + LETTERS.charAt(index % LETTERS.length)
const pattern = new RegExp(`\\b(?:${fields.join('|')})\\b`)
const shortNames = new Map(fields.map((name, index) => [name, shortName(index)]))

/**
 * Shortens the names in every module of a build. No line moves, so that source maps stay right.
 *
 * @returns {import('rolldown').Plugin}
 */
export function shortensFields() {
  return {
    name: 'shortens-fields',
    load(path) {
      if (!path.endsWith('.ts')) return null
      const code = readFileSync(path, 'utf8')
      return { code: pattern.test(code) ? shortened(code, path) : code, moduleType: 'ts' }
    },
  }
}

/** Returns a module with short names. @param {string} code @param {string} path */
function shortened(code, path) {
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = []
  /** @param {{ computed: boolean, shorthand?: boolean }} node @param {{ start: number, end: number }} key */
  const rename = ({ computed, shorthand = false }, { start, end }) => {
    const text = shortNames.get(code.slice(start, end))
    // `{ chars }` becomes `{ d: chars }`.
    if (text !== undefined && !computed)
      edits.push(shorthand ? { start, end: start, text: `${text}: ` } : { start, end, text })
  }
  new Visitor({
    'MemberExpression:exit': (node) => rename(node, node.property),
    'Property:exit': (node) => rename(node, node.key),
    'PropertyDefinition:exit': (node) => rename(node, node.key),
  }).visit(parseSync(path, code).program)
  edits.sort((one, other) => other.start - one.start)
  return edits.reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
}

/**
 * Throws if a declaration has one of these names: users could read such a field.
 *
 * @param {string} path
 * @param {string} declarations
 */
export function checkFields(path, declarations) {
  const name = fields.find((field) => new RegExp(`\\b${field}\\??[:(]`).test(declarations))
  if (name !== undefined) throw new Error(`${path}: ${name} is public, but the build shortens it (internal-fields.js)`)
}
