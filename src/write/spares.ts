/** Spare stars: formatting in another of its kind is none (§4), so that more stars than needed change nothing but a run's length. */
import type { Formatting } from '../tree.js'

/** How many ways there are to spell emphasis and strong. */
export const SPARES: number = 3

const NONE = ['', ''] as const

/**
 * The spare stars of a node, outside and inside of its own. Lengths matter to the rule of three, and to what closes late, as
 * in `**"a ***(b)***c**`.
 *
 * @param open - the formatting around the node
 * @param spares - which way each node is spelled; 0, as most are, without any
 */
export function sparesOf(
  node: Formatting,
  open: readonly Formatting[],
  spares: ReadonlyMap<object, number> | undefined,
): readonly [outer: string, inner: string] {
  const count = spares?.get(node) ?? 0
  if (count === 0 || (node.type === 'emphasis' && !holds(open, 'strong'))) return NONE
  if (node.type === 'strong' && count === 2 && holds(open, 'emphasis')) return ['*', '']
  return ['', '*'.repeat(2 * count)]
}

/**
 * The stars around code in strong or emphasis that more code follows directly: those of formatting in another of its kind.
 * Without them the backticks between would be one run.
 */
export function starsOf(open: readonly Formatting[]): string {
  return holds(open, 'strong') ? '**' : holds(open, 'emphasis') ? '*' : ''
}

function holds(open: readonly Formatting[], type: Formatting['type']): boolean {
  return open.some((node) => node.type === type)
}
