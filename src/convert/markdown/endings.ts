/**
 * Extensions that let micromark parse a paragraph that is still being written: they hide half-typed markup at its end, and close
 * the formatting, code, formulas and links that are open at its end. micromark's own constructs come first, so complete
 * constructs are parsed as usual.
 */
import type { Nodes } from 'mdast'
import type { CompileContext, Extension as TreeExtension } from 'mdast-util-from-markdown'
import { LETTER, traitsAt, traitsBefore } from '../../characters.js'
import { isFormatting } from '../../delimiters.js'
import { isText, namesOfOpen, piecesOf, readTag } from '../html.js'
import {
  BACKSLASH,
  type Construct,
  DOLLAR,
  type Extension,
  isInBrackets,
  matchesAt,
  openerAt,
  spanConstruct,
  type Tokenizer,
} from './syntax.js'

/**
 * Creates the extensions for an unfinished paragraph.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param isInLine - whether the source ends inside a line, which the next character may continue
 */
export function endingsOf(
  source: string,
  start: number,
  isInLine: boolean,
): { extension: Extension; treeExtension: TreeExtension } {
  const elements = endedElements(source, start)
  // Formatting ends with the element that contains it.
  const isInside = (at: number): boolean => elements.some((element) => element.start < at && at < element.end)
  const construct = (name: string, isSpan: SpanTest, type?: 'codeTextSequence'): Construct => {
    const endAt = (offset: number, context: Tokenizer): number | null =>
      offset >= start && isSpan(source, offset, context) ? source.length : null
    return spanConstruct(name, endAt, type && [type, type])
  }
  const hidden = construct('hidden', (html, at, context) => isHidden(html, at, isInLine, context), 'codeTextSequence')
  const math = construct('openMath', (html, at) => isOpenMath(html, at) && !isInside(at))
  const text: Record<number, Construct | Construct[]> = { [BACKSLASH]: [hidden, math], [DOLLAR]: [hidden, math] }
  for (const character of '*_~&![]') text[character.charCodeAt(0)] = hidden
  // Code does not start after a backtick: otherwise micromark would try `openCode` at each backtick of a run.
  const previous = (code: number | null): boolean => code !== BACKTICK
  text[BACKTICK] = [hidden, construct('openCode', (_, at) => !isInside(at))].map((each) => ({
    ...each,
    add: 'after',
    previous,
  }))
  text['<'.charCodeAt(0)] = {
    ...construct('halfHtml', (html, at) => matchesAt(HALF_HTML, html, at), 'codeTextSequence'),
    add: 'after',
  }
  return { extension: { text }, treeExtension: openEnds(source, start, isInLine, isInside) }
}

const BACKTICK = 96

/** Whether a span starts at an offset and goes on to the end of the text. */
type SpanTest = (text: string, at: number, context: Tokenizer) => boolean

/** Matches the URL of a link, in which parentheses are balanced; the last one may still be open. */
const TARGET = String.raw`(?=[^\s<])(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*(?:\((?:[^\s()\\]|\\.)*)?\\?`
const TITLE = String.raw`"[^"]*(?:"\s*)?|'[^']*(?:'\s*)?|\([^)]*(?:\)\s*)?`

