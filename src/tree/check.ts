/** The one definition of a tree, made of the table of §5: a function that takes a tree asks here first, and then trusts it. */
import { describe, UNREADABLE } from '../describe.js'
import { type ErrorCode, type Problem, throwProblems } from '../errors.js'
import { type AnyNode, type ChildKind, type Content, content, type FieldMap, type NodeType } from '../tree.js'

/** Parsed trees have at most 14 levels. The limit lets every reader of a tree recurse. */
export const LEVELS_MAX = 500

/**
 * Up to this number of nodes, a parent may be in several places. In a larger tree that is an error: if each level of parents has
 * its children in two places, 60 levels are 2^60 nodes.
 */
export const SHARING_MAX: number = 2 ** 20

/**
 * Throws unless a value is a tree that can be read. The rest of §5 is for `assertTree`: `normalize` repairs a break in a heading, a
 * link in a link and an id with a space, and positions do not matter.
 *
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth`, with the path of the first problem
 */
export function checkTree(value: unknown): void {
  throwProblems(findProblems(value, 'root', null))
}

/** Whether a mention or a file can have this id (§2). */
export function isID(value: string): boolean {
  return /^[^\p{Z}\p{Cc}<>|`]{1,128}$/u.test(value)
}

/** Whether a mention or a file can have this label (§2). */
export function isLabel(value: string): boolean {
  return /^[^\p{Cc}<>|`]{0,256}$/u.test(value)
}

/** A node, perhaps. */
export interface Candidate {
  readonly type?: unknown
  readonly children?: unknown
  readonly position?: unknown
  readonly [field: string]: unknown
}

/** A row of the table of §5, prepared for the check. */
interface Row extends Omit<Content<NodeType>, 'fields'> {
  readonly type: NodeType
  readonly fields: readonly (readonly [name: string, kind: keyof FieldMap])[]
}

/** The rows by type. A map, because the type of an unchecked value may be any value. */
const rows: ReadonlyMap<unknown, Row> = /* @__PURE__ */ createRows()

function createRows(): Map<unknown, Row> {
  return new Map(
    // The table has a row for each type.
    (Object.entries(content) as [NodeType, Content<NodeType>][]).map(([type, row]) => [
      type,
      { ...row, type, fields: Object.entries(row.fields) },
    ]),
  )
}

/** Whether a field has a value of its kind. Absent, undefined and null mean the same in mdast. */
function isOfKind(value: unknown, kind: keyof FieldMap): boolean {
  switch (kind) {
    case '1 or 2':
      return value === 1 || value === 2
    case 'false':
      return value === false || (value ?? null) === null
    case 'id':
    case 'string':
      return typeof value === 'string'
    default:
      return typeof value === 'string' || (value ?? null) === null
  }
}

/** Whether the fields of a node are right; its children are not looked at. */
export function fieldsFit(node: AnyNode): boolean {
  for (const [name, kind] of (rows.get(node.type) as Row).fields) {
    if (!isOfKind((node as Candidate)[name], kind)) return false
  }
  return true
}

/** The rest of §5, which `normalize` repairs. */
export interface Strictness {
  /** Reports the fields of a node that have values of the right kinds, but invalid ones. */
  readonly checkFields: (node: Candidate, type: NodeType, search: Search) => void
  /** How many problems, and keys in their paths, there may be: one in each node of a deep tree would fill the memory. */
  readonly room: number
}

/** A search for problems. */
export interface Search {
  readonly problems: Problem[]
  readonly strictness: Strictness | null
  /** The nodes around the value that is looked at, and the keys and indexes that lead to it. */
  readonly ancestors: unknown[]
  readonly path: (string | number)[]
  nodeCount: number
  /** Parents that were visited. Empty up to the first {@link SHARING_MAX} nodes. */
  readonly parents: Set<unknown>
  roomLeft: number
}

