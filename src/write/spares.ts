/** Spare stars: formatting in another of its kind is none (§4), so that more stars than needed change nothing but a run's length. */
import type { Formatting } from '../tree.js'

/** How many ways there are to spell emphasis and strong. */
export const SPARES: number = 6

/** Stars before and behind a node, and inside of its own. */
interface Spares {
  readonly before: string
  readonly inside: string
  readonly behind: string
}

const NONE: Spares = { before: '', inside: '', behind: '' }

/**
 * The spare stars of a node. Lengths matter to the rule of three, and to what closes late, as in `**"a ***(b)***c**`; and
 * where what is around it ends and begins again, as in `***a**b****c***`, a run closes something before it opens.
 *
 * @param open - the formatting around the node
 * @param spares - which way each node is spelled; 0, as most are, without any
 */
export function sparesOf(
  node: Formatting,
  open: readonly Formatting[],
  spares: ReadonlyMap<object, number> | undefined,
): Spares {
  const way = spares?.get(node) ?? 0
  if (way === 0) return NONE
  if (way > 2) return { before: way === 4 ? '' : again(open), inside: '', behind: way === 3 ? '' : again(open) }
  if (node.type === 'emphasis' && !holds(open, 'strong')) return NONE
  if (node.type === 'strong' && way === 2 && holds(open, 'emphasis')) return { before: '*', inside: '', behind: '*' }
  return { before: '', inside: '*'.repeat(2 * way), behind: '' }
}

/** Ends what a node stands in, and begins it again: two of a kind side by side are one (§4). */
function again(open: readonly Formatting[]): string {
  const type = open.at(-1)?.type
  return type === 'strong' ? '****' : type === 'emphasis' ? '**' : ''
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
