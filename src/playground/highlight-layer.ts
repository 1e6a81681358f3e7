/**
 * The layer below the text area: the same text in the same positions, with colors and marks. The letters of the text area
 * itself are invisible.
 */

import { byID } from './element.js'

/** A part of the text, from `start` to `end`, which is excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The names of the highlights, the lowest first: colors, `found` (problems), `lost` (losses) and `here` (the pointer's part). */
const names = ['markup', 'code', 'link', 'mention', 'found', 'lost', 'here'] as const

/** A part of the text with the name of its highlight. */
export interface Painted extends Span {
  readonly color: (typeof names)[number]
}

export interface HighlightLayer {
  /** Copies the text of the text area. */
  follow(): void
  /** Shows the colors and marks of the text. */
  paint(parts: readonly Painted[]): void
  /** Marks the part that the reader points at, or none. */
  point(here: Span | null): void
}

export function createHighlightLayer(area: HTMLTextAreaElement, lengthMax: number): HighlightLayer {
  const backdrop = byID('backdrop', HTMLDivElement)
  const textNode = document.createTextNode('')
  backdrop.append(textNode)
  const highlights = createHighlights()
  const add = ({ color, start, end }: Painted): void => {
    const range = document.createRange()
    range.setStart(textNode, Math.min(start, textNode.length))
    range.setEnd(textNode, Math.min(end, textNode.length))
    highlights.get(color)?.add(range)
  }
  const scroll = (): void => {
    backdrop.scrollTop = area.scrollTop
  }
  area.addEventListener('scroll', scroll)
  return {
    follow() {
      backdrop.hidden = area.value.length > lengthMax
      replaceChanged(textNode, backdrop.hidden ? '' : `${area.value}\n`)
      scroll()
    },
    paint(parts) {
      for (const [name, highlight] of highlights) if (name !== 'here') highlight.clear()
      parts.forEach(add)
    },
    point(here) {
      highlights.get('here')?.clear()
      if (here !== null) add({ color: 'here', ...here })
    },
  }
}

/** Registers the highlights. In older browsers, which have none, the letters of the text area are visible. */
function createHighlights(): ReadonlyMap<string, Highlight> {
  if (!('highlights' in CSS)) return new Map()
  for (const [priority, name] of names.entries()) CSS.highlights.set(name, Object.assign(new Highlight(), { priority }))
  return CSS.highlights
}

/** Replaces only the part that differs, so that the colors of the other parts move with their text. */
function replaceChanged(node: Text, text: string): void {
  const before = node.data
  const most = Math.min(before.length, text.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === text[start]) start += 1
  while (end < most - start && before.at(-1 - end) === text.at(-1 - end)) end += 1
  node.replaceData(start, before.length - start - end, text.slice(start, text.length - end))
}
