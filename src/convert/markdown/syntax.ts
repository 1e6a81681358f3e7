/**
 * Extensions of micromark. Blocks that models write: math between `$$`, or between `\[` and `\]`, and tags that are not HTML's.
 * Bare URLs that end where the dialect ends them.
 */
import { traits, traitsBefore, URL_BARRIER, URL_STOP } from '../../characters.js'
import { parse } from '../../index.js'
import { around } from './emphasis.js'
import {
  type Construct,
  codeConstruct,
  type Extension,
  type State,
  type Tokenizer,
  type TokenType,
} from './micromark.js'
import { BLANK_MAX } from './section.js'
import { type FlowStart, flowStart } from './starts.js'

/** Maximum number of lines of a formula. */
const LINES_MAX = 200

const [LESS_THAN, DOLLAR, BACKSLASH] = [60, 36, 92]

/**
 * Makes the extension for blocks.
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

/** Finds out whether a formula has an end. Without one, the lines after its start may begin containers, which the parser would not see. */
function endFinder(source: string): (offset: number, end: RegExp) => boolean {
  /** The offsets up to which nothing matches an end. */
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

/** Reads HTML where this package sees its start, and a tag that is not HTML's as HTML of one line. */
function htmlBlock(startAt: StartAt): Construct {
  return {
    name: 'tag',
    concrete: true,
    tokenize(effects, ok, nok) {
      const kind = startAt(this.now().offset, this.interrupt === true)?.kind
      const html = [this.parser.constructs.flow[LESS_THAN] ?? []].flat().find(({ name }) => name === HTML)
      // Without its name, the parser's own construct is not disabled.
      if (kind === 'html' && html !== undefined) return effects.attempt({ ...html, name: 'html' }, ok, nok)
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
      /** The opening delimiter, two characters. */
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
 * Reads links as Slack writes them, `<https://a.b|label>`, as code: only its first character in the source differs.
 *
 * @param source - the whole text that is parsed
 */
export function namedLinks(source: string): Extension {
  const construct = codeConstruct('namedLink', (offset) => {
    NAMED_LINK.lastIndex = offset
    const [link = ''] = NAMED_LINK.exec(source) ?? []
    return link === '' ? null : { end: offset + link.length, from: offset + 1, to: offset + link.length - 1 }
  })
  return { text: { [LESS_THAN]: construct } }
}

const NAMED_LINK = /<(?:https?:\/\/|mailto:)[^\s<>|]+\|[^<>|\r\n]+>/y

/**
 * Reads bare URLs and `www.` addresses, which end where the dialect ends a bare link (§3.5): models write
 * `请访问 https://example.com。谢谢`. In a bracket that is open, they also end before the bracket that closes it.
 */
export function urlSyntax(): Extension {
  const url: Construct = {
    name: 'bareUrl',
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
            return /.[,;|]https?:\/\/$/i.test(text) ? leave : next
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

/** Tokens that GFM's extension for the tree knows. */
const LITERAL = 'literalAutolink' as TokenType

function typeOf(url: string): TokenType {
  return (/^w/i.test(url) ? 'literalAutolinkWww' : 'literalAutolinkHttp') as TokenType
}

const prefixes = ['https://', 'http://', 'www.']
const PREFIX_LENGTH = 8

/** Whether a text begins with a prefix, or may begin with it. */
function isAlike(text: string, prefix: string): boolean {
  const length = Math.min(text.length, prefix.length)
  return text.slice(0, length).toLowerCase() === prefix.slice(0, length)
}

/** Returns the length of the URL that a text begins with, or 0. */
function urlLength(context: Tokenizer, text: string): number {
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

/** Returns the offset of the first bracket that nothing in the text opens. */
function endInBrackets(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']' && depth === 0) return at
    else if (text[at] === ']') depth -= 1
  }
  return text.length
}

/** Whether a delimiter before the current position waits for its partner. */
function isDelimiterOpen(context: Tokenizer, delimiter: string): boolean {
  let count = 0
  for (const [kind, token] of context.events) {
    if (kind !== 'enter' || (!token._open && !token._close) || context.sliceSerialize(token)[0] !== delimiter) continue
    if (token._close && count > 0) count -= 1
    else if (token._open) count += 1
  }
  return count > 0
}
