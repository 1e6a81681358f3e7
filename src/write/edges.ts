/**
 * What stands at the ends of formatting. A marker is not read beside some marks of punctuation (§4); what can not stand
 * with them can often stand without, which is nearer to what was meant than no formatting at all.
 */
import { lengthAt, lengthBefore, PUNCTUATION, traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import type { Formatting, Phrasing } from '../tree.js'

/** Nodes without the punctuation and the white space at their ends, as far as that is text and not all of it. */
export function trim(children: readonly Phrasing[]): { head: string; inside: readonly Phrasing[]; tail: string } {
  const inside = [...children]
  const first = inside.at(0)
  const head = first?.type === 'text' ? first.value.slice(0, startOfWords(first.value)) : ''
  if (first?.type === 'text') inside[0] = { ...first, value: first.value.slice(head.length) }
  const last = inside.at(-1)
  const tail = last?.type === 'text' ? last.value.slice(endOfWords(last.value)) : ''
  if (last?.type === 'text') inside[inside.length - 1] = { ...last, value: last.value.slice(0, endOfWords(last.value)) }
  return { head, inside, tail }
}

/** Whether there is something in formatting that can be written without the marks at its ends. */
export function canBeTrimmed({ children }: Formatting): boolean {
  const { head, inside, tail } = trim(children)
  return head + tail !== '' && inside.some((node) => node.type !== 'text' || node.value !== '')
}

const EDGE = PUNCTUATION | WHITE_SPACE

function startOfWords(text: string): number {
  let at = 0
  while (at < text.length && (traitsAt(text, at) & EDGE) !== 0) at += lengthAt(text, at)
  return at
}

function endOfWords(text: string): number {
  let at = text.length
  while (at > 0 && (traitsBefore(text, at) & EDGE) !== 0) at -= lengthBefore(text, at)
  return at
}
