/**
 * How a leaf that is still being typed would go on if it ended well (§3, §4): what of it is left out as half typed, and
 * what has to follow so that everything that is open ends. All is asked of the parser, by showing it the leaf with
 * different endings.
 */
import { isSpace, traitsBefore, WHITE_SPACE } from '../characters.js'
import { isEscaped } from '../parse/escape.js'
import { delimitersAtEnd } from '../parse/inline.js'
import { EVENT_SIZE, type Leaf, MENTION, NOWHERE, RUN, TEXT } from '../parse/leaf.js'
import { findBrackets, type NamedLink } from '../parse/link.js'
import { endOfMention } from '../parse/mention.js'
import { type Run, STAR } from '../parse/run.js'

/** What shows of a leaf's text, and what is to be written behind it. */
export interface Completion {
  /** The text shows up to here. */
  end: number
  /** Brackets before `end` that wait for the rest of their link, and those of them that a space has to stand for. */
  hidden: readonly number[]
  spaced: readonly number[]
  /** Ends all that is open; of what this makes itself nothing is to be shown. */
  ending: string
}

/** Stands before a closing delimiter: whatever is before it, behind a mention it can close, and a word is there. */
const WORD = '<@1>'

/** More closing brackets than the url of a link can need (§3.4). */
const BRACKETS = /* @__PURE__ */ ')'.repeat(33)

/**
 * Completes a leaf.
 *
 * @param text - its text, without spaces at its end
 * @param behind - the spaces and the line ending between it and what comes next
 */
