/**
 * Extensions of micromark for what models write: formulas, tags that are not HTML's, links as Slack writes them, bare URLs that
 * end where the dialect ends them, and emphasis where CommonMark sees none and a reader does.
 */
import type { Options } from 'mdast-util-from-markdown'
import {
  LETTER,
  NO_LATE_CLOSE,
  OPENS_AFTER,
  PUNCTUATION,
  traits,
  traitsAt,
  traitsBefore,
  UNSPACED,
  URL_BARRIER,
  URL_STOP,
  WHITE_SPACE,
  WORD,
} from '../../characters.js'
import { parse } from '../../index.js'
import { BLANK_MAX, type FlowStart, flowStart } from './section.js'

export type Extension = NonNullable<Options['extensions']>[number]
export type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>
export type Tokenizer = ThisParameterType<Construct['tokenize']>
type State = ReturnType<Construct['tokenize']>
type TokenType = Parameters<Parameters<Construct['tokenize']>[0]['enter']>[0]

type Point = ReturnType<Tokenizer['now']>

const [STAR, UNDERSCORE, TILDE, LESS_THAN, RIGHT_BRACKET] = [42, 95, 126, 60, 93]
export const DOLLAR = 36
export const BACKSLASH = 92

/** Offsets in the source: the end of a span, and the start and the end of the part of it that is the value of its code. */
export interface Span {
  readonly end: number
  readonly from: number
  readonly to: number
}

/**
 * Creates a construct that reads a span as code, so that its characters stay as typed.
 *
 * @param spanAt - returns the span that begins at an offset, or null if no span begins there. A span without a value is left out
 */
export function codeConstruct(name: string, spanAt: (offset: number, context: Tokenizer) => Span | null): Construct {
  return {
    name,
    tokenize(effects, ok, nok) {
      const span = spanAt(this.now().offset, this)
      if (span === null) return nok
      const { end, from, to } = span
      let inner: TokenType | null = null
      const leave = (): void => {
        if (inner !== null) effects.exit(inner)
        inner = null
      }
      const read: State = (code) => {
        const { offset } = this.now()
        if (offset === end) {
          leave()
          if (from < to) effects.exit('codeText')
          return ok(code)
        }
        // The text may end before the source does. Without this check, a span that did not end in it would be read forever.
        if (code === null) return nok(code)
        const isValue = offset >= from && offset < to
        const isLineEnding = code < -2
        const [ofCharacter, ofLineEnding] = isValue
          ? (['codeTextData', 'lineEnding'] as const)
          : (['codeTextSequence', 'lineEndingBlank'] as const)
        // A token that holds more than a line ending must not go on in the next line: micromark would search for its end forever.
        const type = isLineEnding ? ofLineEnding : ofCharacter
        if (type !== inner) {
          leave()
          effects.enter(type)
          inner = type
        }
        effects.consume(code)
        if (isLineEnding) leave()
        return read
      }
      return (code) => {
        if (from < to) effects.enter('codeText')
        return read(code)
      }
    },
  }
}

/** Maximum number of lines of a formula. */
const LINES_MAX = 200

/**
 * Creates the extension for blocks of formulas and HTML.
 *
 * @param source - the whole text that is parsed
 */
export function flowSyntax(source: string): Extension {
  const startAt: StartAt = (offset, isInterrupting) => {
    const end = source.slice(offset).search(/[\r\n]|$/)
    return flowStart(source.slice(offset, offset + end), isInterrupting)
  }
  const math = mathBlock(startAt, endFinder(source))
  return {
    disable: { null: [HTML] },
    flow: { [LESS_THAN]: htmlBlock(startAt), [DOLLAR]: math, [BACKSLASH]: math },
  }
}

const HTML = 'htmlFlow'

type StartAt = (offset: number, isInterrupting: boolean) => FlowStart | null

/** Returns a test for closed formulas. An unclosed formula would swallow lists and quotes after it, so it stays text. */
function endFinder(source: string): (offset: number, end: RegExp) => boolean {
  /** For each pattern of an end, the offset up to which nothing matches it. */
  const withoutEnd = new Map<string, number>()
  return (offset, end) => {
    if (offset < (withoutEnd.get(end.source) ?? 0)) return false
    const [first = '', ...lines] = source.slice(offset).split('\n', LINES_MAX)
    if (end.test(first.slice(2).trimEnd())) return true
    const blankMax = /^..\s*$/.test(first) ? BLANK_MAX : 0
    let [at, blankCount] = [offset + first.length, 0]
    for (const line of lines) {
      if (line.trim() === '') blankCount += 1
      if (blankCount > blankMax) break
      if (end.test(line.trimEnd())) return true
      at += line.length + 1
    }
    withoutEnd.set(end.source, at)
    return false
  }
}

