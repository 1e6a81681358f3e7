/**
 * Completes Markdown text that is still being written: hides the half-typed end, and appends what closes all open constructs.
 * It makes one pass from left to right and skips the constructs that take precedence over emphasis. The parser then parses the
 * result like any other text.
 */
import { canBeLate, flanksOf } from '../flanking.js'
import { readTag } from '../html.js'
import { endOfMath, openerAt } from '../math.js'
import { endOfCode, endOfHtml, endOfUrl, isHalfHtml, lengthOfRun, resourceAt } from './inline-ends.js'

/** The URL of a link whose URL is not complete yet: only the link text of such a link is shown. */
export const HALF_LINK = 'half:'

/** An open delimiter run, bracket or element. */
interface Opener {
  readonly kind: '*' | '_' | '~' | '[' | '<'
  readonly start: number
  /** The start of its content. */
  readonly end: number
  /** For a delimiter run: its length, the number of delimiters left, and whether it can also close. */
  readonly length: number
  remaining: number
  readonly closes: boolean
  /** For an element: its name. */
  readonly name: string
}

/** The state of the pass through a text. */
interface Pass {
  readonly text: string
  /** Whether the end of the text is not the end of its line, so that the next character may follow directly. */
  readonly isAtEnd: boolean
  readonly openers: Opener[]
  /** The end of the visible part, and the text that closes the code or formula in which it ends. */
  end: number
  ending: string
}

/**
 * Completes a text.
 *
 * @param text - the lines of a paragraph, a heading or a cell
 * @param isAtEnd - whether it breaks off in the middle of a line
 */
export function completeText(text: string, isAtEnd: boolean): string {
  const state: Pass = { text, isAtEnd, openers: [], end: text.length, ending: '' }
  for (let at = 0; at < state.end; ) at = Math.max(at + 1, read(state, at))
  return closed(state)
}

