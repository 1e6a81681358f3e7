/** The editor: a text area, and a backdrop below it that shows colors and marks. */

import { byID } from './element.js'
import { createHighlightLayer, type HighlightLayer, type Span } from './highlight-layer.js'

/** Milliseconds between the last key and the drawing of results that take longer than a frame. */
export const PAUSE_MILLISECONDS = 250

export interface Editor extends Pick<HighlightLayer, 'paint' | 'point'> {
  readonly text: string
  /** Replaces the whole text, so that it can be undone. The new text does not count as typed. */
  open(text: string): void
  /** Replaces a part, so that it can be undone. */
  replace(span: Span, text: string): void
  select(span: Span): void
}

interface Listeners {
  /** Called after the text has changed, because it was typed or opened. */
  readonly onText: (isTyped: boolean) => void
  /** Called after the caret has moved, with its offset. */
  readonly onCaretMove: (offset: number) => void
}

/** Creates the editor on the text area of the document. A text that is longer than `lengthMax` has no colors. */
export function createEditor({ onText, onCaretMove }: Listeners, lengthMax: number): Editor {
  const area = byID('source', HTMLTextAreaElement)
  const backdrop = createHighlightLayer(area, lengthMax)
  let [isOpening, isWaiting] = [false, false]
  const notifyListener = (isTyped = !isOpening): void => {
    backdrop.follow()
    onText(isTyped)
  }
  // Inserting many lines at once fires several events for each line. The microtask runs after all events, and before a frame.
  area.addEventListener('input', () => {
    if (isWaiting) return
    const isTyped = !isOpening
    isWaiting = true
    queueMicrotask(() => {
      isWaiting = false
      notifyListener(isTyped)
    })
  })
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) onCaretMove(area.selectionStart)
  })
  const replace = ({ start, end }: Span, text: string): void => {
    area.focus()
    area.setSelectionRange(start, end)
    // The reader can undo only changes that are made with `execCommand`.
    if (!document.execCommand(text === '' ? 'delete' : 'insertText', false, text))
      area.setRangeText(text, start, end, 'end')
    notifyListener()
  }
  return {
    get text() {
      return area.value
    },
    open(text) {
      const focusedElement = document.activeElement
      isOpening = true
      // The text is set directly if the area is empty, because there is nothing to undo.
      if (area.value === '') area.value = text
      else if (area.value !== text) replace({ start: 0, end: area.value.length }, text)
      notifyListener()
      isOpening = false
      area.setSelectionRange(0, 0)
      if (focusedElement instanceof HTMLElement) focusedElement.focus()
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
