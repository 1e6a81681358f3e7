/** Why a character of a leaf is what it is (§3, §4). */
import { isSpace, URL_STOP } from '../../characters.js'
import { endOfScheme } from '../../parse/bare-link.js'
import { endOfLineEnding } from '../../parse/blocks.js'
import { SHRUG } from '../../parse/escape.js'
import { traitsAt } from '../../parse/neighbours.js'
import { read } from '../../parse/read.js'
import { giveBack, type Reader } from '../../parse/reader.js'
import {
  BARE_LINK,
  BREAK,
  CLOSE,
  CODE,
  EVENT_SIZE,
  INERT,
  LABEL_URL,
  LINK,
  LINK_END,
  MENTION,
  OPEN,
  RUN,
} from '../../parse/tape.js'
import {
  BACKSLASH,
  BACKSLASH_STOP,
  BACKTICK_STOP,
  CLOSING_STOP,
  escapableChars,
  isDelimiter,
  LESS_THAN_STOP,
  OPENING_STOP,
  SEPARATOR_STOP,
} from '../../parse/units.js'
import { SPACES } from './block.js'
import { explainMarker, explainRun } from './delimiter.js'
import { NO_EVENT, type ReadLeaf, readLeafAt, type Step } from './leaf.js'
import { explainSeparator } from './separator.js'
import type { Told } from './told.js'

/** Explains the character at an offset, if it is one of a leaf. */
export function explainInline(input: string, offset: number): Told[] {
  const reader = read(input, 1)
  const leaf = readLeafAt(reader, offset + 1)
  const told = leaf === null ? [] : explainAt(leaf, offset + 1)
  giveBack(reader)
  return told.map(([section, message, start, end]) => [section, message, start - 1, end - 1])
}

type Words = readonly [section: string, message: string]

/** Of what the parser has found. */
const FOUND: ReadonlyMap<number, Words> = /* @__PURE__ */ new Map<number, Words>([
  [CODE, ['§3.2', 'Inline code: nothing in it is read.']],
  [MENTION, ['§3.3', 'A mention: nothing in it is read.']],
  [BARE_LINK, ['§3.5', 'A bare link: markers in it are its own.']],
  [LABEL_URL, ['§3.5', 'Text: a url in the label of a link.']],
  [LINK, ['§3.4', 'Begins the label of a link.']],
  [LINK_END, ['§3.4', 'Ends the label of a link, before its url.']],
])

const NO_LINK: Words = [
  '§3.4',
  'Text: a link is `[label](url)`; its label is not blank, its url has a scheme and no space.',
]

/** Of what the parser has stopped at, and found nothing. */
const NOT_FOUND: ReadonlyMap<number, Words> = /* @__PURE__ */ new Map<number, Words>([
  [BACKTICK_STOP, ['§3.2', 'Text: no run of as many is left for it.']],
  [OPENING_STOP, NO_LINK],
  [CLOSING_STOP, NO_LINK],
  [LESS_THAN_STOP, ['§3.3', 'Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.']],
])

function explainAt(leaf: ReadLeaf, at: number): Told[] {
  const { reader, step } = leaf
  if (step === null) return explainText(leaf, at)
  const { stop, start, end, event } = step
  if (stop === BACKSLASH_STOP) return [['§3.1', wordsOfEscape(reader, step, at), at, at + 1]]
  const type = typeOf(reader, step)
  if (type === INERT) return explainRun(leaf, at)
  if (type === OPEN || type === CLOSE || type === RUN) return explainMarker(leaf, at)
  if (type === BREAK) return [explainBreak(reader, event, at)]
  const words = FOUND.get(type)
  // A link is found as a whole.
  if (words !== undefined) return [[...words, start, type === LINK ? (reader.tape[event + 2] ?? 0) : end]]
  return stop === SEPARATOR_STOP ? explainSeparator(reader.source, leaf, at) : explainText(leaf, at)
}

/** What the parser has found in a step, {@link NO_EVENT} if it has found nothing. */
function typeOf({ chars, tape }: Reader, { stop, start, end, event }: Step): number {
  if (event !== NO_EVENT) return tape[event] ?? 0
  // Of a url in a label there is an event only where its text is another than its source.
  return stop === SCHEME_STOP && end > endOfScheme(chars, start) ? LABEL_URL : NO_EVENT
}

/** A letter, at which reading stops for the `://` behind it. */
const SCHEME_STOP = 0

function wordsOfEscape({ source, chars }: Reader, { start, end }: Step, at: number): string {
  if (source.slice(start - 2, end - 1) === SHRUG) return 'Text: part of a shrug.'
  if (chars[at] !== BACKSLASH) return 'Text: it is escaped.'
  return `Before \`\` ${[...escapableChars].join(' ')} \`\` two are one, and one escapes; before others all are text.`
}

function explainBreak(reader: Reader, event: number, at: number): Told {
  const lineEnd = reader.tape[event + 3] ?? 0
  if (isSpace(reader.chars[at] ?? 0)) return ['§1', SPACES, at, at + 1]
  return ['§3.8', 'A break.', lineEnd, endOfLineEnding(reader, lineEnd)]
}

/** A character that belongs to no construct. */
function explainText(leaf: ReadLeaf, at: number): Told[] {
  const { reader, step } = leaf
  const told = (section: string, message: string): Told[] => [[section, message, at, at + 1]]
  if (isTrimmed(reader, at)) return told('§3.5', 'Trimmed from the end of a url.')
  if (isDelimiter(reader.chars[at] ?? 0)) return explainRun(leaf, at)
  if (step?.stop === SCHEME_STOP && step.start === at) {
    return told('§3.5', 'Text: a url begins behind no letter or number, and its host with one.')
  }
  const words = NOT_FOUND.get(step?.stop ?? SCHEME_STOP)
  return words === undefined ? [] : told(...words)
}

/** Whether nothing that ends a url is between the last bare link and the character at `at`, nor any construct. */
function isTrimmed({ chars, tape, tapeEnd }: Reader, at: number): boolean {
  let last = 0
  let lastEnd = 0
  for (let event = 0; event < tapeEnd && (tape[event + 1] ?? 0) <= at; event += EVENT_SIZE) {
    last = tape[event] ?? 0
    lastEnd = tape[event + 2] ?? 0
  }
  if (last !== BARE_LINK || lastEnd > at) return false
  for (let place = lastEnd; place <= at; place += 1) if ((traitsAt(chars, place) & URL_STOP) !== 0) return false
  return true
}
