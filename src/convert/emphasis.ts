/**
 * Emphasis where CommonMark sees none and a reader does, for micromark: models write `**注意：**正文`, `**「重要」**です` and
 * `**Status:**OK`. The parser's own emphasis stays; a run next to a character of class C, or late (§4), may open or close too.
 */
import type { Options } from 'mdast-util-from-markdown'
import { traitsAt, traitsBefore, WORD } from '../characters.js'
import { isFreeAfter, isLateBetween, widerFlanks } from './flanking.js'

type Extension = NonNullable<Options['extensions']>[number]
type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>
type Tokenizer = ThisParameterType<Construct['tokenize']>
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
  const { opens, closes } = widerFlanks(String.fromCharCode(marker), before, after)
  token._open ||= opens
  token._close ||= closes
  if (marker !== STAR) return
  const length = token.end.offset - token.start.offset
  if (isLateBetween(before, after, length)) token._close ||= canEnd(context, openers.at(-1), length, token.start)
  const remaining = token._close ? close(openers, length) : length
  const isFree = isFreeAfter(before)
  if (token._open && remaining > 0) openers.push({ end: token.end, length, remaining, isFree })
}

/** Returns the characters next to a point, and the point's index in them. Line endings and tabs count as white space. */
function around(context: Tokenizer, point: Point, length: -2 | 2): [text: string, at: number] {
  if (point._bufferIndex < 0) return ['', 0]
  const other = { ...point, _bufferIndex: Math.max(0, point._bufferIndex + length) }
  if (length > 0) return [context.sliceSerialize({ start: point, end: other }), 0]
  const text = point._bufferIndex === 0 ? '' : context.sliceSerialize({ start: other, end: point })
  return [text, text.length]
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