/** Reads the construct or character at a position, and returns its end. */
function read(state: Pass, at: number): number {
  const { text, isAtEnd } = state
  switch (text[at]) {
    case '$':
      return endOfMath(text, at) ?? openMath(state, at)
    case '\\':
      if (/[([]/.test(text[at + 1] ?? '')) return endOfMath(text, at) ?? openMath(state, at)
      // The backslash escapes the next character, or is a hard line break.
      return at === text.length - 1 ? hideFrom(state, at) : at + 2
    case '`':
      return endOfCode(text, at) ?? openCode(state, at)
    case '<':
      return readHtml(state, at)
    case '&':
      return isAtEnd && HALF_REFERENCE.test(text.slice(at, at + 40)) ? hideFrom(state, at) : at + 1
    case '!':
      if (text[at + 1] === '[') return readBracket(state, at)
      return isAtEnd && /(?:^|\s)!$/.test(text.slice(-2)) && at === text.length - 1 ? hideFrom(state, at) : at + 1
    case '[':
      return readBracket(state, at)
    case ']':
      return closeBracket(state, at)
    case '*':
    case '_':
    case '~':
      return readRun(state, text[at] as '*' | '_' | '~', at)
    case 'h':
    case 'H':
    case 'w':
    case 'W':
      // A URL in link text is text.
      return state.openers.some(({ kind }) => kind === '[') ? at + 1 : (endOfUrl(text, at) ?? at + 1)
    default:
      return at + 1
  }
}

const HALF_REFERENCE = /^&(?:#(?:\d{0,7}|[xX][\da-fA-F]{0,6})|[A-Za-z][A-Za-z\d]{0,31})?$/

/** Hides the text from a position on. */
function hideFrom(state: Pass, end: number): number {
  state.end = end
  return end
}

/** Handles text that breaks off in code. Backticks at its end are hidden, because they may be the start of the closing ones. */
function openCode(state: Pass, at: number): number {
  const { text } = state
  const length = lengthOfRun(text, at)
  let end = text.length
  while (end > at + length && text[end - 1] === '`') end -= 1
  if (text.slice(at + length, end).trim() === '') return hideFrom(state, at)
  state.ending = '`'.repeat(length)
  return hideFrom(state, end)
}

/** Handles text that breaks off in a formula. A dollar sign that may be a price, and an escaped bracket, do not start one. */
function openMath(state: Pass, at: number): number {
  const { text } = state
  const opener = openerAt(text, at)
  const rest = text.slice(at + opener.length)
  const isFormula = opener === '$' ? /^\S[^`]*[\\^_={]/.test(rest) && !rest.includes('$') : opener !== '\\['
  if (opener === '$$' && rest === '') return hideFrom(state, at)
  if (opener === '' || !isFormula) return at + Math.max(1, opener.length)
  const end = text.length - (/[$\\]$/.test(rest) ? 1 : 0)
  if (text.slice(at + opener.length, end).trim() === '') return hideFrom(state, at)
  state.ending = opener.startsWith('$') ? opener : '\\)'
  return hideFrom(state, end)
}

function readHtml(state: Pass, at: number): number {
  const { text, openers } = state
  const end = endOfHtml(text, at)
  if (end === null) return isHalfHtml(text, at) ? hideFrom(state, at) : at + 1
  const tag = readTag(text.slice(at, end))
  if (tag === null || tag.element === null || tag.element === 'arranging') return end
  if (tag.isEnd) {
    const index = openers.findLastIndex(({ kind, name }) => kind === '<' && name === tag.name)
    if (index >= 0) openers.length = index
  } else openers.push({ ...nothing, kind: '<', start: at, end, name: tag.name })
  return end
}

const nothing = { length: 0, remaining: 0, closes: false, name: '' } as const

function readBracket(state: Pass, at: number): number {
  const { text, openers } = state
  const start = text[at] === '!' ? at + 1 : at
  if (text[start + 1] === '^') {
    const end = /^\[\^[^\s[\]]*\]?/.exec(text.slice(start, start + 1000))?.[0].length ?? 0
    return start + end === text.length && text[start + end - 1] !== ']' ? hideFrom(state, start) : start + end
  }
  openers.push({ ...nothing, kind: '[', start: at, end: start + 1 })
  return start + 1
}

/** Reads a `]`. At the end of the text it is hidden, because the URL or the name that makes a link may follow. */
function closeBracket(state: Pass, at: number): number {
  const { text, openers, isAtEnd } = state
  const index = openers.findLastIndex(({ kind }) => kind === '[')
  if (index < 0) return at + 1
  const next = text[at + 1]
  if (next === undefined && isAtEnd) return hideFrom(state, at)
  const resource = next === '(' ? resourceAt(text, at + 1) : null
  const nameEnd = next === '[' ? text.indexOf(']', at + 2) : 0
  if (resource === 'half' || nameEnd < 0) return hideFrom(state, at)
  openers.length = index
  return resource?.end ?? Math.max(at + 1, nameEnd + 1)
}

function readRun(state: Pass, kind: '*' | '_' | '~', start: number): number {
  const { text, openers, isAtEnd } = state
  const length = lengthOfRun(text, start)
  const end = start + length
  if (kind === '~' && length > 2) return end
  const top = openers.findLast((opener) => opener.kind === kind)
  if (end === text.length && isAtEnd) {
    const isClosing = top?.remaining === length && !/\s$/.test(text.slice(0, start))
    if (!isClosing) return hideFrom(state, start)
  }
  const { closes, ...flanks } = flanksOf(text, start, end)
  // `~90 ms` means about 90 ms.
  const opens = flanks.opens && !(kind === '~' && length === 1 && /\d/.test(text[end] ?? ''))
  const isLate = kind === '*' && top?.remaining === length && top.length === length && canBeLate(text, start, end)
  const remaining = closes || isLate ? closeRun(state, kind, length, opens) : length
  if (remaining > 0 && opens) openers.push({ kind, start: end - remaining, end, length, remaining, closes, name: '' })
  return end
}

/** Matches the delimiters of a closer with open ones, and returns the number left. */
function closeRun({ openers }: Pass, kind: '*' | '_' | '~', length: number, opens: boolean): number {
  let rest = length
  while (rest > 0) {
    const index = openers.findLastIndex((opener) => {
      if (opener.kind !== kind || (kind === '~' && opener.remaining !== rest)) return false
      const isBoth = kind !== '~' && (opener.closes || opens)
      return !isBoth || length % 3 === 0 || (opener.length + length) % 3 !== 0
    })
    const opener = openers[index]
    if (opener === undefined) break
    const count = kind === '~' ? rest : Math.min(2, rest, opener.remaining)
    openers.length = index + 1
    opener.remaining -= count
    rest -= count
    if (opener.remaining === 0) openers.pop()
  }
  return rest
}

/** Returns the visible part and the closers of all that is open. An opener with nothing after it is hidden. */
function closed({ text, openers, end, ending }: Pass): string {
  let shown = withoutBreak(text.slice(0, end))
  if (ending !== '') shown += (shown.endsWith('`') ? ' ' : '') + ending
  for (let last = openers.at(-1); last !== undefined && last.end >= shown.length; last = openers.at(-1)) {
    shown = withoutBreak(shown.slice(0, last.start))
    openers.pop()
  }
  return shown + closersOf(openers).join('')
}

/** Returns the closers, innermost first. Adjacent runs of tildes would merge, so only the longer is kept, or the inner if equal. */
function closersOf(openers: readonly Opener[]): string[] {
  const closers: string[] = []
  for (const opener of openers.toReversed()) {
    const closer = closerOf(opener)
    const before = closers.at(-1) ?? ''
    if (opener.kind !== '~' || !before.startsWith('~')) closers.push(closer)
    else if (closer.length > before.length) closers.splice(-1, 1, closer)
  }
  return closers
}

/** Returns the text without white space at its end, and without a backslash there that would be a hard line break. */
function withoutBreak(text: string): string {
  const shown = text.trimEnd()
  let start = shown.length
  while (shown[start - 1] === '\\') start -= 1
  return (shown.length - start) % 2 === 0 ? shown : shown.slice(0, -1)
}

function closerOf({ kind, remaining, name }: Opener): string {
  if (kind === '[') return `](${HALF_LINK})`
  return kind === '<' ? `</${name}>` : kind.repeat(remaining)
}
