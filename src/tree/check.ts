/** Checks trees against the table of §5. Every function that takes a tree calls a check first, and then trusts the tree. */
import { describe, UNREADABLE } from '../describe.js'
import { type ErrorCode, type Problem, throwProblems } from '../errors.js'
import { type AnyNode, type ChildKind, type Content, content, type FieldMap, type NodeType } from '../tree.js'

/** Maximum number of levels of a tree, so that functions that read a tree can recurse. Parsed trees have at most 14 levels. */
export const LEVELS_MAX = 500

/**
 * Up to this number of nodes, a parent may be in several places of a tree. In a larger tree that is an error: if each level has the
 * same parent twice, 60 levels are 2^60 nodes.
 */
export const SHARING_MAX: number = 2 ** 20

/**
 * Throws unless a value is a tree that can be read. Only `assertTree` and the builders check the rest of §5: `normalize` repairs a
 * break in a heading, a link in a link and an id with a space, and wrong positions do no harm.
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

/** A value that may be a node. */
export interface Candidate {
  readonly type?: unknown
  readonly children?: unknown
  readonly position?: unknown
  readonly [field: string]: unknown
}

/** The rows of the table of §5, in a map, because the type of an unchecked value may be any value. */
const rowsByType: ReadonlyMap<unknown, Content<NodeType>> = /* @__PURE__ */ createRows()

function createRows(): Map<unknown, Content<NodeType>> {
  return new Map(Object.entries(content))
}

/** Returns the group of a node type; undefined for any other value. */
export function groupOf(type: unknown): Content<NodeType>['group'] | undefined {
  return rowsByType.get(type)?.group
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

/** Whether the fields of a node have values of the right kinds. Its children are not checked. */
export function fieldsFit(node: AnyNode): boolean {
  const { fields } = rowsByType.get(node.type) as Content<NodeType>
  for (const name in fields) if (!isOfKind((node as Candidate)[name], kindOf(fields, name))) return false
  return true
}

function kindOf(fields: Content<NodeType>['fields'], name: string): keyof FieldMap {
  return (fields as Readonly<Record<string, keyof FieldMap>>)[name] as keyof FieldMap
}

/** Additional checks for faults that `normalize` would repair. */
export interface Strictness {
  /** Reports the fields of a node that have values of the right kinds, but invalid ones. */
  readonly checkFields: (search: Search, outer: Parent | null, node: Candidate, type: NodeType) => void
  /** Maximum number of problems plus keys in their paths. Without it, a problem in each node of a deep tree would fill the memory. */
  readonly pathKeysMax: number
}

/** A search for problems. */
export interface Search {
  readonly problems: Problem[]
  readonly strictness: Strictness | null
  nodeCount: number
  /** Parents that were visited. Empty up to the first {@link SHARING_MAX} nodes. */
  readonly parents: Set<unknown>
  pathKeysLeft: number
}

/** A parent around the value that is checked. */
export interface Parent {
  readonly node: Candidate
  readonly level: number
  readonly outer: Parent | null
  /** The index of the child that is checked. */
  index: number
}

/** Finds the first problem of a value that must be a node of this type; if `strictness` is given, all problems up to its limit. */
export function findProblems(value: unknown, type: NodeType, strictness: Strictness | null): Problem[] {
  const problems: Problem[] = []
  const search = { problems, strictness, nodeCount: 0, parents: new Set(), pathKeysLeft: strictness?.pathKeysMax ?? 1 }
  visit(search, value, type, [], null)
  return problems
}

/** Checks a value that must be a node of a kind, but not of one of the types `without`. */
function visit(
  search: Search,
  value: unknown,
  kind: ChildKind,
  without: readonly NodeType[],
  outer: Parent | null,
): void {
  try {
    const node = isObject(value) ? value : null
    const type = node?.type as NodeType
    const level = outer === null ? 1 : outer.level + 1
    search.nodeCount += 1
    // Half of all nodes are valid text nodes, for which the checks below would take several times as long.
    const isPlainText = type === 'text' && kind === 'phrasing' && typeof node?.['value'] === 'string'
    if (isPlainText && level <= LEVELS_MAX && search.strictness === null) return
    const row = rowsByType.get(type)
    if (node === null || !row || (type !== kind && row.group !== kind) || without.includes(type)) {
      const valid = without.length > 0 ? `${kind} without ${without.join(' or ')}` : kind
      report(search, outer, 'child', valid, describe(value))
    } else if (row.children !== null && isInside(node, outer)) {
      report(search, outer, 'cycle', 'tree', `${type} inside itself`)
    } else if (level > LEVELS_MAX) {
      report(search, outer, 'depth', `at most ${LEVELS_MAX} levels`, `${type} on level ${level}`)
    } else if (row.children !== null && isRepeated(search, node)) {
      report(search, outer, 'cycle', 'tree', `${type} in several places of more than ${SHARING_MAX} nodes`)
      search.pathKeysLeft = 0
    } else {
      for (const name in row.fields) {
        const field = kindOf(row.fields, name)
        if (!isOfKind(node[name], field)) report(search, outer, 'field', field, describe(node[name]), name)
      }
      search.strictness?.checkFields(search, outer, node, type)
      if (row.children !== null) visitChildren(search, row, row.children, without, { node, level, outer, index: 0 })
    }
  } catch {
    report(search, outer, 'child', kind, UNREADABLE)
  }
}

function isObject(value: unknown): value is Candidate {
  return typeof value === 'object' && value !== null
}

/** Whether a value is an array. `Array.isArray` does not narrow a readonly array, and throws on a revoked proxy. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

function isInside(node: Candidate, outer: Parent | null): boolean {
  let parent = outer
  while (parent !== null && parent.node !== node) parent = parent.outer
  return parent !== null
}

/** Whether a parent of a large tree has been visited before. Records the parent. Returns false in a small tree. */
function isRepeated({ nodeCount, parents }: Search, node: Candidate): boolean {
  if (nodeCount <= SHARING_MAX) return false
  if (parents.has(node)) return true
  // The set is emptied when it is full, because it must not grow without limit.
  if (parents.size === SHARING_MAX) parents.clear()
  parents.add(node)
  return false
}

function visitChildren(
  search: Search,
  { childCount, without }: Content<NodeType>,
  kind: ChildKind,
  outerTypes: readonly NodeType[],
  parent: Parent,
): void {
  const { node, outer } = parent
  const { children } = node
  if (!Array.isArray(children)) {
    report(search, outer, 'field', 'array', describe(children), 'children')
    return
  }
  const { length } = children
  if (childCount !== undefined && length !== childCount) {
    report(search, outer, 'field', `exactly ${childCount} ${kind}`, `${length} children`, 'children')
  }
  const forbiddenTypes = without === undefined || search.strictness === null ? outerTypes : [...outerTypes, without]
  for (; parent.index < children.length && search.pathKeysLeft > 0; parent.index += 1) {
    visit(search, children[parent.index], kind, forbiddenTypes, parent)
  }
}

type TreeCode<Code> = Code extends `tree/${infer Kind}` ? Kind : never

/** Adds a problem of the current child of `outer`, or of one of the child's fields. */
export function report(
  search: Search,
  outer: Parent | null,
  code: TreeCode<ErrorCode>,
  valid: string,
  received: string,
  ...path: (string | number)[]
): void {
  for (let parent = outer; parent !== null; parent = parent.outer) path.unshift('children', parent.index)
  if (search.pathKeysLeft > 0) search.problems.push({ code: `tree/${code}`, path, valid, received })
  search.pathKeysLeft -= path.length + 1
}