/** Reads an HTML block if `flowStart` finds one, and a tag that is not HTML's as HTML of one line. */
function htmlBlock(startAt: StartAt): Construct {
  const htmlOf = ({ parser }: Tokenizer): Construct | undefined =>
    [parser.constructs.flow[LESS_THAN] ?? []].flat().find(({ name }) => name === HTML)
  return {
    name: 'tag',
    concrete: true,
    resolveTo: (events, context) => htmlOf(context)?.resolveTo?.(events, context) ?? events,
    tokenize(effects, ok, nok) {
      const kind = startAt(this.now().offset, this.interrupt === true)?.kind
      // Called directly: an attempt would not tell micromark's construct that it interrupts a paragraph.
      if (kind === 'html') return htmlOf(this)?.tokenize.call(this, effects, ok, nok) ?? nok
      if (kind !== 'tag') return nok
      const inside: State = (code) => {
        if (code !== null && code > -3) {
          effects.consume(code)
          return inside
        }
        effects.exit('htmlFlowData')
        effects.exit('htmlFlow')
        return ok(code)
      }
      return (code) => {
        effects.enter('htmlFlow')
        effects.enter('htmlFlowData')
        return inside(code)
      }
    },
  }
}

/** Reads a formula as fenced code. */
function mathBlock(startAt: StartAt, hasEnd: (offset: number, end: RegExp) => boolean): Construct {
  return {
    name: 'mathFlow',
    concrete: true,
    tokenize(effects, ok, nok) {
      const { offset } = this.now()
      const start = startAt(offset, this.interrupt === true)
      if (start?.kind !== 'math' || !hasEnd(offset, start.end)) return nok
      let line = ''
      let blankCount = 0
      let blankMax = 0
      const lineEnding: State = (code) => {
        effects.enter('lineEnding')
        effects.consume(code)
        effects.exit('lineEnding')
        return lineStart
      }
      const lineStart: State = (code) => {
        line = ''
        if (code === null || this.parser.lazy[this.now().line] === true) return nok(code)
        if (code < -2) {
          blankCount += 1
          return blankCount > blankMax ? nok(code) : lineEnding(code)
        }
        effects.enter('codeFlowValue')
        return inLine(code)
      }
      const inLine: State = (code) => {
        if (code === null || code < -2) return lineEnd(code)
        line += code < 0 ? ' ' : String.fromCharCode(code)
        effects.consume(code)
        return inLine
      }
      const lineEnd: State = (code) => {
        effects.exit('codeFlowValue')
        if (start.end.test(line)) {
          effects.exit('codeFenced')
          return ok(code)
        }
        return code === null ? nok(code) : lineEnding(code)
      }
      /** Reads the two characters of the opening delimiter. */
      return (first) => {
        effects.enter('codeFenced')
        effects.enter('codeFencedFence')
        effects.consume(first)
        return (second) => {
          effects.consume(second)
          effects.exit('codeFencedFence')
          return (code) => {
            if (code === null || code < -2) {
              blankMax = BLANK_MAX
              if (this.interrupt) return ok(code)
              return code === null ? nok(code) : lineEnding(code)
            }
            effects.enter('codeFlowValue')
            return inLine(code)
          }
        }
      }
    },
  }
}

/**
 * Reads mentions, `<@id|label>`, and links as Slack writes them, `<https://a.b|label>`, as code. Later, its first character in
 * the source, `<`, tells it from other code.
 *
 * @param source - the whole text that is parsed
 * @param commonmark - whether only mentions are read
 */
export function references(source: string, commonmark: boolean): Extension {
  const construct = codeConstruct('reference', (offset) => {
    const pattern = commonmark ? MENTION : REFERENCE
    pattern.lastIndex = offset
    const [found = ''] = pattern.exec(source) ?? []
    return found === '' ? null : { end: offset + found.length, from: offset + 1, to: offset + found.length - 1 }
  })
  return { text: { [LESS_THAN]: construct } }
}

const MENTION = /<@[^\s<>|`]+(?:\|[^<>|`\r\n]*)?>/y
const REFERENCE = new RegExp(`${MENTION.source}|<(?:https?:\\/\\/|mailto:)[^\\s<>|]+\\|[^<>|\\r\\n]+>`, 'y')

/**
 * Reads bare URLs and `www.` addresses, which end where the dialect ends a bare link (§3.5): models write
 * `请访问 https://example.com。谢谢`. Inside an open bracket, a URL also ends before the closing one.
 */
