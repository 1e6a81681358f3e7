/** The text that was typed last, kept by this browser for the next visit. */

import { isKept, type Kept } from './fragment.js'

const NAME = 'blockmark playground'

/** Longer ones are kept nowhere: a browser keeps a few megabytes for a whole site. */
const LENGTH_MAX = 500_000

/** Keeps a text; a browser that keeps nothing for a page goes without. */
export function save(kept: Kept): void {
  try {
    if (kept.text.length <= LENGTH_MAX) localStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // Then the next visit begins with the first example.
  }
}

/** What was kept; null where there is nothing. */
export function readSaved(): Kept | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? 'null')
    return isKept(kept) ? kept : null
  } catch {
    return null
  }
}
