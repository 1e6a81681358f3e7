/**
 * Extensions of micromark for what models write: formulas, tags that are not HTML's, links as Slack writes them, bare URLs that
 * end where the dialect ends them, and emphasis that models mean but CommonMark does not read.
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
import { blockAfter, flowStart, NO_BLOCK } from './section.js'

export type Extension = NonNullable<Options['extensions']>[number]
export type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>
export type Tokenizer = ThisParameterType<Construct['tokenize']>
type State = ReturnType<Construct['tokenize']>
type Effects = Parameters<Construct['tokenize']>[0]
type TokenType = Parameters<Effects['enter']>[0]

type Point = ReturnType<Tokenizer['now']>

const [STAR, UNDERSCORE, TILDE, LESS_THAN, RIGHT_BRACKET] = [42, 95, 126, 60, 93]
export const DOLLAR = 36
export const BACKSLASH = 92

/**
 * Creates a construct that reads a span of the source as HTML, so that its characters stay as typed.
 *
 * @param endAt - returns the end of the span that begins at an offset, or null if no span begins there
 * @param types - the token types of the span and of each of its lines; `codeTextSequence` twice omits the span from the tree
 */
export function spanConstruct(
  name: string,
  endAt: (offset: number, context: Tokenizer) => number | null,
  types: readonly [string, string] = ['htmlText', 'htmlTextData'],
): Construct {
  return {
    name,
    tokenize(effects, ok, nok) {
      const end = endAt(this.now().offset, this)
      return end === null ? nok : readTo(end, types).call(this, effects, ok, nok)
    },
  }
}

/** Returns a tokenizer that reads up to the offset `end` into a token that contains a token for each line. */
function readTo(end: number, types: readonly [string, string]): Construct['tokenize'] {
  const [type, lineType] = types as [TokenType, TokenType] // Extensions define further types.
  const isFlow = type === 'htmlFlow'
  return function (effects, ok, nok) {
    let isInLine = false
    const read: State = (code) => {
      const isLineEnd = code === null || code < -2
      const isEnd = this.now().offset === end || (isFlow && isLineEnd && this.interrupt === true)
      if (isInLine && (isEnd || isLineEnd)) {
        effects.exit(lineType)
        isInLine = false
      }
      if (isEnd) {
        effects.exit(type)
        return ok(code)
      }
      // The text may end before the source does. Without this check, a span that does not end in the text would be read forever.
      if (code === null) return nok(code)
      if (isLineEnd) {
        effects.enter('lineEnding')
        effects.consume(code)
        effects.exit('lineEnding')
        return (next) => (isFlow && this.parser.lazy[this.now().line] === true ? nok : read)(next)
      }
      if (!isInLine) effects.enter(lineType)
      isInLine = true
      effects.consume(code)
      return read
    }
    return (code) => {
      effects.enter(type)
      return read(code)
    }
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
  const block = htmlBlock(source, endFinder(source))
  return { disable: { null: [HTML] }, flow: { [LESS_THAN]: block, [DOLLAR]: block, [BACKSLASH]: block } }
}

const HTML = 'htmlFlow'

/**
 * Returns a function that returns the end of a formula, or null. An unclosed formula would swallow lists and quotes after it, so
 * it stays text.
 */
function endFinder(source: string): (offset: number, end: RegExp) => number | null {
  /** For each pattern of an end, the offset up to which nothing matches it. */
  const withoutEnd = new Map<string, number>()
  return (offset, end) => {
    if (offset < (withoutEnd.get(end.source) ?? 0)) return null
    let [block, at] = [NO_BLOCK, offset]
    for (const line of source.slice(offset).split(/\r\n?|\n/, LINES_MAX)) {
      const isBlank = /^[ \t>]*$/.test(line)
      block = blockAfter(block, isBlank ? '' : line)
      if (block.isEnded && !isBlank) return at + line.length
      if (block.isEnded || block.kind !== 'math') break
      at += line.length + (source.startsWith('\r\n', at + line.length) ? 2 : 1)
    }
    withoutEnd.set(end.source, at)
    return null
  }
}

/** Reads an HTML block if `flowStart` finds one. A formula, and a tag alone on its line that is not HTML's, become HTML, too. */
function htmlBlock(source: string, endOfMath: (offset: number, end: RegExp) => number | null): Construct {
  const htmlOf = ({ parser }: Tokenizer): Construct | undefined =>
    [parser.constructs.flow[LESS_THAN] ?? []].flat().find(({ name }) => name === HTML)
  return {
    name: 'htmlBlock',
    concrete: true,
    resolveTo: (events, context) => htmlOf(context)?.resolveTo?.(events, context) ?? events,
    tokenize(effects, ok, nok) {
      const { offset } = this.now()
      const text = source.slice(offset, offset + source.slice(offset).search(/[\r\n]|$/))
      const start = flowStart(text, this.interrupt === true)
      // micromark's construct is called directly, because in an attempt it would not know that it interrupts a paragraph.
      if (start?.kind === 'html') return htmlOf(this)?.tokenize.call(this, effects, ok, nok) ?? nok
      const end =
        start?.kind === 'math' ? endOfMath(offset, start.end) : start?.kind === 'tag' ? offset + text.length : null
      return end === null ? nok : readTo(end, ['htmlFlow', 'htmlFlowData']).call(this, effects, ok, nok)
    },
  }
}

/**
 * Tokenizes mentions, `<@id|label>`, and Slack's links, `<https://a.b|label>`. They become `html` nodes, which `adjust` converts.
 *
 * @param source - the whole text that is parsed
 * @param commonmark - true to read only mentions
 */
export function referenceSyntax(source: string, commonmark: boolean): Extension {
  const construct = spanConstruct('reference', (offset) => {
    const pattern = commonmark ? MENTION : REFERENCE
    return matchesAt(pattern, source, offset) ? pattern.lastIndex : null
  })
  return { text: { [LESS_THAN]: construct } }
}

const MENTION = /<@[^\s<>|`]+(?:\|[^<>|`\r\n]*)?>/y
const REFERENCE = new RegExp(`${MENTION.source}|<(?:https?:\\/\\/|mailto:)[^\\s<>|]+\\|[^<>|\\r\\n]+>`, 'y')