export function urlSyntax(): Extension {
  const url: Construct = {
    name: 'bareUrl',
    // micromark tries constructs inside words, too, but a URL does not start there.
    previous: (code) => code === null || code < 0 || (traits(code) & URL_BARRIER) === 0,
    tokenize(effects, ok, nok) {
      if ((traitsBefore(...around(this, this.now(), -2)) & URL_BARRIER) !== 0) return nok
      let text = ''
      let left = 0
      const gather: Construct = {
        partial: true,
        tokenize(ahead, found, none) {
          const leave: State = (code) => {
            ahead.exit('data')
            return found(code)
          }
          const next: State = (code) => {
            const isStart = text.length > PREFIX_LENGTH || prefixes.some((prefix) => isAlike(text, prefix))
            if (!isStart) return none(code)
            if (code === null || code < 0 || (traits(code) & URL_STOP) !== 0) return leave(code)
            text += String.fromCharCode(code)
            ahead.consume(code)
            // Another URL follows.
            return /.[,;|]https?:\/\/$/i.test(text.slice(-10)) ? leave : next
          }
          ahead.enter('data')
          return next
        },
      }
      const consume: State = (code) => {
        if (left === 0) {
          effects.exit(typeOf(text))
          effects.exit(LITERAL)
          return ok(code)
        }
        left -= 1
        effects.consume(code)
        return consume
      }
      const begin: State = (code) => {
        left = urlLength(this, text)
        if (left === 0) return nok(code)
        effects.enter(LITERAL)
        effects.enter(typeOf(text))
        return consume(code)
      }
      return effects.check(gather, begin, nok)
    },
  }
  const text: Record<number, Construct> = {}
  for (const character of 'hHwW') text[character.charCodeAt(0)] = url
  return { disable: { null: ['protocolAutolink', 'wwwAutolink'] }, text }
}

/** Types of tokens that mdast-util-gfm turns into links. */
const LITERAL = 'literalAutolink' as TokenType

function typeOf(url: string): TokenType {
  return (/^w/i.test(url) ? 'literalAutolinkWww' : 'literalAutolinkHttp') as TokenType
}

const prefixes = ['https://', 'http://', 'www.']
const PREFIX_LENGTH = 8

/** Whether a text begins with a prefix, or is the beginning of it. */
function isAlike(text: string, prefix: string): boolean {
  const length = Math.min(text.length, prefix.length)
  return text.slice(0, length).toLowerCase() === prefix.slice(0, length)
}

/** Returns the length of the URL that a text begins with, or 0. */
function urlLength(context: Tokenizer, text: string): number {
  if (!prefixes.some((prefix) => text.slice(0, prefix.length).toLowerCase() === prefix)) return 0
  const prefix = /^w/i.test(text) ? 'http://' : ''
  let url = isInBrackets(context) ? text.slice(0, endInBrackets(text)) : text
  for (;;) {
    const [block] = parse(prefix + url).children
    const [link] = block?.type === 'paragraph' ? block.children : []
    if (link?.type !== 'link') return 0
    const length = (link.position?.end.offset ?? 0) - prefix.length
    const [closers = ''] = /(?:\*+|_+|~+)$/.exec(url.slice(0, length)) ?? []
    if (closers === '' || !isDelimiterOpen(context, closers.charAt(0))) return length
    url = url.slice(0, length - closers.length)
  }
}

/** Whether an opening bracket before the current position may still become a link or an image. */
export function isInBrackets({ events }: Tokenizer): boolean {
  return events.some(([, { type, _balanced }]) => (type === 'labelLink' || type === 'labelImage') && !_balanced)
}

/** Returns the offset of the first closing bracket without an opening one in the text. */
function endInBrackets(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']' && depth === 0) return at
    else if (text[at] === ']') depth -= 1
  }
  return text.length
}

/** Whether a delimiter before the current position is still open. */
function isDelimiterOpen(context: Tokenizer, delimiter: string): boolean {
  let count = 0
  for (const [kind, token] of context.events) {
    if (kind !== 'enter' || (!token._open && !token._close) || context.sliceSerialize(token)[0] !== delimiter) continue
    if (token._close && count > 0) count -= 1
    else if (token._open) count += 1
  }
  return count > 0
}

/** Creates an extension that calls `add` with each label in brackets without a definition. */
export function unresolvedLabels(add: (label: string) => void): Extension {
  const known = new WeakSet<object>()
  const construct: Construct = {
    name: 'unresolved',
    // The parser's own construct has found that the brackets are balanced, and are not a link.
    add: 'after',
    tokenize(_, __, nok) {
      const [, start] =
        this.events.findLast(
          ([, token]) => /^label(?:Link|Image)$/.test(token.type) && token._balanced && !known.has(token),
        ) ?? []
      if (start === undefined) return nok
      known.add(start)
      add(this.sliceSerialize({ start: start.end, end: this.now() }))
      return nok
    },
  }
  return { text: { [RIGHT_BRACKET]: construct } }
}

