/** Decides whether delimiter runs open and close: as in CommonMark (6.2), but next to characters of class C as in §4. */
import {
  BEGINNER,
  LETTER,
  lengthBefore,
  NO_LATE_CLOSE,
  PUNCTUATION,
  traitsAt,
  traitsBefore,
  UNSPACED,
  WHITE_SPACE,
} from '../characters.js'

/** Whether a run can open and close. */
export interface Flanks {
  readonly opens: boolean
  readonly closes: boolean
}

/** Returns whether a run in a text can open and close; both ends of the text count as white space. */
export function flanksOf(text: string, start: number, end: number): Flanks {
  const [before, after] = [classOf(characterBefore(text, start)), classOf(characterAt(text, end))]
  const isLeft = after === null || (after === 'punctuation' && before !== null)
  const isRight = before === null || (before === 'punctuation' && after !== null)
  const isWord = text[start] === '_'
  const given = {
    opens: isLeft && (!isWord || before !== null || !isRight),
    closes: isRight && (!isWord || after !== null || !isLeft),
  }
  const wider = widerFlanks(text[start] ?? '', traitsBefore(text, start), traitsAt(text, end))
  return { opens: given.opens || wider.opens, closes: given.closes || wider.closes }
}

function characterBefore(text: string, end: number): string {
  return text.slice(end - lengthBefore(text, end), end)
}

function characterAt(text: string, start: number): string {
  return start < text.length ? String.fromCodePoint(text.codePointAt(start) ?? 0) : ''
}

function classOf(character: string): 'space' | 'punctuation' | null {
  if (character === '' || /\s/.test(character)) return 'space'
  return /[\p{P}\p{S}]/u.test(character) ? 'punctuation' : null
}

/** Returns whether the dialect also lets a run open or close, next to a character of class C: `**「重要」**です`. */
export function widerFlanks(marker: string, before: number, after: number): Flanks {
  const isRight = isRightFlanking(before, after)
  if (marker === '_') return { opens: false, closes: isRight && (after & UNSPACED) !== 0 }
  if (((before | after) & UNSPACED) === 0) return { opens: false, closes: false }
  return { opens: isRightFlanking(after, before), closes: isRight }
}

/** Whether a run is right-flanking (§4). With swapped arguments, whether it is left-flanking. */
function isRightFlanking(before: number, after: number): boolean {
  return (before & WHITE_SPACE) === 0 && ((before & PUNCTUATION) === 0 || (after & LETTER) === 0)
}

/** Whether a run of stars may close late (§4), for example in `**Status:**OK`. It also depends on the opener. */
export function isLateBetween(before: number, after: number, length: number): boolean {
  return length > 1 && (before & PUNCTUATION) !== 0 && (before & NO_LATE_CLOSE) === 0 && (after & LETTER) !== 0
}

/** Whether a run of stars in a text may close late (§4). */
export function canBeLate(text: string, start: number, end: number): boolean {
  return isLateBetween(traitsBefore(text, start), traitsAt(text, end), end - start)
}

/** Whether a run after this character can be closed late (§4). */
export function isFreeAfter(before: number): boolean {
  return (before & (UNSPACED | BEGINNER)) !== 0
}