/**
 * Reads bare URLs and `www.` addresses, which end where the dialect ends a bare link (§3.5), because models write
 * `请访问 https://example.com。谢谢`. Inside an open bracket, a URL also ends before the closing one.
 */
export function urlSyntax(): Extension {
  const urlEnd = (offset: number, context: Tokenizer): number | null => {
    const point = context.now()
    if ((traitsBefore(...textAround(context, point, -2)) & URL_BARRIER) !== 0) return null
    const [text] = textAround(context, point, Number.POSITIVE_INFINITY)
    const length = URL_START.test(text) ? urlLength(context, text.slice(0, endOfUrl(text))) : 0
    return length === 0 ? null : offset + length
  }
  const text: Record<number, Construct> = {}
  for (const character of 'hHwW')
    text[character.charCodeAt(0)] = {
      // mdast-util-gfm turns these tokens into links.
      ...spanConstruct('bareUrl', urlEnd, [
        'literalAutolink',
        `literalAutolink${/w/i.test(character) ? 'Www' : 'Http'}`,
      ]),
      // micromark tries constructs inside words, too, but a URL does not start there.
      previous: (code) => code === null || code < 0 || (traits(code) & URL_BARRIER) === 0,
    }
  return { disable: { null: ['protocolAutolink', 'wwwAutolink'] }, text }
}

const URL_START = /^(?:https?:\/\/|www\.)(?:[\p{L}\p{N}]|\[[\da-f:.]+\])/iu

/** Returns the end of the text that may be a URL: before a character that ends every URL, or before a match of URL_END. */
function endOfUrl(text: string): number {
  for (let end = 0; end < text.length; end += 1)
    if ((traitsAt(text, end) & URL_STOP) !== 0 || matchesAt(URL_END, text, end)) return end
  return text.length
}

