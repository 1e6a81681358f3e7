/**
 * What stands at the ends of formatting. A marker is not read beside some marks of punctuation (§4); what can not stand
 * with them can often stand without, which is nearer to what was meant than no formatting at all.
 */
import { lengthAt, lengthBefore, PUNCTUATION, traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import type { Formatting, Phrasing } from '../tree.js'

/** Nodes without the punctuation and the white space at their ends, as far as that is text and not all of it. */
export function trim(children: readonly Phrasing[]): { head: string; inside: readonly Phrasing[]; tail: string } {
  const inside = [...children]
  let [head, tail] = ['', '']
  const first = inside.at(0)
  if (first?.type === 'text') {
    const start = startOfWords(first.value)
    head = first.value.slice(0, start)
    inside[0] = { ...first, value: first.value.slice(start) }
  }
  const last = inside.at(-1)
  if (last?.type === 'text') {
    const end = endOfWords(last.value)
    tail = last.value.slice(end)
    inside[inside.length - 1] = { ...last, value: last.value.slice(0, end) }
  }
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
