/** The text area, with the colors and marks that the backdrop below it shows. */

import { byID } from './element.js'
import { createHighlightLayer, type HighlightLayer, type Span } from './highlight-layer.js'

/** Milliseconds without a key, after which everything is drawn that takes longer than a frame. */
export const PAUSE = 250

export interface Editor extends Pick<HighlightLayer, 'paint' | 'point'> {
  readonly text: string
  /** Shows another text. It was not typed, but it can be undone. */
  open(text: string): void
  /** Replaces a part, so that it can be undone. */
  replace(span: Span, text: string): void
  select(span: Span): void
}

interface Listeners {
  /** The text is another one, because it was typed or opened. */
  readonly onText: (isTyped: boolean) => void
  /** The caret is before another character. */
  readonly onCharacter: (offset: number) => void
}

/** Takes over the text area of the document; a text that is longer than `lengthMax` has no colors. */
export function createEditor({ onText, onCharacter }: Listeners, lengthMax: number): Editor {
  const area = byID('source', HTMLTextAreaElement)
  const backdrop = createHighlightLayer(area, lengthMax)
  let [isOpening, isWaiting] = [false, false]
  const changed = (isTyped = !isOpening): void => {
    backdrop.follow()
    onText(isTyped)
  }
  // Inserting many lines at once gives several events for each: the microtask comes after all of them, and before a frame.
  area.addEventListener('input', () => {
    if (isWaiting) return
    const isTyped = !isOpening
    isWaiting = true
    queueMicrotask(() => {
      isWaiting = false
      changed(isTyped)
    })
  })
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) onCharacter(area.selectionStart)
  })
  const replace = ({ start, end }: Span, text: string): void => {
    area.focus()
    area.setSelectionRange(start, end)
    // Only this way can be undone.
    if (!document.execCommand(text === '' ? 'delete' : 'insertText', false, text))
      area.setRangeText(text, start, end, 'end')
    changed()
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
      changed()
      isOpening = false
      area.setSelectionRange(0, 0)
      if (before instanceof HTMLElement) before.focus()
    },
    replace,
    select({ start, end }) {
      area.focus()
      area.setSelectionRange(start, end)
    },
    paint: backdrop.paint,
    point: backdrop.point,
  }
}
