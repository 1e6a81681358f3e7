/** Checks trees by the table of §5. */
import { describe, type ErrorCode, type Problem, throwProblems } from '../errors.js'
import { isID } from '../parse/mention.js'
import { type ChildKind, content, type FieldMap, type NodeType, type Root, typesOf } from '../tree.js'

/**
 * Throws unless a value is a tree of §5: for trees that were stored or come from somewhere else. What can not be
 * written as it stands, such as an empty text, a url with spaces or a label with a pipe, is a tree all the same.
 *
 * @param value - anything; fields that the table does not name are not looked at
 * @throws {BlockmarkError} `tree/child`, `tree/field` or `tree/cycle`, with every problem and its path; of hundreds of
 * thousands of problems the first
 * @example
 * const stored: unknown = JSON.parse('{"type":"root","children":[{"type":"break"}]}')
 * assertTree(stored) // => throws BlockmarkError: tree/child: expected block, received break at /children/0
 * @see normalize for the nearest tree that can be written
 */
export function assertTree(value: unknown): asserts value is Root {
  throwProblems(problemsOf(value, 'root', Infinity))
}

/**
 * Throws unless a value is at least a tree that can be written after changes: what may not stand somewhere at any depth
 * may, and an id may be any string.
 *
 * @throws {BlockmarkError} as {@link assertTree} does
 */
export function assertWildTree(value: unknown): asserts value is Root {
  throwProblems(problemsOf(value, 'root', Infinity, true))
}

/**
 * What keeps a value from being a node of a type. Nothing recurses: a tree may be a million nodes deep.
 *
 * @param depth - how many generations of children are entered
 * @param isWild - whether a tree will do that can be written after changes
 */
export function problemsOf(value: unknown, type: NodeType, depth: number, isWild = false): Problem[] {
  const check: Check = { problems: [], isWild, parents: [], ancestors: new Set(), pathRoom: PATH_ROOM }
  enter(check, value, type, [], depth)
  let parent = check.parents.at(-1)
  while (parent !== undefined && check.pathRoom > 0) {
    parent.at += 1
    if (parent.at < parent.children.length) {
      enter(check, parent.children[parent.at], parent.kind, parent.without, depth)
    } else {
      check.ancestors.delete(parent.node)
      check.parents.pop()
    }
    parent = check.parents.at(-1)
  }
  return check.problems
}

/** Keys in all paths together. A tree a million deep with a problem on each level would need 10^12 of them. */
const PATH_ROOM = 1_000_000

interface Check {
  problems: Problem[]
  readonly isWild: boolean
  /** The nodes whose children are being checked, from the outermost on, and the same nodes as a set. */
  parents: Parent[]
  ancestors: Set<unknown>
  pathRoom: number
}

interface Parent {
  node: Candidate
  children: readonly unknown[]
  /** The index of the child that is being checked. */
  at: number
  kind: ChildKind
  /** What may not stand here, because of this node or one around it. */
  without: readonly NodeType[]
}

/** What may be a node. */
interface Candidate {
  type?: unknown
  children?: unknown
  position?: unknown
  [field: string]: unknown
}

function enter(check: Check, value: unknown, kind: ChildKind, without: readonly NodeType[], depth: number): void {
  const type = isObject(value) ? typesOf(kind).find((type) => type === value.type) : undefined
  if (!isObject(value) || type === undefined || without.includes(type)) {
    const expected = without.length > 0 ? `${kind} without ${without.join(' or ')}` : kind
    report(check, 'tree/child', [], expected, describe(value))
  } else if (check.ancestors.has(value)) {
    report(check, 'tree/cycle', [], 'tree', `${type} inside itself`)
  } else {
    checkFields(check, value, type)
    checkChildren(check, value, type, without, depth)
  }
}

function checkFields(check: Check, node: Candidate, type: NodeType): void {
  const fields: Readonly<Record<string, keyof FieldMap>> = content[type].fields
  for (const name in fields) {
    const field = node[name]
    // A key of a record is in it. Its entries would be made anew for each node.
    const kind = fields[name] as keyof FieldMap
    if (!fits[check.isWild && kind === 'id' ? 'string' : kind](field))
      report(check, 'tree/field', [name], kind === 'id' ? ID : kind, describe(field))
  }
  if (node.position !== undefined && !isPosition(node.position)) {
    report(check, 'tree/field', ['position'], 'start and end with line and column', describe(node.position))
  }
}

function checkChildren(
  check: Check,
  node: Candidate,
  type: NodeType,
  outside: readonly NodeType[],
  depth: number,
): void {
  const { children: kind, childCount, without } = content[type]
  const { children } = node
  if (kind === null) return
  if (!Array.isArray(children)) {
    report(check, 'tree/field', ['children'], 'array', describe(children))
    return
  }
  if (childCount !== undefined && children.length !== childCount) {
    report(check, 'tree/field', ['children'], `exactly ${childCount} ${kind}`, `${children.length} children`)
  }
  if (check.parents.length < depth) {
    const isFree = without === undefined || check.isWild
    check.parents.push({ node, children, at: -1, kind, without: isFree ? outside : [...outside, without] })
    check.ancestors.add(node)
  }
}

function report(check: Check, code: ErrorCode, keys: readonly string[], expected: string, received: string): void {
  const path = [...check.parents.flatMap(({ at }) => ['children', at]), ...keys]
  check.problems.push({ code, path, expected, received })
  check.pathRoom -= path.length
}

const ID = 'id (1 to 128 characters, no white space or control character, none of < > | `)'

/** One entry for each kind of field. */
const fits: { readonly [Kind in keyof FieldMap]: (value: unknown) => boolean } = {
  '1 or 2': (value) => value === 1 || value === 2,
  false: (value) => value === false,
  null: (value) => value === null,
  id: (value) => typeof value === 'string' && isID(value),
  string: (value) => typeof value === 'string',
  'string or null': (value) => value === null || typeof value === 'string',
}

function isPosition(value: unknown): boolean {
  if (!isObject(value)) return false
  const { start, end } = value
  return isPoint(start) && isPoint(end)
}

function isPoint(value: unknown): boolean {
  if (!isObject(value)) return false
  const { line, column, offset } = value
  return isCount(line, 1) && isCount(column, 1) && (offset === undefined || isCount(offset, 0))
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least
}

function isObject(value: unknown): value is Candidate {
  return typeof value === 'object' && value !== null
}