/** Half-typed markup that a later line may complete, by its first character. */
const halfPatterns: Readonly<Record<string, RegExp>> = {
  '\\': /\\(?:\(\s*\\?)?$/y,
  $: /\$\$\s*\$?$/y,
  '`': /`+$/y,
  '[': /\[\^[^\s[\]]*$/y,
  // The `]` of a link is hidden until its URL, or the name of its definition, is complete.
  ']': new RegExp(`\\](?:\\[[^\\]]*|\\(\\s*(?:<[^<>\\n]*|(?:<[^<>\\n]*>|${TARGET})(?:\\s+(?:${TITLE})?)?)?)$`, 'y'),
}

/** Half-typed markup that only the rest of its line may complete, by its first character. */
const halfPatternsInLine: Readonly<Record<string, RegExp>> = {
  $: /(?<=\$[^\s$](?:[^$]*[^\s$])?)\$$/y,
  '*': /\*+$/y,
  _: /_+$/y,
  '~': /~+$/y,
  '!': /(?<=^|\s)!$/y,
  '&': /&(?:#(?:\d{0,7}|[xX][\da-fA-F]{0,6})|[A-Za-z][A-Za-z\d]{0,31})?$/y,
  ']': /\]$/y,
}

function isHidden(text: string, at: number, isInLine: boolean, context: Tokenizer): boolean {
  const character = text.charAt(at)
  const patterns = isInLine ? [halfPatterns[character], halfPatternsInLine[character]] : [halfPatterns[character]]
  if (!patterns.some((pattern) => pattern !== undefined && matchesAt(pattern, text, at))) return false
  return character === ']' ? isInBrackets(context) : !/[*_~]/.test(character) || !isCloser(text, at, context)
}

/** Whether the delimiters from a position to the end of a text close the last open run of their kind and length. */
function isCloser(text: string, at: number, { events }: Tokenizer): boolean {
  const last = events.findLast(([, { start }]) => text[start.offset] === text[at])?.[1]
  const isAlike = last?._open === true && last.end.offset - last.start.offset === text.length - at
  return isAlike && !/\s/.test(text.charAt(at - 1))
}

/** Whether a formula starts that does not end. A dollar sign of a possible price, or an escaped bracket, does not start one. */
function isOpenMath(text: string, at: number): boolean {
  const opener = openerAt(text, at)
  const rest = text.slice(at + opener.length)
  const isOpen = opener === '$' ? /^\S[^`]*[\\^_={]/.test(rest) : opener === '$$' || opener === '\\('
  return isOpen && !rest.includes(opener === '\\(' ? '\\)' : opener)
}

/** Returns, for each element that starts and ends after `from`, the offsets of its start tag and its end tag. */
function endedElements(text: string, from: number): { start: number; end: number }[] {
  const open: { name: string; start: number }[] = []
  return Array.from(text.slice(from).matchAll(CODE_OR_TAG)).flatMap(({ 0: markup, index }) => {
    const tag = readTag(markup)
    if (tag?.isEnd === false) open.push({ name: tag.name, start: from + index })
    const at = tag?.isEnd === true ? open.findLastIndex(({ name }) => name === tag.name) : -1
    const [first] = at < 0 ? [] : open.splice(at)
    return first === undefined ? [] : [{ start: first.start, end: from + index }]
  })
}

/** Matches a tag; also an escaped character or code, because tags in them are text. */
const CODE_OR_TAG = /\\[\\`<]|(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)|<\/?[a-z][^<>]*>/gi

const ATTRIBUTE = `[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]+|'[^']*'|"[^"]*"))?`
const HALF_ATTRIBUTE = `[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]*|'[^']*|"[^"]*))?`

/** Matches the start of a tag, an autolink, a comment, an instruction, a declaration, CDATA, or a mention, up to the end. */
const HALF_HTML = new RegExp(
  [
    '<',
    `</?(?:[A-Za-z][A-Za-z\\d-]*(?:\\s+${ATTRIBUTE})*\\s*(?:\\s${HALF_ATTRIBUTE}|/)?)?`,
    '<[A-Za-z][A-Za-z\\d+.-]{1,31}:[^\\s<>]*',
    '<[^\\s<>@]+@[^\\s<>]*|<@[^<>]*',
    '<!-?|<!--[^]*|<\\?[^]*|<!\\[[^]*|<![A-Za-z][^>]*',
  ]
    .map((pattern) => `(?:${pattern})$`)
    .join('|'),
  'y',
)

/** Matches a placeholder that people fill in, for example `[your name]`, which is not a link. */
const PLACEHOLDER =
  /^\[(?:your|insert|enter|add|name|date|company|city|address|recipient|phone|e-?mail|title|position)\b[^\]]*$/i

type OnEnterError = NonNullable<Parameters<CompileContext['enter']>[2]>
type Token = Parameters<CompileContext['exit']>[0]

/** Ends an open node at the end of a node around it. */
const end: OnEnterError = function (left) {
  // `exit` closes the node without taking text from the source.
  if (left !== undefined) this.exit.call(this as CompileContext, left)
}

/**
 * Creates an extension that formats the text after delimiters that are still open at the end of an unfinished paragraph, and
 * hides the brackets of links that are still open.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param isInLine - whether the source ends inside a line
 * @param isInside - whether an offset is in an element that has ended
 */
