/** The one definition of a tree, made of the table of §5: a function that takes a tree asks here first, and then trusts it. */
import { describe, UNREADABLE } from '../describe.js'
import { type ErrorCode, type Problem, throwProblems } from '../errors.js'
import {
  type AnyNode,
  type ChildKind,
  type Content,
  content,
  type FieldMap,
  type NodeType,
  type Root,
  typesOf,
} from '../tree.js'

/** Parsed trees have at most 14 levels. The limit lets every reader of a tree recurse. */
export const LEVELS_MAX = 500

/** More nodes than fit into an engine's memory, unless they are the same ones in many places. */
export const NODES_MAX: number = 2 ** 24

/**
 * Throws unless a value is a tree that can be read. The rest of §5 is `assertTree`'s: `normalize` mends a break in a heading, a
 * link in a link and an id with a space, and a position does not matter.
 *
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth`, with the path of the first problem
 */
export function checkTree(value: unknown): asserts value is Root {
  throwProblems(findProblems(value, 'root', false))
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

/** A row of the table of §5, prepared for the check. */
interface Row {
  readonly type: NodeType
  readonly content: Content<NodeType>
  /** The kinds of children that a node of this type can be. */
  readonly kinds: readonly ChildKind[]
  readonly fields: { readonly names: readonly string[]; readonly kinds: readonly (keyof FieldMap)[] }
}

/** By type. A map, because the type of a value may be any value. */
const rows: ReadonlyMap<unknown, Row> = /* @__PURE__ */ createRows()

function createRows(): Map<unknown, Row> {
  // The table has a row for each type.
  const types = Object.keys(content) as NodeType[]
  const all: readonly ChildKind[] = ['block', 'phrasing', ...types]
  return new Map(
    types.map((type) => {
      const kinds = all.filter((kind) => typesOf(kind).includes(type))
      const { fields } = content[type]
      return [
        type,
        { type, content: content[type], kinds, fields: { names: Object.keys(fields), kinds: Object.values(fields) } },
      ]
    }),
  )
}

/** The values of a field. Absent, undefined and null mean the same in mdast. */
const fits: { readonly [Kind in keyof FieldMap]: (value: unknown) => boolean } = {
  '1 or 2': (value) => value === 1 || value === 2,
  false: (value) => value === false || value === undefined || value === null,
  null: isOptionalString,
  id: isString,
  string: isString,
  'string or null': isOptionalString,
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isOptionalString(value: unknown): boolean {
  return typeof value === 'string' || value === undefined || value === null
}

/** Whether the fields of a node have values that they can have; its children are not looked at. */
export function fieldsFit(node: AnyNode): boolean {
  const { names, kinds } = (rows.get(node.type) as Row).fields
  for (let index = 0; index < names.length; index += 1) {
    // There is a kind for each name.
    if (!fits[kinds[index] as keyof FieldMap]((node as Candidate)[names[index] as string])) return false
  }
  return true
}

/** Whether a node has a position as unist defines it, or none. */
export function hasPosition({ position }: { readonly position?: unknown }): boolean {
  return position === undefined || isPosition(position)
}

/** Anything that may be a node. */
interface Candidate {
  readonly type?: unknown
  readonly children?: unknown
  readonly position?: unknown
  readonly [field: string]: unknown
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
  /** The nodes around the value that is looked at, and the index of the child in each that leads to it. */
  readonly ancestors: unknown[]
  readonly indexes: number[]
  nodesLeft: number
  /** The problems, and the keys in their paths, for which there is room. */
  roomLeft: number
}

/** A problem in each node of a deep tree would fill the memory. */
const ROOM_MAX = 1_500_000

function findProblems(value: unknown, type: NodeType, isStrict: boolean): Problem[] {
  const roomLeft = isStrict ? ROOM_MAX : 1
  const search: Search = { problems: [], isStrict, ancestors: [], indexes: [], nodesLeft: NODES_MAX, roomLeft }
  visit(search, value, type, NONE)
  return search.problems
}

const NONE: readonly NodeType[] = []

/** Looks at a value where a node of a kind is expected, but none of the types `without`. */
function visit(search: Search, value: unknown, kind: ChildKind, without: readonly NodeType[]): void {
  const { ancestors } = search
  try {
    const row = isObject(value) ? rows.get(value.type) : undefined
    search.nodesLeft -= 1
    if (!isObject(value) || row === undefined || !row.kinds.includes(kind) || without.includes(row.type)) {
      const expected = without.length > 0 ? `${kind} without ${without.join(' or ')}` : kind
      report(search, 'tree/child', null, expected, describe(value))
    } else if (ancestors.includes(value)) report(search, 'tree/cycle', null, 'tree', `${row.type} inside itself`)
    else if (ancestors.length === LEVELS_MAX) {
      report(search, 'tree/depth', null, `at most ${LEVELS_MAX} levels`, `${row.type} on level ${LEVELS_MAX + 1}`)
    } else if (search.nodesLeft < 0) {
      report(search, 'tree/cycle', null, `at most ${NODES_MAX} nodes`, 'more: some are in many places')
      search.roomLeft = 0
    } else {
      visitFields(search, value, row)
      if (row.content.children !== null) visitChildren(search, value, row.content, row.content.children, without)
    }
  } catch {
    report(search, 'tree/child', null, kind, UNREADABLE)
  }
}

function visitFields(search: Search, node: Candidate, row: Row): void {
  const { names, kinds } = row.fields
  for (let index = 0; index < names.length; index += 1) {
    // There is a kind for each name.
    const name = names[index] as string
    const kind = kinds[index] as keyof FieldMap
    const isValid = fits[kind](node[name]) && (kind !== 'id' || !search.isStrict || isID(node[name] as string))
    if (!isValid) report(search, 'tree/field', name, kind === 'id' ? ID : kind, describe(node[name]))
  }
  if (search.isStrict && !hasPosition(node)) {
    report(search, 'tree/field', 'position', 'start and end with line and column', describe(node.position))
  }
}

const ID = 'id (1 to 128 characters, no white space or control character, none of < > | `)'

function visitChildren(
  search: Search,
  node: Candidate,
  { childCount, without }: Content<NodeType>,
  kind: ChildKind,
  outside: readonly NodeType[],
): void {
  const { ancestors, indexes, isStrict } = search
  const { children } = node
  if (!Array.isArray(children)) {
    report(search, 'tree/field', 'children', 'array', describe(children))
    return
  }
  if (childCount !== undefined && children.length !== childCount) {
    report(search, 'tree/field', 'children', `exactly ${childCount} ${kind}`, `${children.length} children`)
  }
  const inside = without === undefined || !isStrict ? outside : [...outside, without]
  const depth = ancestors.push(node)
  for (let index = 0; index < children.length && search.roomLeft > 0; index += 1) {
    indexes[depth - 1] = index
    visit(search, children[index], kind, inside)
    ancestors.length = depth
  }
  ancestors.length = depth - 1
}

function report(search: Search, code: ErrorCode, field: string | null, expected: string, received: string): void {
  const { problems, ancestors, indexes } = search
  const path = ancestors.flatMap((_, depth) => ['children', indexes[depth] as number])
  if (search.roomLeft > 0) problems.push({ code, path: field === null ? path : [...path, field], expected, received })
  search.roomLeft -= path.length + 1
}