/** Finds the first problem of a value where a node is expected; with strictness all problems. */
export function findProblems(value: unknown, type: NodeType, strictness: Strictness | null): Problem[] {
  const roomLeft = strictness?.room ?? 1
  const search: Search = {
    ...{ problems: [], strictness, ancestors: [], path: [] },
    ...{ nodeCount: 0, parents: new Set(), roomLeft },
  }
  visit(search, value, type, [])
  return search.problems
}

/** Looks at a value where a node of a kind is expected, but none of the types `without`. */
function visit(search: Search, value: unknown, kind: ChildKind, without: readonly NodeType[]): void {
  const { ancestors, path } = search
  const depth = ancestors.length
  try {
    const node: Candidate | null = isObject(value) ? value : null
    const row = rows.get(node?.type)
    search.nodeCount += 1
    if (node === null || !row || (row.type !== kind && row.group !== kind) || without.includes(row.type)) {
      const expected = without.length > 0 ? `${kind} without ${without.join(' or ')}` : kind
      report(search, 'child', expected, describe(value))
    } else if (row.children !== null && ancestors.includes(node)) {
      report(search, 'cycle', 'tree', `${row.type} inside itself`)
    } else if (depth === LEVELS_MAX) {
      report(search, 'depth', `at most ${LEVELS_MAX} levels`, `${row.type} on level ${LEVELS_MAX + 1}`)
    } else if (row.children !== null && isRepeated(search, node)) {
      report(search, 'cycle', 'tree', `${row.type} in several places of more than ${SHARING_MAX} nodes`)
      search.roomLeft = 0
    } else {
      visitFields(search, node, row)
      if (row.children !== null) visitChildren(search, node, row, row.children, without)
    }
  } catch {
    // It may have thrown between two of its children.
    ancestors.length = depth
    path.length = 2 * depth
    report(search, 'child', kind, UNREADABLE)
  }
}

/** Whether a parent of a large tree has been visited before. */
function isRepeated({ nodeCount, parents }: Search, node: Candidate): boolean {
  if (nodeCount <= SHARING_MAX) return false
  if (parents.has(node)) return true
  // A set has a limit too.
  if (parents.size === SHARING_MAX) parents.clear()
  parents.add(node)
  return false
}

function isObject(value: unknown): value is Candidate {
  return typeof value === 'object' && value !== null
}

function visitFields(search: Search, node: Candidate, { type, fields }: Row): void {
  for (const [name, kind] of fields) {
    if (!isOfKind(node[name], kind)) report(search, 'field', kind, describe(node[name]), name)
  }
  search.strictness?.checkFields(node, type, search)
}

function visitChildren(
  search: Search,
  node: Candidate,
  { childCount, without }: Row,
  kind: ChildKind,
  outside: readonly NodeType[],
): void {
  const { ancestors, path, strictness } = search
  const { children } = node
  if (!Array.isArray(children)) {
    report(search, 'field', 'array', describe(children), 'children')
    return
  }
  if (childCount !== undefined && children.length !== childCount) {
    report(search, 'field', `exactly ${childCount} ${kind}`, `${children.length} children`, 'children')
  }
  const inside = without === undefined || strictness === null ? outside : [...outside, without]
  ancestors.push(node)
  const last = path.push('children', 0) - 1
  for (let index = 0; index < children.length && search.roomLeft > 0; index += 1) {
    path[last] = index
    visit(search, children[index], kind, inside)
  }
  path.pop()
  path.pop()
  ancestors.pop()
}

type TreeCode<Code> = Code extends `tree/${infer Kind}` ? Kind : never

/** Adds a problem of the current value, or of one of its fields. */
export function report(
  search: Search,
  code: TreeCode<ErrorCode>,
  expected: string,
  received: string,
  ...field: string[]
): void {
  const { problems, path } = search
  if (search.roomLeft > 0) problems.push({ code: `tree/${code}`, path: [...path, ...field], expected, received })
  search.roomLeft -= path.length + 1
}