function openEnds(source: string, start: number, isInLine: boolean, isInside: (at: number) => boolean): TreeExtension {
  return {
    enter: {
      data(token) {
        const [around, onError] = this.tokenStack.at(-1) ?? []
        // Inside a complete construct, a delimiter is text.
        const mayOpen =
          token.start.offset >= start &&
          (onError === end || /^(?:paragraph|atxHeading|tableData|tableHeader)$/.test(around?.type ?? ''))
        const mark = mayOpen && /[*_~[!]/.test(source.charAt(token.start.offset)) ? this.sliceSerialize(token) : ''
        const isMarkup = /^(?:[*_~]+|!?\[)$/.test(mark) && !isInside(token.start.offset)
        const nodes = isMarkup ? nodesOpenedBy(mark, token, source, isInLine) : null
        if (nodes === null) this.config.enter['autolinkProtocol']?.call(this, token)
        for (const node of nodes ?? []) this.enter(node, token, end)
      },
    },
    exit: {
      data(token) {
        if (this.stack.at(-1)?.type === 'text') this.config.exit['codeTextData']?.call(this, token)
      },
    },
  }
}

/** Returns the nodes that a delimiter opens, the outermost first: none if the delimiter is hidden, null if it may stay text. */
function nodesOpenedBy(mark: string, token: Token, source: string, isInLine: boolean): Nodes[] | null {
  const isLiteral = token._balanced || token._inactive || PLACEHOLDER.test(source.slice(token.start.offset))
  if (/^!?\[$/.test(mark)) return isLiteral ? null : []
  if (isInLine && token.end.offset === source.length) return []
  // A run inside a word stays text, because it may be a power: `x**2 + 1`. A single tilde may mean "about": `~90 ms`.
  const isInWord = (traitsBefore(source, token.start.offset) & traitsAt(source, token.end.offset) & LETTER) !== 0
  if (!token._open || isInWord || mark === '~') return null
  if (mark.startsWith('~')) return [{ type: 'delete', children: [] }]
  const nodes: Nodes[] = mark.length % 2 === 1 ? [{ type: 'emphasis', children: [] }] : []
  return mark.length > 1 ? [...nodes, { type: 'strong', children: [] }] : nodes
}

/**
 * Removes nodes and white space at the end that are not visible yet, and closes elements that are still open.
 *
 * @param isFlow - whether the nodes are blocks, items, rows or cells, not phrasing
 */
export function withoutOpenEnd(nodes: readonly Nodes[], isFlow = true): Nodes[] {
  const last = nodes.at(-1)
  if (last === undefined) return []
  const before = nodes.slice(0, -1)
  const shownNode = { ...last }
  if ('children' in shownNode) {
    const isInFlow = isFlow && !/^(?:paragraph|heading|tableCell)$/.test(shownNode.type)
    Object.assign(shownNode, { children: withoutOpenEnd(shownNode.children, isInFlow) })
  } else if (shownNode.type === 'text') shownNode.value = shownNode.value.trimEnd()
  else if (shownNode.type === 'html' && isFlow) shownNode.value = completeHtml(shownNode.value).trimEnd()
  if (showsNothing(shownNode, isFlow)) return withoutOpenEnd(before, isFlow)
  const open = isFlow ? [] : namesOfOpen(nodes.map((node) => (node.type === 'html' ? readTag(node.value) : null)))
  return [...before, shownNode, ...open.map((name): Nodes => ({ type: 'html', value: `</${name}>` }))]
}

function showsNothing(node: Nodes, isFlow: boolean): boolean {
  if (node.type === 'html' && isFlow)
    return !piecesOf(node.value).some((piece) => (isText(piece) ? piece.trim() !== '' : /^<(?:img|hr)\b/i.test(piece)))
  if (node.type === 'code') return node.lang === 'math' && node.value === ''
  if ('value' in node) return node.value === ''
  if ('children' in node)
    return (isFormatting(node) || (isFlow && !/^table./.test(node.type))) && node.children.length === 0
  return node.type === 'break'
}

/** Removes an unfinished tag at the end of HTML, and closes the elements in its text. */
function completeHtml(html: string): string {
  let length = 0
  const pieces = piecesOf(html)
  const end = pieces.findIndex((piece) => {
    length += piece.length
    return piece === '<' && matchesAt(HALF_HTML, html, length - 1)
  })
  const shownPieces = end < 0 ? pieces : pieces.slice(0, end)
  const tags = shownPieces.map(readTag)
  // Block elements need no end tag, except a summary, because it becomes bold text.
  const inline = tags.filter((tag) => tag?.isBlock !== true || tag.name === 'summary')
  return [...shownPieces, ...namesOfOpen(inline).map((name) => `</${name}>`)].join('')
}
