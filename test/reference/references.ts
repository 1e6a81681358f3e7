/** §2 and §3.3: `id | label >`, the common part of files and mentions. */

import { factsOf } from './characters.js'
import type { SourceCharacter } from './source.js'

export interface Reference {
  id: string
  label: string | null
  hasPipe: boolean
  /** The index after the `>`. */
  end: number
}

/** Reads a reference whose id begins at `start`, or null. */
export function readReference(characters: readonly SourceCharacter[], start: number): Reference | null {
  let at = start
  while (isIdCharacter(characters[at]?.value)) at += 1
  const idLength = at - start
  const id = valueBetween(characters, start, at)
  if (characters[at]?.value === '>') {
    return canStandWithoutPipe(id) ? { id, label: null, hasPipe: false, end: at + 1 } : null
  }
  if (characters[at]?.value !== '|' || idLength < 1 || idLength > 128) return null
  const labelStart = at + 1
  at = labelStart
  while (isLabelCharacter(characters[at]?.value)) at += 1
  if (characters[at]?.value !== '>' || at - labelStart > 256) return null
  const label = valueBetween(characters, labelStart, at)
  // §2: "An empty label is no label."
  return { id, label: label === '' ? null : label, hasPipe: true, end: at + 1 }
}

/** §2: "none of them of category Z, a control character, `<`, `>`, `|` or a backtick". */
function isIdCharacter(character: string | undefined): boolean {
  return isLabelCharacter(character) && !/^\p{Z}$/u.test(character ?? '')
}

/** §2: "none of them a control character, `<`, `>`, `|` or a backtick". */
function isLabelCharacter(character: string | undefined): boolean {
  return character !== undefined && !factsOf(character).isControl && !'<>|`'.includes(character)
}

/** §3.3: "the id is 1 to 128 ASCII letters, digits, `_` or `-`, at least one of them a digit". */
function canStandWithoutPipe(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id) && /[0-9]/.test(id)
}

function valueBetween(characters: readonly SourceCharacter[], start: number, end: number): string {
  return characters
    .slice(start, end)
    .map(({ value }) => value)
    .join('')
}
