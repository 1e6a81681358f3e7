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

/** The names of the highlights, the lowest first: colors, `found` (problems), `lost` (losses) and `here` (see `point`). */
const highlightNames = ['markup', 'code', 'link', 'mention', 'found', 'lost', 'here'] as const

/** A part of the text with the name of its highlight. */
export interface ColorSpan extends Span {
  readonly color: (typeof highlightNames)[number]
}

export interface HighlightLayer {
  /** Copies the text of the text area. */
  follow(): void
  /** Shows the colors and marks of the text. */
  paint(parts: readonly ColorSpan[]): void
  /** Marks the part that the reader points at, or none. */
  point(here: Span | null): void
}

export function createHighlightLayer(area: HTMLTextAreaElement, lengthMax: number): HighlightLayer {
  const backdrop = byID('backdrop', HTMLDivElement)
  const textNode = document.createTextNode('')
  backdrop.append(textNode)
  const highlights = createHighlights()
  /** Replaces the parts of a highlight. Ranges move with their text, so most ranges are already at the right offsets. */
  const replaceParts = (highlight: Highlight | undefined, parts: readonly Span[]): void => {
    const oldRanges = new Map(
      Array.from(highlight ?? [], (range) => [`${range.startOffset} ${range.endOffset}`, range]),
    )
    for (const part of parts) {
      const [start, end] = [Math.min(part.start, textNode.length), Math.min(part.end, textNode.length)]
      if (oldRanges.delete(`${start} ${end}`)) continue
      const range = document.createRange()
      range.setStart(textNode, start)
      range.setEnd(textNode, end)
      highlight?.add(range)
    }
    for (const range of oldRanges.values()) highlight?.delete(range)
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
      for (const name of highlightNames) {
        const partsOfColor = parts.filter(({ color }) => color === name)
        if (name !== 'here') replaceParts(highlights.get(name), partsOfColor)
      }
    },
    point: (here) => replaceParts(highlights.get('here'), here === null ? [] : [here]),
  }
}

/** Registers the highlights. In older browsers, which have none, the letters of the text area are visible. */
function createHighlights(): ReadonlyMap<string, Highlight> {
  if (!('highlights' in CSS)) return new Map()
  for (const [priority, name] of highlightNames.entries())
    CSS.highlights.set(name, Object.assign(new Highlight(), { priority }))
  return CSS.highlights
}

/** Replaces only the part that differs, so that the colors of the other parts move with their text. */
function replaceChanged(node: Text, text: string): void {
  const oldText = node.data
  const commonLengthMax = Math.min(oldText.length, text.length)
  let [start, end] = [0, 0]
  while (start < commonLengthMax && oldText[start] === text[start]) start += 1
  while (end < commonLengthMax - start && oldText.at(-1 - end) === text.at(-1 - end)) end += 1
  node.replaceData(start, oldText.length - start - end, text.slice(start, text.length - end))
}