/** Matches references such as `&quot;`, and the comma in `https://a.b,https://c.d`, so that the parser reads each URL only once. */
const URL_END = /[,;|]https?:\/\/[\p{L}\p{N}]|&(?:quot|apos|lt|gt|nbsp|#\w+);/iuy

/** Whether a sticky pattern matches a text at an offset. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Returns the length of the URL that a text begins with, or 0. */
function urlLength(context: Tokenizer, text: string): number {
  const prefix = /^w/i.test(text) ? 'http://' : ''
  let url = text.includes(']') && isInBrackets(context) ? text.slice(0, endInBrackets(text)) : text
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

/** Whether an opening bracket before the current position may still become a link or an image. A bracket around a link cannot. */
export function isInBrackets({ events }: Tokenizer): boolean {
  return events.some(
    ([, { type, _balanced, _inactive }]) => /^label(?:Link|Image)$/.test(type) && !_balanced && !_inactive,
  )
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
  const reportedTokens = new WeakSet<object>()
  const construct: Construct = {
    name: 'unresolved',
    // The parser's own construct has found that the brackets are balanced, and are not a link.
    add: 'after',
    tokenize(_, __, nok) {
      const [, start] =
        this.events.findLast(
          ([, token]) => /^label(?:Link|Image)$/.test(token.type) && token._balanced && !reportedTokens.has(token),
        ) ?? []
      if (start === undefined) return nok
      reportedTokens.add(start)
      add(this.sliceSerialize({ start: start.end, end: this.now() }))
      return nok
    },
  }
  return { text: { [RIGHT_BRACKET]: construct } }
}

/**
 * Creates an extension that tokenizes formulas. They become `html` nodes, which `adjust` recognizes by their first character.
 *
 * @param source - the whole text that is parsed
 * @param openEnd - the end of a text whose last line is still being written
 */
export function mathText(source: string, openEnd?: number): Extension {
  const construct = spanConstruct('math', (start) => {
    const end = endOfMath(source, start)
    // The last dollar sign of unfinished text may begin a price, as in `$350–$` before `400`. Then it closes no formula.
    const isPrice = openerAt(source, start) === '$' && !/[\\^_={]/.test(source.slice(start, openEnd ?? 0))
    return end === openEnd && isPrice ? null : end
  })
  return { text: { [DOLLAR]: construct, [BACKSLASH]: construct } }
}

/** Returns the offset after the formula that begins at `start`, or null. */
function endOfMath(text: string, start: number): number | null {
  const opener = openerAt(text, start)
  const formula = formulas.get(opener)
  if (formula === undefined) return null
  formula.lastIndex = start
  const [, content = ''] = formula.exec(text) ?? []
  const end = formula.lastIndex
  if (content.trim() === '') return null
  if (opener === '$' && !isDollarMath(content, text[end] ?? '')) return null
  // Escaped brackets in a sentence are not a formula.
  if (opener === '\\[' && !/^\s|\s$|[\\^_=]/.test(content)) return null
  return end
}

/**
 * Matches the content of a formula, which has no blank line; a backslash escapes the character after it. The limit of 4,000
 * characters bounds the time for many delimiters without an end.
 */
const MATH = String.raw`((?:\\[^]|\n(?![ \t]*\n)|[^\\\n]){0,4000}?)`

/** Matches a formula from each delimiter that may open it. */
const formulas: ReadonlyMap<string, RegExp> = new Map([
  ['$', new RegExp(String.raw`\$${MATH}\$`, 'y')],
  ['$$', new RegExp(String.raw`\$\$${MATH}\$\$`, 'y')],
  ['\\(', new RegExp(String.raw`\\\(${MATH}\\\)`, 'y')],
  ['\\[', new RegExp(String.raw`\\\[${MATH}\\\]`, 'y')],
])

/** Returns the delimiter that may open a formula at `start`. A dollar after a letter or digit does not (`US$5`). */
export function openerAt(text: string, start: number): string {
  if (text[start] !== '$') return text.slice(start, start + 2)
  if (/[\p{L}\p{N}$]/u.test(text[start - 1] ?? ' ')) return ''
  return text[start + 1] === '$' ? '$$' : '$'
}

/**
 * Whether single dollars around a text make it a formula: no white space inside them, no digit after them. A letter may follow
 * only what is clearly a formula (`$n$th`, not `$HOME/$USER`), and prices in a sentence are not a formula (`$5 or 6$`).
 */
function isDollarMath(content: string, after: string): boolean {
  if (/^\s|\s$|`/.test(content) || /\d/.test(after)) return false
  if (/\p{L}/u.test(after) && !/^\p{L}$|[\\^{]/u.test(content)) return false
  return !/^\d/.test(content) || !/[\s(]\p{L}{2,}/u.test(content)
}

/**
 * Creates the extension for emphasis that models write: `**注意：**正文`, `**「重要」**です`. In addition to CommonMark, a run next to a
 * character of class C (§1) can format, and a run such as in `**Status:**OK` (§4.7). Some other runs become text: `4*k*4`.
 */
export function dialectEmphasis(): Extension {
  const openRuns = new WeakMap<Tokenizer, OpenRun[]>()
  const construct: Construct = {
    name: 'dialectEmphasis',
    tokenize(effects, ok, nok) {
      return (code) => {
        const constructs = this.parser.constructs.text[Number(code)] ?? []
        const name = code === TILDE ? 'strikethrough' : 'attention'
        const ownConstructs = [constructs].flat().filter((each) => each.name === name)
        const widenAndContinue: typeof ok = (next) => {
          const open = openRuns.get(this) ?? []
          openRuns.set(this, open)
          widen(this, Number(code), open)
          return ok(next)
        }
        return effects.attempt(ownConstructs, widenAndContinue, nok)(code)
      }
    },
  }
  return { text: { [STAR]: construct, [UNDERSCORE]: construct, [TILDE]: construct } }
}

type Token = Tokenizer['events'][number][1]

/** A run of stars, and the number of its stars that are still open. */
interface OpenRun {
  readonly token: Token
  starCount: number
}

/** Corrects whether the latest run can open and close: mostly the dialect allows more than CommonMark, in some cases less. */
function widen(context: Tokenizer, marker: number, open: OpenRun[]): void {
  const token = context.events.at(-1)?.[1]
  if (token === undefined) return
  const [before, after] = traitsAround(context, token)
  const { opens, closes } = widerFlanks(marker, before, after)
  token._open = (token._open || opens) && !(lengthOf(token) === 1 && isPattern(context, token))
  token._close ||= closes
  if (marker !== STAR) return
  const isInWord = (before & after & LETTER) !== 0
  const length = lengthOf(token)
  const opener = open.at(-1)
  if (isInWord && length === 1) {
    // One star in a word is text: `4*k*4`.
    token._open = false
    token._close = false
  } else if (opener !== undefined) {
    const text = context.sliceSerialize({ start: opener.token.end, end: token.start })
    const [beforeOpener, afterOpener] = traitsAround(context, opener.token)
    // A late run (§4.7) is between punctuation and a letter: `**Status:**OK`. The run may close if the opener allows it.
    const isLate = (before & (PUNCTUATION | NO_LATE_CLOSE)) === PUNCTUATION && (after & LETTER) !== 0
    const hasBeginner = (beforeOpener & (UNSPACED | OPENS_AFTER)) !== 0
    const isAlike = opener.starCount === length && lengthOf(opener.token) === length
    if (isLate && length > 1 && hasBeginner && isAlike && hasWord(text)) token._close = true
    // An opener inside a word is not closed after white space: `x**2 + y**2`. Two stars are, if their closer is not inside a word.
    const isOpenerInWord = (beforeOpener & afterOpener & LETTER) !== 0
    const isPair = !isInWord && length === 2 && lengthOf(opener.token) === 2
    if (isOpenerInWord && !isPair && /\s/.test(text)) token._close = false
    // Emphasis contains a word, and two stars before a slash are a glob: `**/*.ts`.
    const isGlob = lengthOf(opener.token) > 1 && text.startsWith('/')
    if (length === 1 && (isGlob || !hasWord(text))) token._close = false
  }
  const starCount = token._close ? close(open, length) : length
  if (token._open && starCount > 0) open.push({ token, starCount })
}

/** Whether a single delimiter is part of a glob, a regular expression, code (`f(a)*b`) or an emoticon. A link before it does not count. */
function isPattern(context: Tokenizer, token: Token): boolean {
  const isAfterLink = /^(?:link|image)$/.test(context.events.at(-3)?.[1].type ?? '')
  const [before] = isAfterLink ? [''] : textAround(context, token.start, -2)
  const [after] = textAround(context, token.end, 2)
  return PATTERN.test(before.padStart(2) + context.sliceSerialize(token) + after)
}

/** Matches `src/*.ts`, `[0-9]*`, `.*x`, `count(*)`, `(*´ω｀*)`, `(*≧∀≦*)` (§4), and with `_` also `^_^`, `-_-` and `>_<`. */
const PATTERN =
  /^(?:.\/\*[./]|.[)\]}]\*|[^.]\.\*|.{1,2}\*[)\]},;]|.[(（]\*(?:(?!`)\p{Sk}|[^\P{Sm}\x00-\x7f](?!\s))|.([-^;=.，、。：；！？])_\1|.>_<)/su

/** Closes the last open runs with a number of stars, and returns the number of stars that are left. */
function close(open: OpenRun[], starCount: number): number {
  const opener = open.at(-1)
  if (opener === undefined) return starCount
  if (opener.starCount > starCount) {
    opener.starCount -= starCount
    return 0
  }
  open.pop()
  return close(open, starCount - opener.starCount)
}

function lengthOf({ start, end }: Token): number {
  return end.offset - start.offset
}

function traitsAround(context: Tokenizer, { start, end }: Token): [before: number, after: number] {
  return [traitsBefore(...textAround(context, start, -2)), traitsAt(...textAround(context, end, 2))]
}

/** Returns whether a run next to a character of class C may open or close in the dialect: `**「重要」**です`. */
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

/**
 * Returns the `length` characters after a point, or before it if `length` is negative, and the point's index in them. Line
 * endings and tabs count as white space.
 */
function textAround(context: Tokenizer, point: Point, length: number): [text: string, at: number] {
  if (point._bufferIndex < 0) return ['', 0]
  const other = { ...point, _bufferIndex: Math.max(0, point._bufferIndex + length) }
  if (length > 0) return [context.sliceSerialize({ start: point, end: other }), 0]
  const text = point._bufferIndex === 0 ? '' : context.sliceSerialize({ start: other, end: point })
  return [text, text.length]
}

/** Whether a text contains a word (§4): a word character or code. */
function hasWord(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if ((traitsAt(text, at) & WORD) !== 0 || text[at] === '`') return true
  }
  return false
}
