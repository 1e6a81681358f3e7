/**
 * Constants of a bundle. A bundler declares what stands at the top with `var`, so that nothing there can be read too early;
 * but the engine takes what a `const` holds as known when it makes code fast, and the parser is 5 to 11 % slower without.
 */

import { parseSync, Visitor } from 'oxc-parser'

/**
 * A change of a text: as many characters from `at` on make place for others.
 *
 * @typedef {{ readonly at: number, readonly length: number, readonly text: string }} Edit
 */

/**
 * What is to be changed so that nothing at the top is a `var`: what is never assigned again becomes a `const`, the rest a
 * `let`. They are in the order of the modules, which do not read each other too early either.
 *
 * @param {string} path
 * @param {string} text - a module
 * @returns {Edit[]} in their order
 */
export function constantsOf(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const assigned = assignedIn(program)
  /** @type {Edit[]} */
  const edits = []
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'var') continue
    let [at, length, kind] = [statement.start, statement.kind.length, '']
    for (const { id, init, end } of statement.declarations) {
      const isConstant = init !== null && namesOf(id).every((name) => !assigned.has(name))
      const next = isConstant ? 'const' : 'let'
      // One keyword is enough for several in a row.
      if (next !== kind) edits.push({ at, length, text: kind === '' ? next : `;${next} ` })
      // The package says of all its modules that they have no effect; short code has lost it for single calls.
      if (init?.type === 'CallExpression' || init?.type === 'NewExpression') {
        edits.push({ at: init.start, length: 0, text: '/*@__PURE__*/' })
      }
      kind = next
      at = text.indexOf(',', end)
      length = 1
    }
  }
  return edits
}

/**
 * @param {string} text
 * @param {readonly Edit[]} edits
 */
export function edited(text, edits) {
  let from = 0
  const pieces = edits.map((edit) => {
    const before = text.slice(from, edit.at)
    from = edit.at + edit.length
    return before + edit.text
  })
  return pieces.join('') + text.slice(from)
}

/**
 * The names that are assigned anywhere. One that hides another counts for both: a `let` is never wrong.
 *
 * @param {import('oxc-parser').Program} program
 */
function assignedIn(program) {
  /** @type {Set<string>} */
  const names = new Set()
  const visits = Object.entries(targets).map(([type, field]) => {
    const add = (/** @type {Record<string, any>} */ node) => {
      for (const name of namesOf(node[field])) names.add(name)
    }
    return [type, add]
  })
  new Visitor(Object.fromEntries(visits)).visit(program)
  return names
}

/** What assigns, and the field with what it assigns to. */
const targets = {
  AssignmentExpression: 'left',
  UpdateExpression: 'argument',
  ForInStatement: 'left',
  ForOfStatement: 'left',
}

/**
 * The names in a pattern. What belongs to an object is none.
 *
 * @param {import('oxc-parser').Node} pattern
 * @returns {string[]}
 */
function namesOf(pattern) {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesOf(element)))
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => namesOf(each.type === 'Property' ? each.value : each.argument))
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    default:
      return []
  }
}
