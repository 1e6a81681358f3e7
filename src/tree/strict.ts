/** The checks of §5 that only the builders and `assertTree` make: ids, positions, and nodes that an ancestor forbids. */
import { describe } from '../describe.js'
import { type Problem, throwProblems } from '../errors.js'
import { content, type FieldMap, type NodeType, type Root } from '../tree.js'
import { type Candidate, findProblems, isID, report, type Strictness } from './check.js'

/**
 * Throws unless a value is a tree of §5. Use it for trees that were stored or come from another program. A valid tree may still
 * not be in normal form: it may have an empty text node, a URL with spaces or a label with a pipe.
 *
 * @param value - any value; fields that the table of §5 does not name are ignored
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth`, with the problems and their paths. The check
 * stops after 1,500,000 problems and keys of paths together
 * @example
 * const stored: unknown = JSON.parse('{"type":"root","children":[{"type":"break"}]}')
 * assertTree(stored) // => throws BlockmarkError: tree/child: expected block, received break at /children/0
 * @see normalize for the nearest tree that can be written
 */
export function assertTree(value: unknown): asserts value is Root {
  throwProblems(problemsOf(value, 'root'))
}

/** Finds all problems of a value that must be a node of §5. */
export function problemsOf(value: unknown, type: NodeType): Problem[] {
  return findProblems(value, type, strictness)
}

const strictness: Strictness = {
  pathKeysMax: 1_500_000,
  checkFields(search, outer, node, type) {
    const fields: Readonly<Record<string, keyof FieldMap>> = content[type].fields
    for (const name in fields) {
      const value = node[name]
      const isWrong = fields[name] === 'id' && typeof value === 'string' && !isID(value)
      if (isWrong) report(search, outer, 'field', ID, describe(value), name)
    }
    if (isPositionValid(node)) return
    report(search, outer, 'field', 'start and end with line and column', describe(node.position), 'position')
  },
}

const ID = 'id (1 to 128 characters, no white space or control character, none of < > | `)'

/** Whether a node has a position as unist defines it, or no position. */
export function isPositionValid({ position }: { readonly position?: unknown }): boolean {
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