/**
 * Creates an extension for micromark that reads a formula as code, so that its characters stay as typed. Later, the first
 * character of the code in the source tells whether it is a formula.
 *
 * @param source - the whole text that is parsed
 * @param openEnd - the end of a text whose last line is still being written; null if there is none
 */
export function mathText(source: string, openEnd: number | null = null): Extension {
  const construct = codeConstruct('math', (start) => {
    const end = endOfMath(source, start)
    // A digit may follow the last dollar sign of a text that is still being written: `$350–$400`.
    if (end === openEnd && openerAt(source, start) === '$' && !/[\\^_={]/.test(source.slice(start, openEnd ?? 0)))
      return null
    const { length } = openerAt(source, start)
    return end === null ? null : { end, from: start + length, to: end - length }
  })
  return { text: { [DOLLAR]: construct, [BACKSLASH]: construct } }
}

/** Returns the offset after the formula that begins at `start`, or null. */
function endOfMath(text: string, start: number): number | null {
  const opener = openerAt(text, start)
  const closer = closers.get(opener)
  if (closer === undefined) return null
  const from = start + opener.length
  const end = closerAt(text, from, closer)
  const content = text.slice(from, end)
  if (end < 0 || content.trim() === '') return null
  if (opener === '$' && !isDollarMath(content, text[end + 1] ?? '')) return null
  // Escaped brackets in a sentence are not a formula.
  if (opener === '\\[' && !/^\s|\s$|[\\^_=]/.test(content)) return null
  return end + closer.length
}

/** The closing delimiter of each opening delimiter. */
const closers: ReadonlyMap<string, string> = new Map([
  ['$', '$'],
  ['$$', '$$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
])

/** Returns the delimiter that may open a formula at `start`. A dollar after a letter or digit does not (`US$5`). */
export function openerAt(text: string, start: number): string {
  if (text[start] !== '$') return text.slice(start, start + 2)
  if (/[\p{L}\p{N}$]/u.test(text[start - 1] ?? ' ')) return ''
  return text[start + 1] === '$' ? '$$' : '$'
}

function closerAt(text: string, from: number, closer: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith(closer, at)) return at
    if (text[at] === '\\') at += 1
    else if (text[at] === '\n') {
      BLANK_LINE.lastIndex = at + 1
      if (BLANK_LINE.test(text)) return -1
    }
  }
  return -1
}

const BLANK_LINE = /[ \t]*\n/y

/**
 * Whether single dollars around a text make it a formula: no white space inside them, no digit after them. A letter may follow
 * only what is clearly a formula (`$n$th`, not `$HOME/$USER`), and prices in a sentence are not a formula
 * (`$5 or 6$`).
 */
function isDollarMath(content: string, after: string): boolean {
  if (/^\s|\s$|`/.test(content) || /\d/.test(after)) return false
  if (/\p{L}/u.test(after) && !/^\p{L}$|[\\^{]/u.test(content)) return false
  return !/^\d/.test(content) || !/[\s(]\p{L}{2,}/u.test(content)
}

/** A run of stars that is still open. */
interface OpenRun {
  readonly end: Point
  readonly length: number
  remaining: number
  /** Whether the character before the run allows that a late run closes it (§4.7). */
  readonly isFree: boolean
  /** Whether letters are on both sides of it. */
  readonly isInWord: boolean
}

/**
 * Creates the extension for emphasis that models write: `**注意：**正文`, `**「重要」**です` and `**Status:**OK`. micromark's own
 * emphasis stays. In addition, a run next to a character of class C may open or close, and a late run (§4.7) may close.
 */
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
  // A late run (§4.7), for example in `**Status:**OK`, may close if the opener allows it.
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
function around(context: Tokenizer, point: Point, length: -2 | 2): [text: string, at: number] {
  if (point._bufferIndex < 0) return ['', 0]
  const other = { ...point, _bufferIndex: Math.max(0, point._bufferIndex + length) }
  if (length > 0) return [context.sliceSerialize({ start: point, end: other }), 0]
  const text = point._bufferIndex === 0 ? '' : context.sliceSerialize({ start: other, end: point })
  return [text, text.length]
}

/**
 * Whether a closer matches an opener. An opener inside a word needs a `**` outside of words, or a closer with no white space
 * between them, as in `un**believ**able`. `x**2 + y**2` stays as typed.
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

/** Whether a late run (§4.7) closes the given opener. */
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
