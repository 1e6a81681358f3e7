/**
 * The text area, and below it the same text, invisible and in the same positions. That text has the marks, and shows
 * which character is under the pointer, which a text area does not tell. It shows no colored text, because in long texts a
 * typed character would then appear only after a pause.
 */

import { byID, element } from './element.js'

/** A part of the text, from `start` to `end`, which is excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Editor {
  readonly text: string
  /** Shows another text. It was not typed, but it can be undone. */
  open(text: string): void
  /** Replaces a part, so that it can be undone. */
  replace(span: Span, text: string): void
  select(span: Span): void
  /** Marks the given spans, and the one that the reader points at. */
  paint(found: readonly Span[], here: Span | null): void
}

interface Listeners {
  /** The text is another one, because it was typed or opened. */
  readonly onText: (isTyped: boolean) => void
  /** The reader points at another character, or moves the caret before it. */
  readonly onCharacter: (offset: number) => void
}

/** Takes over the text area of the document. */
export function createEditor({ onText, onCharacter }: Listeners): Editor {
  const area = byID('source', HTMLTextAreaElement)
  const backdrop = byID('backdrop', HTMLDivElement)
  const follow = (): void => {
    backdrop.scrollTop = area.scrollTop
  }
  let isOpening = false
  area.addEventListener('input', () => onText(!isOpening))
  area.addEventListener('scroll', follow)
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) onCharacter(area.selectionStart)
  })
  area.addEventListener('mousemove', ({ clientX, clientY }) => {
    const offset = offsetAt(area, backdrop, clientX, clientY)
    if (offset !== null) onCharacter(offset)
  })
  const replace = ({ start, end }: Span, text: string): void => {
    area.focus()
    area.setSelectionRange(start, end)
    // Only this way can be undone.
    if (!document.execCommand(text === '' ? 'delete' : 'insertText', false, text))
      area.setRangeText(text, start, end, 'end')
    onText(!isOpening)
  }
  return {
    get text() {
      return area.value
    },
    open(text) {
      const before = document.activeElement
      isOpening = true
      // An empty text needs no undo.
      if (area.value === '') area.value = text
      else if (area.value !== text) replace({ start: 0, end: area.value.length }, text)
      onText(false)
      isOpening = false
      area.setSelectionRange(0, 0)
      if (before instanceof HTMLElement) before.focus()
    },
    replace,
    select({ start, end }) {
      area.focus()
      area.setSelectionRange(start, end)
    },
    paint(found, here) {
      // A long text has no marks: a second layout takes longer than a keystroke may.
      if (area.value.length > PAINTED_LENGTH_MAX) return backdrop.replaceChildren()
      backdrop.replaceChildren(...painted(area.value, found, here))
      follow()
    },
  }
}

const PAINTED_LENGTH_MAX = 100_000

/** Splits the text at the marks. The line ending at the end keeps the last line's height. */
function painted(text: string, found: readonly Span[], here: Span | null): (string | Node)[] {
  // The number of spans that start minus those that end there.
  const edges = new Map([[0, 0]])
  const count = (at: number, by: number): void => {
    const edge = Math.min(at, text.length)
    edges.set(edge, (edges.get(edge) ?? 0) + by)
  }
  for (const { start, end } of found) {
    count(start, 1)
    count(end, -1)
  }
  for (const at of [here?.start ?? 0, here?.end ?? 0, text.length]) count(at, 0)
  const sorted = [...edges].sort(([one], [other]) => one - other)
  let open = 0
  const pieces = sorted.slice(1).map(([end], index) => {
    const [start, change] = sorted[index] ?? [0, 0]
    open += change
    const piece = text.slice(start, end)
    if (here !== null && here.start <= start && end <= here.end) return element('mark', { class: 'here' }, piece)
    return open > 0 ? element('mark', {}, piece) : piece
  })
  return [...pieces, '\n']
}

/** Returns the offset of the character under a point. */
function offsetAt(area: HTMLElement, backdrop: HTMLElement, x: number, y: number): number | null {
  area.style.pointerEvents = 'none'
  const [node, offset] = caretAt(x, y)
  area.style.pointerEvents = ''
  if (!(node instanceof Text) || !backdrop.contains(node)) return null
  for (const at of [offset, offset - 1]) {
    if (at >= 0 && at < node.data.length && isInside(node, at, x, y)) return offsetOf(backdrop, node) + at
  }
  return null
}

function caretAt(x: number, y: number): readonly [Node | null, number] {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y)
    return [position?.offsetNode ?? null, position?.offset ?? 0]
  }
  // Safari has this function instead.
  const range = (document as Document).caretRangeFromPoint(x, y)
  return [range?.startContainer ?? null, range?.startOffset ?? 0]
}

function isInside(node: Text, at: number, x: number, y: number): boolean {
  const range = document.createRange()
  range.setStart(node, at)
  range.setEnd(node, at + 1)
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
  )
}

function offsetOf(backdrop: HTMLElement, node: Text): number {
  const walker = document.createTreeWalker(backdrop, NodeFilter.SHOW_TEXT)
  let offset = 0
  for (let next = walker.nextNode(); next !== null && next !== node; next = walker.nextNode()) {
    offset += next.textContent?.length ?? 0
  }
  return offset
}
