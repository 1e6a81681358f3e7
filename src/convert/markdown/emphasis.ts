/**
 * Emphasis where CommonMark sees none and a reader does, for micromark: models write `**注意：**正文`, `**「重要」**です` and
 * `**Status:**OK`. The parser's own emphasis stays; a run next to a character of class C, or late (§4), may open or close too.
 */
import {
  LETTER,
  NO_LATE_CLOSE,
  OPENS_AFTER,
  PUNCTUATION,
  traitsAt,
  traitsBefore,
  UNSPACED,
  WHITE_SPACE,
  WORD,
} from '../../characters.js'
import type { Construct, Extension, Tokenizer } from './micromark.js'

type Point = ReturnType<Tokenizer['now']>

const [STAR, UNDERSCORE, TILDE] = ['*', '_', '~'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
]

/** A run of stars that waits for its partner. */
interface OpenRun {
  readonly end: Point
  readonly length: number
  remaining: number
  /** Whether the run can be closed late, given the character before it. */
  readonly isFree: boolean
  /** Whether letters are on both sides of it. */
  readonly isInWord: boolean
}

/** Creates the extension. */
export function dialectEmphasis(): Extension {
  const openers = new WeakMap<Tokenizer, OpenRun[]>()
  const construct: Construct = {
    name: 'dialectEmphasis',
    tokenize(effects, ok, nok) {
      return (code) => {
        const given = this.parser.constructs.text[Number(code)] ?? []
        const name = code === TILDE ? 'strikethrough' : 'attention'
        const own = [given].flat().filter((each) => each.name === name)
        const widened: typeof ok = (next) => {
          widen(this, Number(code), openersOf(openers, this))
          return ok(next)
        }
        return effects.attempt(own, widened, nok)(code)
      }
    },
  }
  return { text: { [STAR]: construct, [UNDERSCORE]: construct, [TILDE]: construct } }
}

function openersOf(all: WeakMap<Tokenizer, OpenRun[]>, context: Tokenizer): OpenRun[] {
  const known = all.get(context) ?? []
  all.set(context, known)
  return known
}

/** Lets the latest run open or close if it does so in the dialect. */
function widen(context: Tokenizer, marker: number, openers: OpenRun[]): void {
  const token = context.events.at(-1)?.[1]
  if (token === undefined) return
  const before = traitsBefore(...around(context, token.start, -2))
  const after = traitsAt(...around(context, token.end, 2))
  const { opens, closes } = widerFlanks(marker, before, after)
  token._open ||= opens
  token._close ||= closes
  if (marker !== STAR) return
  const length = token.end.offset - token.start.offset
  const isInWord = (before & after & LETTER) !== 0
  // One star in a word is text: `4*k*4`.
  if (isInWord && length === 1) {
    token._open = false
    token._close = false
    return
  }
  // Whether the run may close late (§4), for example in `**Status:**OK`. It also depends on the opener.
  const isLate = (before & (PUNCTUATION | NO_LATE_CLOSE)) === PUNCTUATION && (after & LETTER) !== 0
  if (isLate && length > 1) token._close ||= canEnd(context, openers.at(-1), length, token.start)
  if (token._close && !mayClose(context, openers.at(-1), { length, isInWord, start: token.start })) token._close = false
  const remaining = token._close ? close(openers, length) : length
  const isFree = (before & (UNSPACED | OPENS_AFTER)) !== 0
  if (token._open && remaining > 0) openers.push({ end: token.end, length, remaining, isFree, isInWord })
}

/** Returns whether the dialect also lets a run open or close, next to a character of class C: `**「重要」**です`. */
function widerFlanks(marker: number, before: number, after: number): { opens: boolean; closes: boolean } {
  const closes = isRightFlanking(before, after)
  if (marker === UNDERSCORE) return { opens: false, closes: closes && (after & UNSPACED) !== 0 }
  if (((before | after) & UNSPACED) === 0) return { opens: false, closes: false }
  return { opens: isRightFlanking(after, before), closes }
}

/** Whether a run is right-flanking (§4). With swapped arguments, whether it is left-flanking. */
function isRightFlanking(before: number, after: number): boolean {
  return (before & WHITE_SPACE) === 0 && ((before & PUNCTUATION) === 0 || (after & LETTER) === 0)
}

/** Returns the characters next to a point, and the point's index in them. Line endings and tabs count as white space. */
export function around(context: Tokenizer, point: Point, length: -2 | 2): [text: string, at: number] {
  if (point._bufferIndex < 0) return ['', 0]
  const other = { ...point, _bufferIndex: Math.max(0, point._bufferIndex + length) }
  if (length > 0) return [context.sliceSerialize({ start: point, end: other }), 0]
  const text = point._bufferIndex === 0 ? '' : context.sliceSerialize({ start: other, end: point })
  return [text, text.length]
}

/**
 * Whether a closer matches an opener in a word: only over text without white space, as in `un**believ**able`, or if the closer
 * is not in a word, as in `**unit test**s`. `x**2 + y**2` stays as typed.
 */
function mayClose(
  context: Tokenizer,
  opener: OpenRun | undefined,
  { length, isInWord, start }: { length: number; isInWord: boolean; start: Point },
): boolean {
  if (opener === undefined || !opener.isInWord) return true
  if (!isInWord && length === 2 && opener.length === 2) return true
  return !/\s/.test(context.sliceSerialize({ start: opener.end, end: start }))
}

/** Whether a run that may close late (§4) closes the given opener. */
function canEnd(context: Tokenizer, opener: OpenRun | undefined, length: number, start: Point): boolean {
  if (opener === undefined || !opener.isFree || opener.length !== length || opener.remaining !== length) return false
  return hasWord(context.sliceSerialize({ start: opener.end, end: start }))
}

function hasWord(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if ((traitsAt(text, at) & WORD) !== 0) return true
  }
  return false
}

/** Matches the stars of a closer with open ones, and returns the number left. */
function close(openers: OpenRun[], length: number): number {
  let rest = length
  for (let opener = openers.at(-1); opener !== undefined && rest > 0; opener = openers.at(-1)) {
    const used = Math.min(rest, opener.remaining)
    rest -= used
    opener.remaining -= used
    if (opener.remaining === 0) openers.pop()
  }
  return rest
}