export function complete(text: string, behind: string): Completion {
  if (!/[*_\-`\\[<]/.test(text)) return { end: text.length, hidden: [], spaced: [], ending: '' }
  const isAtEnd = behind === ''
  const code = openCode(text, isAtEnd)
  if (code !== null && code.ending !== '') return withCode(text, code)
  // A label may go on behind a space.
  const mention = code === null ? startOfMention(text + behind) : -1
  const link = code === null && isAtEnd && mention < 0 ? halfLink(text) : null
  let end = code?.start ?? link?.end ?? (mention < 0 ? text.length : mention)
  // A backslash may be about to escape what comes.
  if (isAtEnd && end === text.length && link === null && isEscaped(text, end)) end -= 1
  const before = text.slice(0, end)
  const target = link?.ending ?? ''
  const { hidden, spaced } = waitingBrackets(before, target)
  const rest = without(withSpaces(before, spaced), hidden)
  const isBroken = (isAtEnd || end < text.length) && target === ''
  const shown = trimEnd(isBroken ? rest.slice(0, startOfMarkers(rest)) : rest)
  const closers = closersOf(openersOf(shown, target), target === '' && /[*_\-\\]$/.test(shown))
  const shownEnd = shown === '' ? 0 : offsetWithin(hidden, shown.length)
  return { end: shownEnd, hidden, spaced, ending: target + closers }
}

function withCode(text: string, { start, end, ending }: OpenCode): Completion {
  const before = text.slice(0, start)
  // What stands behind the last of them counts, too.
  const { hidden, spaced } = waitingBrackets(`${before}\``, '')
  const closers = closersOf(openersOf(without(withSpaces(before, spaced), hidden), '`'), false)
  return { end, hidden, spaced, ending: ending + closers }
}

interface OpenCode {
  /** Where its backticks stand, and where that ends which shows of its content. */
  start: number
  end: number
  /** What ends it; empty where it has no content yet. */
  ending: string
}

/** The code span that is open: the first backticks without a partner (§3.2). */
function openCode(text: string, isAtEnd: boolean): OpenCode | null {
  const leaf = leafOf(text, '')
  findBrackets(leaf)
  const contentStart = leaf.backticksFrom
  if (contentStart === NOWHERE) return null
  let start = contentStart
  while (start > 0 && text[start - 1] === '`' && !isEscaped(text, start - 1)) start -= 1
  const length = contentStart - start
  let end = text.length
  while (end > contentStart && text[end - 1] === '`') end -= 1
  // Fewer may be the first ones of the partner.
  if (!isAtEnd || text.length - end > length) end = text.length
  end = contentStart + trimEnd(text.slice(contentStart, end)).length
  if (end === contentStart) return { start, end: start, ending: '' }
  return { start, end, ending: (text[end - 1] === '`' ? ' ' : '') + text.slice(start, contentStart) }
}

/** Where the mention begins that the text breaks off in, if it does (§3.3). */
function startOfMention(text: string): number {
  const start = text.lastIndexOf('<')
  const rest = ['>', '|>', '1>', '@1>'].find((rest) => start >= 0 && endOfMention(text + rest, start) > text.length)
  if (rest === undefined) return -1
  // It is one only if the parser comes to it, and not in a code span or behind a backslash.
  const leaf = leafOf(text, rest)
  delimitersAtEnd(leaf)
  const last = leaf.tapeEnd - EVENT_SIZE
  return leaf.tape[last] === MENTION && leaf.tape[last + 1] === start ? start : -1
}

interface HalfLink {
  /** Where that ends which shows of it. */
  end: number
  /** The brackets that end its url; empty where that has no scheme yet, and only the label shows. */
  ending: string
}

/** The named link that the text breaks off behind the label of, if it does (§3.4). */
function halfLink(text: string): HalfLink | null {
  const { length } = text
  // A url holds no white space.
  let start = length
  while (start > 0 && (traitsBefore(text, start) & WHITE_SPACE) === 0) start -= 1
  if (!text.endsWith(']') && text.indexOf('](', start - 1) < 0) return null
  const link = linkPast(text, BRACKETS)
  if (link !== null) return { end: length, ending: ')'.repeat(link.end - length) }
  for (const rest of ['xx:', 'x:', ':', 'x', '(xx:']) {
    const found = linkPast(text, rest + BRACKETS)
    if (found !== null) return { end: found.labelEnd, ending: '' }
  }
  return null
}

/** The link that ends in what stands behind the text. */
function linkPast(text: string, rest: string): NamedLink | null {
  const last = findBrackets(leafOf(text, rest)).links.at(-1)
  return last !== undefined && last.end > text.length ? last : null
}

/** The brackets that may still become a link's, where `rest` stands behind the text. */
function waitingBrackets(text: string, rest: string): Pick<Completion, 'hidden' | 'spaced'> {
  const { open, dead } = findBrackets(leafOf(text, rest))
  const [hidden, spaced]: [number[], number[]] = [[], []]
  let start = -1
  for (const [i, at] of open.entries()) {
    if (i < dead) continue
    if (text[at - 1] !== '[' || open[i - 1] !== at - 1 || start < 0) start = at
    // Without the last of them, what stands on both sides would be one run.
    const [before, behind] = [text[start - 1] ?? '', text[at + 1]]
    if (before === behind && '*_-`'.includes(before)) spaced.push(at)
    else hidden.push(at)
  }
  return { hidden, spaced }
}

/** Where the delimiters begin at the end of the text that what follows may make markup of. */
function startOfMarkers(text: string): number {
  let start = text.length
  while (start > 0 && '*_-'.includes(text[start - 1] ?? ' ')) start -= 1
  if (start === text.length) return start
  if (isEscaped(text, start)) start += 1
  // As it is where a word follows.
  const leaf = leafOf(text, 'a')
  const open = new Set(openersOfLeaf(leaf).map(({ char }) => char))
  const last = leaf.tapeEnd - EVENT_SIZE
  const isText = leaf.tape[last] === TEXT || leaf.tape[last] === RUN
  if (!isText && (leaf.tape[last + 2] ?? 0) > start) return text.length
  while (start < text.length) {
    const char = text.charCodeAt(start)
    let end = start + 1
    while (text.charCodeAt(end) === char) end += 1
    // Longer runs of `_` and `-` are text.
    if (char === STAR || (end - start === 1 && open.has(char))) return start
    start = end
  }
  return start
}

/** The runs that are open at the end of a text that `next` follows, the outermost first. */
function openersOf(text: string, next: string): readonly Run[] {
  return openersOfLeaf(leafOf(text, next))
}

function openersOfLeaf(leaf: Leaf): readonly Run[] {
  const runs: Run[] = []
  for (const head of delimitersAtEnd(leaf)?.heads ?? []) {
    for (let run = head; run !== null; run = run.below) runs.push(run)
  }
  return runs.sort((one, other) => one.event - other.event)
}

/** What closes the runs, the innermost first. */
function closersOf(openers: readonly Run[], isSpaced: boolean): string {
  if (openers.length === 0) return ''
  return (
    (isSpaced ? ' ' : '') +
    openers
      .map((run) => WORD + closerOf(run))
      .reverse()
      .join(' ')
  )
}

function closerOf({ char, length, remaining, isInWord, closes }: Run): string {
  let count = isInWord ? remaining & ~1 : remaining
  // The rule of three (§4.8).
  if (closes && count % 3 > 0 && (length + count) % 3 === 0) count += 1
  return String.fromCharCode(char).repeat(count)
}

/** A leaf whose text goes on with `rest` behind its end. */
function leafOf(text: string, rest: string): Leaf {
  const lines: number[] = []
  for (const line of text.split('\n')) lines.push(0, 0, line.length, line.length)
  return {
    text: text + rest,
    start: 0,
    end: text.length,
    lines,
    linesEnd: lines.length,
    lineNumber: 1,
    tape: new Int32Array(16 * EVENT_SIZE),
    tapeEnd: 0,
    matches: [0, 0],
    textStart: 0,
    sourceStart: 0,
    shrugEnd: 0,
    lastBackticks: null,
    backticksFrom: NOWHERE,
  }
}

/** The text without spaces and line endings at its end (§1). */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (isSpace(text.charCodeAt(end - 1)) || text[end - 1] === '\n')) end -= 1
  return text.slice(0, end)
}

/** The text with spaces for the characters at some offsets, which rise. */
export function withSpaces(text: string, offsets: readonly number[]): string {
  let rest = ''
  let start = 0
  for (const offset of offsets) {
    rest += `${text.slice(start, offset)} `
    start = offset + 1
  }
  return rest + text.slice(start)
}

/** The text without the characters at some offsets, which rise. */
export function without(text: string, offsets: readonly number[]): string {
  let rest = ''
  let start = 0
  for (const offset of offsets) {
    rest += text.slice(start, offset)
    start = offset + 1
  }
  return rest + text.slice(start)
}

/** Where a place of the text without `hidden` is in the text with them: behind those that stand there. */
export function offsetWithin(hidden: readonly number[], at: number): number {
  // How many of them stand there or before it. They rise, each by one at least.
  let low = 0
  let high = hidden.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hidden[middle] ?? 0) - middle > at) high = middle
    else low = middle + 1
  }
  return at + low
}
