/** The rest of §5, for trees that are built, and for `assertTree`: ids, positions, and nodes that are forbidden at any depth. */
import { describe } from '../describe.js'
import type { Problem } from '../errors.js'
import { content, type FieldMap, type NodeType } from '../tree.js'
import { type Candidate, findProblems, isID, report, type Strictness } from './check.js'

/** Finds everything that keeps a value from being a node of §5. */
export function problemsOf(value: unknown, type: NodeType): Problem[] {
  return findProblems(value, type, strictness)
}

const strictness: Strictness = {
  room: 1_500_000,
  checkFields(search, outer, node, type) {
    const fields: Readonly<Record<string, keyof FieldMap>> = content[type].fields
    for (const name in fields) {
      const value = node[name]
      const isWrong = fields[name] === 'id' && typeof value === 'string' && !isID(value)
      if (isWrong) report(search, outer, 'field', ID, describe(value), name)
    }
    if (hasPosition(node)) return
    report(search, outer, 'field', 'start and end with line and column', describe(node.position), 'position')
  },
}

const ID = 'id (1 to 128 characters, no white space or control character, none of < > | `)'

/** Whether a node has a position as unist defines it, or none. */
export function hasPosition({ position }: { readonly position?: unknown }): boolean {
  if (position === undefined) return true
  if (!isObject(position)) return false
  const { start, end } = position as { start?: unknown; end?: unknown }
  return isPoint(start) && isPoint(end)
}

function isPoint(value: unknown): boolean {
  if (!isObject(value)) return false
  const { line, column, offset } = value
  return isCount(line, 1) && isCount(column, 1) && (offset === undefined || isCount(offset, 0))
}

function isObject(value: unknown): value is Candidate {
  return typeof value === 'object' && value !== null
}

function isCount(value: unknown, least: number): boolean {
  return Number.isInteger(value) && (value as number) >= least
}
