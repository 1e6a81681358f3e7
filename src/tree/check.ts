/** The one definition of a tree, made of the table of §5: a function that takes a tree asks here first, and then trusts it. */
import { describe, UNREADABLE } from '../describe.js'
import { type ErrorCode, type Problem, throwProblems } from '../errors.js'
import { type ChildKind, content, type FieldMap, type NodeType, type Root, typesOf } from '../tree.js'

/** Parsed trees have at most 14 levels. The limit lets every reader of a tree recurse. */
export const LEVELS_MAX = 500

/** More nodes than fit into an engine's memory, unless they are the same ones in many places. */
const NODES_MAX: number = 2 ** 24

/** A problem of the whole tree. */
const TOO_MANY: Problem = {
  code: 'tree/cycle',
  path: [],
  expected: `at most ${NODES_MAX} nodes`,
  received: 'more: some are in many places',
}

/**
 * Throws unless a value is a tree that can be read. `normalize` mends the rest of §5 when it is written: a break in a heading,
 * a link in a link, an id with a space.
 *
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth`, with the path of the first problem
 */
export function checkTree(value: unknown): asserts value is Root {
  const left = { nodes: NODES_MAX }
  try {
    if (isNode(value, kindOf('root'), LEVELS_MAX, left)) return
  } catch {
    // A getter or a proxy throws: the search below finds its place.
  }
  const problems = left.nodes < 0 ? [] : findProblems(value, 'root', false)
  throwProblems(problems.length > 0 ? problems : [TOO_MANY])
}

/** Finds everything that keeps a value from being a node of §5. */
export function problemsOf(value: unknown, type: NodeType): Problem[] {
  return findProblems(value, type, true)
}

/** Whether a mention or a file can have this id (§2). */
export function isID(value: string): boolean {
  return /^[^\p{Z}\p{Cc}<>|`]{1,128}$/u.test(value)
}

/** Whether a mention or a file can have this label (§2). */
export function isLabel(value: string): boolean {
  return /^[^\p{Cc}<>|`]{0,256}$/u.test(value)
}

/** A row of the table of §5, with its fields in a row. */
interface Row {
  readonly type: NodeType
  readonly names: readonly string[]
  readonly tests: readonly ((value: unknown) => boolean)[]
  /** The rows of the nodes that it may hold, by type; null if it has no children. */
  readonly children: Kind | null
  readonly childCount: number | undefined
}

type Kind = Map<unknown, Row>

/** What a field can hold. Absent, undefined and null are the same in mdast. */
const fits: { readonly [Kind in keyof FieldMap]: (value: unknown) => boolean } = {
  '1 or 2': (value) => value === 1 || value === 2,
  false: (value) => value === false || value === undefined || value === null,
  null: (value) => typeof value === 'string' || value === undefined || value === null,
  id: (value) => typeof value === 'string',
  string: (value) => typeof value === 'string',
  'string or null': (value) => typeof value === 'string' || value === undefined || value === null,
}

const kinds: Map<ChildKind, Kind> = new Map()

/** The rows of a kind; they refer to each other. */
function kindOf(name: ChildKind): Kind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind: Kind = new Map()
  kinds.set(name, kind)
  for (const type of typesOf(name)) {
    const { fields, children, childCount } = content[type]
    const names = Object.keys(fields)
    const tests = Object.values<keyof FieldMap>(fields).map((field) => fits[field])
    kind.set(type, { type, names, tests, children: children === null ? null : kindOf(children), childCount })
  }
  return kind
}

/** Whether a value is a tree that can be read: as fast as can be, since nearly all are. */
function isNode(value: unknown, kind: Kind, levels: number, left: { nodes: number }): boolean {
  if (!isObject(value) || levels === 0) return false
  const row = kind.get(value.type)
  left.nodes -= 1
  if (row === undefined || left.nodes < 0) return false
  const { names, tests, children: childKind } = row
  for (let index = 0; index < names.length; index += 1) {
    // Of both there are as many.
    if (!(tests[index] as Row['tests'][0])(value[names[index] as string])) return false
  }
  const { position } = value
  if (position !== undefined && !isPosition(position)) return false
  if (childKind === null) return true
  const { children } = value
  if (!Array.isArray(children)) return false
  if (row.childCount !== undefined && children.length !== row.childCount) return false
  for (let index = 0; index < children.length; index += 1) {
    if (!isNode(children[index], childKind, levels - 1, left)) return false
  }
  return true
}

