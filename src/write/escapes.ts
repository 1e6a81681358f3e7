/** Backslashes (§3.1): where a draft may have them, and its source with them. */
import { endOfBackslashes, endOfShrug, isEscapable } from '../parse/escape.js'
import type { Draft } from './draft.js'

/** A draft's source. */
export interface Spelled {
  readonly source: string
  /** Where in the draft backslashes stand before a character: a place for each of them, in rising order. */
  readonly backslashes: readonly number[]
}

/** The source of a draft with escapes before the characters at those places, which are in rising order. */
export function spell(draft: Draft, escapes: readonly number[]): Spelled {
  const { text } = draft
  const doubled = text.includes('\\') ? doubledBackslashes(draft) : []
  if (escapes.length + doubled.length === 0) return { source: text, backslashes: [] }
  const backslashes = [...doubled, ...escapes].sort((left, right) => left - right)
  let source = ''
  let from = 0
  for (const at of backslashes) {
    source += `${text.slice(from, at)}\\`
    from = at
  }
  return { source: source + text.slice(from), backslashes }
}

/** The backslashes of text that are read in pairs, since what they stand before could be escaped. */
function doubledBackslashes({ text, literals }: Draft): number[] {
  const places: number[] = []
  for (const [start, end] of rangesOf(literals)) {
    let shrugEnd = start
    let at = text.indexOf('\\', start)
    while (at >= 0 && at < end) {
      const shrug = endOfShrugIn(text, at, shrugEnd, end)
      const runEnd = shrug < 0 ? endOfBackslashes(text, at) : shrug
      if (shrug >= 0) shrugEnd = shrug
      else if (isEscapable(text.charCodeAt(runEnd)))
        for (let count = runEnd - at; count > 0; count -= 1) places.push(at)
      at = text.indexOf('\\', runEnd)
    }
  }
  return places
}

/** Every character of text that an escape could keep from being markup. */
export function escapablePlaces({ text, literals }: Draft): number[] {
  const places: number[] = []
  for (const [start, end] of rangesOf(literals)) {
    let shrugEnd = start
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at)
      const shrug = code === 92 /* \ */ ? endOfShrugIn(text, at, shrugEnd, end) : -1
      if (shrug >= 0) {
        shrugEnd = shrug
        at = shrug - 1
      } else if (isEscapable(code) && canMatter(text, at, code)) places.push(at)
    }
  }
  return places
}

/** Where a shrug ends that stands in text with all its characters, or -1. */
function endOfShrugIn(text: string, at: number, from: number, end: number): number {
  const shrugEnd = endOfShrug(text, at, from)
  return shrugEnd <= end ? shrugEnd : -1
}

/** A `#` is markup where a line begins, a `:` in the scheme of a url. */
function canMatter(text: string, at: number, code: number): boolean {
  if (code === 35 /* # */) return at === 0 || text.charCodeAt(at - 1) === 10
  return code !== 58 /* : */ || text.startsWith('//', at + 1)
}

/** Whether the character at `at` is meant as text. */
export function isLiteral({ literals }: Draft, at: number): boolean {
  return countBelow(literals, at + 1) % 2 === 1
}

/** How many of the places, which rise, are below `at`. */
export function countBelow(places: readonly number[], at: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

function* rangesOf(literals: readonly number[]): Generator<[start: number, end: number]> {
  for (let at = 0; at < literals.length; at += 2) yield [literals[at] ?? 0, literals[at + 1] ?? 0]
}

/** The source from one place of a draft to another. */
export type Parts = (start: number, end: number) => string

/** Gives the source from one place of the draft to another, with all the escapes that there can be. */
export function partsOf(draft: Draft): Parts {
  const { source, backslashes } = spell(draft, escapablePlaces(draft))
  return (start, end) => source.slice(start + countBelow(backslashes, start), end + countBelow(backslashes, end))
}
