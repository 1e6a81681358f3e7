/**
 * The text below the text area: the same text in the same positions, with colors and marks. The letters of the text area
 * are invisible.
 */

import { byID, element } from './element.js'

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
  /** Shows the colors and marks of a text, unless the text is another one by now. */
  paint(text: string, parts: readonly Painted[]): void
  /** Marks the part that the reader points at, or none. */
  point(here: Span | null): void
}

/** A longer text has no colors and marks: a second layout takes longer than a keystroke may. */
const PAINTED_LENGTH_MAX = 100_000

/**
 * Creates the text below the text area: an element for each line, so that only changed lines are laid out again. Only lines
 * in view have highlights, because a browser goes through all of them after each change.
 */
export function createHighlightLayer(area: HTMLTextAreaElement): HighlightLayer {
  const backdrop = byID('backdrop', HTMLDivElement)
  let lines: readonly Text[] = []
  let painted: PaintedLines = new Map()
  let here: PaintedLines = new Map()
  const highlights = createHighlights()
  const color = (): void => {
    for (const highlight of highlights.values()) highlight.clear()
    for (const line of inView(backdrop, lines)) {
      for (const part of [...(painted.get(line) ?? []), ...(here.get(line) ?? [])]) {
        const range = document.createRange()
        range.setStart(line, Math.min(part.start, line.length))
        range.setEnd(line, Math.min(part.end, line.length))
        highlights.get(part.color)?.add(range)
      }
    }
  }
  const scroll = (): void => {
    backdrop.scrollTop = area.scrollTop
    color()
  }
  area.addEventListener('scroll', scroll)
  new ResizeObserver(scroll).observe(area)
  return {
    follow() {
      backdrop.hidden = area.value.length > PAINTED_LENGTH_MAX
      lines = replaceLines(backdrop, lines, backdrop.hidden ? [] : area.value.split('\n'))
      backdrop.scrollTop = area.scrollTop
    },
    paint(text, parts) {
      if (text !== area.value) return
      painted = byLine(lines, parts)
      color()
    },
    point(span) {
      here = byLine(lines, span === null ? [] : [{ color: 'here', ...span }])
      color()
    },
  }
}

/** The parts of each line, with their offsets in it. */
type PaintedLines = ReadonlyMap<Text, readonly Painted[]>

/** Splits parts at line ends. */
function byLine(lines: readonly Text[], parts: readonly Painted[]): PaintedLines {
  const starts = startsOf(lines)
  const all = new Map(lines.map((line): [Text, Painted[]] => [line, []]))
  for (const part of parts) {
    let index = lastIndex(lines.length, (each) => (starts[each] ?? 0) <= part.start)
    for (; index < lines.length; index += 1) {
      const [line, start] = [lines[index], starts[index] ?? 0]
      if (line === undefined || start >= part.end) break
      const [from, to] = [Math.max(part.start - start, 0), Math.min(part.end - start, line.length)]
      all.get(line)?.push({ color: part.color, start: from, end: to })
    }
  }
  return all
}

function inView(backdrop: HTMLElement, lines: readonly Text[]): readonly Text[] {
  const top = (index: number): number => lines[index]?.parentElement?.offsetTop ?? 0
  const { scrollTop, clientHeight } = backdrop
  const first = lastIndex(lines.length, (index) => top(index) <= scrollTop)
  const last = lastIndex(lines.length, (index) => top(index) <= scrollTop + clientHeight)
  return lines.slice(first, last + 1)
}

/** Returns the last index for which a condition holds that holds for all before it; 0 if it holds for none. */
function lastIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

/** Older browsers have no highlights: there, the letters of the text area are visible. */
function createHighlights(): ReadonlyMap<string, Highlight> {
  if (!('highlights' in CSS)) return new Map()
  for (const [priority, name] of names.entries()) CSS.highlights.set(name, Object.assign(new Highlight(), { priority }))
  return CSS.highlights
}

/** Shows other lines, each with its line ending. Those that stay keep their nodes, and so their colors. */
function replaceLines(parent: Element, before: readonly Text[], texts: readonly string[]): readonly Text[] {
  const isSame = (line: Text | undefined, text = ''): boolean =>
    line?.length === text.length + 1 && line.data.startsWith(text)
  const most = Math.min(before.length, texts.length)
  let [first, last] = [0, 0]
  while (first < most && isSame(before[first], texts[first])) first += 1
  while (last < most - first && isSame(before.at(-1 - last), texts.at(-1 - last))) last += 1
  const kept = before.slice(first, before.length - last)
  const after = before[before.length - last]?.parentNode ?? null
  const changed = texts.slice(first, texts.length - last).map((text, index) => {
    const line = kept[index]
    if (line !== undefined) {
      replaceChanged(line, `${text}\n`)
      return line
    }
    const added = document.createTextNode(`${text}\n`)
    parent.insertBefore(element('div', {}, added), after)
    return added
  })
  for (const line of kept.slice(changed.length)) line.parentElement?.remove()
  return [...before.slice(0, first), ...changed, ...before.slice(before.length - last)]
}

/** Replaces only the part that differs, so that the ranges of the other parts move with their text. */
function replaceChanged(node: Text, text: string): void {
  const before = node.data
  const most = Math.min(before.length, text.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === text[start]) start += 1
  while (end < most - start && before.at(-1 - end) === text.at(-1 - end)) end += 1
  node.replaceData(start, before.length - start - end, text.slice(start, text.length - end))
}

function startsOf(lines: readonly Text[]): readonly number[] {
  let at = 0
  return lines.map((line) => {
    at += line.length
    return at - line.length
  })
}