/** Anything that may be a node. */
interface Candidate {
  type?: unknown
  children?: unknown
  position?: unknown
  [field: string]: unknown
}

function isObject(value: unknown): value is Candidate {
  return typeof value === 'object' && value !== null
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
  return Number.isInteger(value) && (value as number) >= least
}

/** A search for problems. */
interface Search {
  readonly problems: Problem[]
  /** Whether all problems are wanted, and with them those that `normalize` mends. */
  readonly isStrict: boolean
  /** The keys that lead to the value that is looked at, and the nodes around it. */
  readonly path: (string | number)[]
  readonly ancestors: Set<unknown>
  nodesLeft: number
  /** The problems, and the keys in their paths, for which there is room. */
  roomLeft: number
}

/** A problem in each node of a deep tree would fill the memory. */
const ROOM_MAX = 1_500_000

function findProblems(value: unknown, type: NodeType, isStrict: boolean): Problem[] {
  const roomLeft = isStrict ? ROOM_MAX : 1
  const search = { problems: [], isStrict, path: [], ancestors: new Set(), nodesLeft: NODES_MAX, roomLeft }
  visit(search, value, type, [])
  return search.problems
}

/** Looks at a value where a node of a kind is expected, but none of the types `without`. */
function visit(search: Search, value: unknown, kind: ChildKind, without: readonly NodeType[]): void {
  const { ancestors } = search
  const expected = without.length > 0 ? `${kind} without ${without.join(' or ')}` : kind
  try {
    const row = isObject(value) ? kindOf(kind).get(value.type) : undefined
    search.nodesLeft -= 1
    if (!isObject(value) || row === undefined || without.includes(row.type)) {
      report(search, 'tree/child', [], expected, describe(value))
    } else if (ancestors.has(value)) report(search, 'tree/cycle', [], 'tree', `${row.type} inside itself`)
    else if (ancestors.size === LEVELS_MAX) {
      report(search, 'tree/depth', [], `at most ${LEVELS_MAX} levels`, `${row.type} on level ${LEVELS_MAX + 1}`)
    } else if (search.nodesLeft < 0) {
      search.problems.push(TOO_MANY)
      search.roomLeft = 0
    } else {
      visitFields(search, value, row.type)
      if (row.children !== null) visitChildren(search, value, row.type, without)
    }
  } catch {
    report(search, 'tree/child', [], expected, UNREADABLE)
  }
}

function visitFields(search: Search, node: Candidate, type: NodeType): void {
  for (const [name, kind] of Object.entries<keyof FieldMap>(content[type].fields)) {
    const value = node[name]
    const isValid = fits[kind](value) && (kind !== 'id' || !search.isStrict || isID(value as string))
    if (!isValid) report(search, 'tree/field', [name], expectations[kind] ?? kind, describe(value))
  }
  if (node.position !== undefined && !isPosition(node.position)) {
    report(search, 'tree/field', ['position'], 'start and end with line and column', describe(node.position))
  }
}

const expectations: { readonly [Kind in keyof FieldMap]?: string } = {
  id: 'id (1 to 128 characters, no white space or control character, none of < > | `)',
}

function visitChildren(search: Search, node: Candidate, type: NodeType, outside: readonly NodeType[]): void {
  const { children: kind, childCount, without } = content[type]
  const { children } = node
  const { path, ancestors, isStrict } = search
  if (!Array.isArray(children) || kind === null) {
    report(search, 'tree/field', ['children'], 'array', describe(children))
    return
  }
  if (childCount !== undefined && children.length !== childCount) {
    report(search, 'tree/field', ['children'], `exactly ${childCount} ${kind}`, `${children.length} children`)
  }
  const inside = without === undefined || !isStrict ? outside : [...outside, without]
  const { length } = path
  ancestors.add(node)
  for (let index = 0; index < children.length && search.roomLeft > 0; index += 1) {
    path[length] = 'children'
    path[length + 1] = index
    visit(search, children[index], kind, inside)
    path.length = length
  }
  ancestors.delete(node)
}

function report(search: Search, code: ErrorCode, keys: readonly string[], expected: string, received: string): void {
  const path = [...search.path, ...keys]
  if (search.roomLeft > 0) search.problems.push({ code, path, expected, received })
  search.roomLeft -= path.length + 1
}
