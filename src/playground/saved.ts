/** Drafts: each text that was typed, for the browser tab that it was typed in. This browser keeps the last ones. */

import { isKept, type Kept } from './fragment.js'

const NAME = 'blockmark playground'
const DRAFTS_MAX = 20
/** Maximum length of a saved text: a browser stores only a few megabytes for a whole site. */
const LENGTH_MAX = 500_000

export interface Draft extends Kept {
  readonly id: string
}

/** The drafts, the last one first. */
export function readDrafts(): readonly Draft[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    const all: readonly unknown[] = Array.isArray(kept) ? kept : []
    return all.filter(isKept).map((each) => ({ ...each, id: 'id' in each ? String(each.id) : '' }))
  } catch {
    return []
  }
}

/** The draft of this browser tab, or else the last one of any. */
export function currentDraft(): Draft | undefined {
  const drafts = readDrafts()
  return drafts.find(({ id }) => id === ownID()) ?? drafts[0]
}

/** Keeps a text as this tab's draft; an empty text does not delete it. */
export function saveDraft({ text, dialect }: Kept): void {
  if (text.trim() === '' || text.length > LENGTH_MAX) return
  const id = ownID() ?? `${Date.now()}-${Math.random()}`
  continueDraft(id)
  let length = 0
  const drafts = [{ text, dialect, id }, ...readDrafts().filter((each) => each.id !== id)].filter((each) => {
    length += each.text.length
    return length <= LENGTH_MAX
  })
  attempt(() => localStorage.setItem(NAME, JSON.stringify(drafts.slice(0, DRAFTS_MAX))))
}

/** Continues a draft, or starts a new one without changing the others. */
export function continueDraft(id: string | null): void {
  attempt(() => (id === null ? sessionStorage.removeItem(NAME) : sessionStorage.setItem(NAME, id)))
}

function ownID(): string | null {
  return attempt(() => sessionStorage.getItem(NAME)) ?? null
}

/** Ignores errors of browsers that store nothing for a page. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
