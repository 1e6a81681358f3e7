/**
 * The text below the text area: the same text in the same positions, with colors and marks. The letters of the text area
 * are invisible.
 */

import { byID } from './element.js'

/** A part of the text, from `start` to `end`, which is excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The highlights by name, the lowest first: colors, then `found` for problems and `lost` for losses, and `here` for the reader's part. */
const names = ['markup', 'code', 'link', 'mention', 'found', 'lost', 'here'] as const

/** A part of the text with the name of its highlight. */
export interface Painted extends Span {
  readonly color: (typeof names)[number]
}

export interface HighlightLayer {
  /** Takes over the text of the text area. */
  follow(): void
  /** Shows the colors and marks of the text. */
  paint(parts: readonly Painted[]): void
  /** Marks the part that the reader points at, or none. */
  point(here: Span | null): void
}

export function createHighlightLayer(area: HTMLTextAreaElement, lengthMax: number): HighlightLayer {
  const backdrop = byID('backdrop', HTMLDivElement)
  const below = document.createTextNode('')
  backdrop.append(below)
  const highlights = createHighlights()
  const add = ({ color, start, end }: Painted): void => {
    const range = document.createRange()
    range.setStart(below, Math.min(start, below.length))
    range.setEnd(below, Math.min(end, below.length))
    highlights.get(color)?.add(range)
  }
  const scroll = (): void => {
    backdrop.scrollTop = area.scrollTop
  }
  area.addEventListener('scroll', scroll)
  return {
    follow() {
      backdrop.hidden = area.value.length > lengthMax
      replaceChanged(below, backdrop.hidden ? '' : `${area.value}\n`)
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

/** Older browsers have no highlights: there, the letters of the text area are visible. */
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
