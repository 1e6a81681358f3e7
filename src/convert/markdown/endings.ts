/**
 * Extensions that let micromark parse a paragraph that is still being written: they hide half-typed markup at its end, and close
 * the formatting, code, formulas and links that are open at its end. micromark's own constructs come first, so complete
 * constructs are parsed as usual.
 */
import type { Delete, Nodes } from 'mdast'
import type { CompileContext, Extension as TreeExtension } from 'mdast-util-from-markdown'
import { LETTER, traitsAt, traitsBefore } from '../../characters.js'
import { isFormatting } from '../../delimiters.js'
import { namesOfOpen, readTag } from '../html.js'
import {
  BACKSLASH,
  type Construct,
  DOLLAR,
  type Extension,
  isInBrackets,
  openerAt,
  spanConstruct,
  type Tokenizer,
} from './syntax.js'

/** Where an unfinished text ends: inside a line, which the next character may continue, or after a line ending. */
export type Ending = 'in-line' | 'after-line'

/** The extensions for one parse. */
export interface Endings {
  readonly extension: Extension
  readonly treeExtension: TreeExtension
}

/**
 * Creates the extensions for an unfinished paragraph.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param ending - where the source ends
 */
export function endingsOf(source: string, start: number, ending: Ending): Endings {
  const elements = endedElements(source, start)
  // Formatting in an element that has ended has ended with it.
  const isInEnded = (at: number): boolean => elements.some((element) => element.start < at && at < element.end)
  const construct = (name: string, isSpan: IsSpan, type?: 'codeTextSequence'): Construct =>
    spanConstruct(
      name,
      (offset, context) => (offset >= start && isSpan(source, offset, context) ? source.length : null),
      type,
    )
  const hidden = construct('hidden', (html, at, context) => isHidden(html, at, ending, context), 'codeTextSequence')
  const math = construct('openMath', (html, at) => isOpenMath(html, at) && !isInEnded(at))
  const text: Record<number, Construct | Construct[]> = { [BACKSLASH]: [hidden, math], [DOLLAR]: [hidden, math] }
  for (const character of '*_~&![]') text[character.charCodeAt(0)] = hidden
  // Code does not start after a backtick: otherwise micromark would try `openCode` at each backtick of a run.
  const previous = (code: number | null): boolean => code !== BACKTICK
  text[BACKTICK] = [hidden, construct('openCode', (_, at) => !isInEnded(at))].map((each) => ({
    ...each,
    add: 'after',
    previous,
  }))
  text['<'.charCodeAt(0)] = { ...construct('halfHtml', isHalfHtml, 'codeTextSequence'), add: 'after' }
  return { extension: { text }, treeExtension: openEnds(source, start, ending === 'in-line', isInEnded) }
}

const BACKTICK = 96

/** Whether a span starts at an offset and goes on to the end of the text. */
type IsSpan = (text: string, at: number, context: Tokenizer) => boolean

/** Matches the URL of a link, in which parentheses are balanced; the last one may still be open. */
const TARGET = String.raw`(?=[^\s<])(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*(?:\((?:[^\s()\\]|\\.)*)?\\?`
const TITLE = String.raw`"[^"]*(?:"\s*)?|'[^']*(?:'\s*)?|\([^)]*(?:\)\s*)?`

/** Half-typed markup that a later line may complete, by its first character. */
const half: Readonly<Record<string, RegExp>> = {
  '\\': /\\(?:\(\s*\\?)?$/y,
  $: /\$\$\s*\$?$/y,
  '`': /`+$/y,
  '[': /\[\^[^\s[\]]*$/y,
  // A link needs its URL, or the name of its definition.
  ']': new RegExp(`\\](?:\\[[^\\]]*|\\(\\s*(?:<[^<>\\n]*|(?:<[^<>\\n]*>|${TARGET})(?:\\s+(?:${TITLE})?)?)?)$`, 'y'),
}

/** Half-typed markup that only the rest of its line may complete, by its first character. */
const halfInLine: Readonly<Record<string, RegExp>> = {
  '*': /\*+$/y,
  _: /_+$/y,
  '~': /~+$/y,
  '!': /(?<=^|\s)!$/y,
  '&': /&(?:#(?:\d{0,7}|[xX][\da-fA-F]{0,6})|[A-Za-z][A-Za-z\d]{0,31})?$/y,
  ']': /\]$/y,
  $: /(?<=\$[^\s$](?:[^$]*[^\s$])?)\$$/y,
}

function isHidden(text: string, at: number, ending: Ending, context: Tokenizer): boolean {
  const character = text[at] ?? ''
  const patterns = ending === 'in-line' ? [half[character], halfInLine[character]] : [half[character]]
  if (!patterns.some((pattern) => pattern !== undefined && matchesAt(pattern, text, at))) return false
  return character === ']' ? isInBrackets(context) : !/[*_~]/.test(character) || !isCloser(text, at, context)
}

/** Whether the delimiters from a position to the end of a text close the last open delimiters of their kind. */
function isCloser(text: string, at: number, { events }: Tokenizer): boolean {
  const last = events.findLast(([, { start }]) => text[start.offset] === text[at])?.[1]
  const isAlike = last?._open === true && last.end.offset - last.start.offset === text.length - at
  return isAlike && !/\s/.test(text[at - 1] ?? '')
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Whether a formula starts that does not end. A dollar sign of a possible price, or an escaped bracket, does not start one. */
function isOpenMath(text: string, at: number): boolean {
  const opener = openerAt(text, at)
  const rest = text.slice(at + opener.length)
  const isOpen = opener === '$' ? /^\S[^`]*[\\^_={]/.test(rest) : opener === '$$' || opener === '\\('
  return isOpen && !rest.includes(opener === '\\(' ? '\\)' : opener)
}

/** Returns the offsets of the tags of each element that starts and ends after an offset. */
function endedElements(text: string, from: number): { start: number; end: number }[] {
  const open: { name: string; start: number }[] = []
  return Array.from(text.slice(from).matchAll(CODE_OR_TAG)).flatMap(({ 0: typed, index }) => {
    const tag = readTag(typed)
    if (tag?.isEnd === false) open.push({ name: tag.name, start: from + index })
    const at = tag?.isEnd === true ? open.findLastIndex(({ name }) => name === tag.name) : -1
    const [first] = at < 0 ? [] : open.splice(at)
    return first === undefined ? [] : [{ start: first.start, end: from + index }]
  })
}

/** Matches a tag, and an escaped character and code, in which tags are text. */
const CODE_OR_TAG = /\\[\\`<]|(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)|<\/?[a-z][^<>]*>/gi

const ATTRIBUTE = `[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]+|'[^']*'|"[^"]*"))?`
const HALF_ATTRIBUTE = `[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]*|'[^']*|"[^"]*))?`

/** Matches the start of a tag, an autolink, a comment, an instruction, a declaration, CDATA, or a mention. */
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

/** Whether the text from a position to its end may be the start of HTML or of an autolink. */
export function isHalfHtml(text: string, at: number): boolean {
  return matchesAt(HALF_HTML, text, at)
}

/** The placeholder for the URL of an incomplete link, of which only the text is shown. */
const HALF_LINK = 'half:'

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
 * Creates an extension that closes formatting and links that are still open at the end of an unfinished paragraph.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param isInLine - whether the source ends inside a line
 * @param isInEnded - whether an offset is in an element that has ended
 */
function openEnds(source: string, start: number, isInLine: boolean, isInEnded: (at: number) => boolean): TreeExtension {
  let struck: { readonly node: Delete; readonly mark: string } | null = null
  const opened = (mark: string, token: Token): Nodes[] => {
    if (/^!?\[$/.test(mark))
      return token._balanced || PLACEHOLDER.test(source.slice(token.start.offset))
        ? []
        : [{ type: 'link', url: HALF_LINK, children: [] }]
    const isLast = isInLine && token.end.offset === source.length && /^[*_~]+$/.test(mark)
    // Delimiters at the very end are hidden: `finish` removes formatting without content.
    if (isLast) return [{ type: 'emphasis', children: [] }]
    // A run inside a word stays text, because it may be a power: `x**2 + 1`.
    if (!token._open || isInWord(source, token)) return []
    if (mark[0] !== '~') {
      const nodes: Nodes[] = mark.length % 2 === 1 ? [{ type: 'emphasis', children: [] }] : []
      return mark.length > 1 ? [...nodes, { type: 'strong', children: [] }] : nodes
    }
    // `~90 ms` means about 90 ms. Only the longest of several strikethroughs counts, or the innermost if lengths are equal.
    if ((mark === '~' && /\d/.test(source[token.end.offset] ?? '')) || (struck?.mark.length ?? 0) > mark.length)
      return []
    struck?.node.children.unshift({ type: 'text', value: struck.mark })
    if (struck !== null) Object.assign(struck.node, { type: 'link', url: HALF_LINK })
    struck = { node: { type: 'delete', children: [] }, mark }
    return [struck.node]
  }
  return {
    canContainEols: ['link'],
    enter: {
      data(token) {
        const [around, onError] = this.tokenStack.at(-1) ?? []
        // Inside a complete construct, a delimiter is text.
        const mayOpen =
          token.start.offset >= start &&
          (onError === end || /^(?:paragraph|atxHeading|tableData|tableHeader)$/.test(around?.type ?? ''))
        const mark = mayOpen && /[*_~[!]/.test(source.charAt(token.start.offset)) ? this.sliceSerialize(token) : ''
        const isMarkup = /^(?:[*_~]+|!?\[)$/.test(mark) && !isInEnded(token.start.offset)
        const nodes = isMarkup ? opened(mark, token) : []
        if (nodes.length === 0) this.config.enter['autolinkProtocol']?.call(this, token)
        for (const node of nodes) this.enter(node, token, end)
      },
    },
    exit: {
      data(token) {
        if (this.tokenStack.at(-1)?.[0] !== token) this.config.exit['codeTextData']?.call(this, token)
      },
    },
    transforms: [
      (tree) => {
        removeHalfLinks(tree)
        finish(tree)
      },
    ],
  }
}

/** Replaces incomplete links by their content. */
function removeHalfLinks(parent: Nodes): void {
  if (!('children' in parent)) return
  const children: Nodes[] = parent.children
  for (const child of children) removeHalfLinks(child)
  const shown = children.flatMap((child) =>
    child.type === 'link' && child.url === HALF_LINK ? child.children : [child],
  )
  children.splice(0, children.length, ...shown)
}

function isInWord(source: string, { start, end: after }: Token): boolean {
  return (traitsBefore(source, start.offset) & traitsAt(source, after.offset) & LETTER) !== 0
}

/** Removes white space and everything empty at the end of a node, and ends open elements. */
function finish(parent: Nodes): void {
  if (!('children' in parent)) return
  const children: Nodes[] = parent.children
  for (let last = children.at(-1); last !== undefined; last = children.at(-1)) {
    finish(last)
    if (last.type === 'text') last.value = last.value.trimEnd()
    if (!isNothing(last)) break
    children.pop()
  }
  // HTML directly in a container is a block, which `completeHtml` ends (`tail.ts`).
  if (/^(?:root|blockquote|list|listItem|footnoteDefinition)$/.test(parent.type)) return
  const open = namesOfOpen(children.map((node) => (node.type === 'html' ? readTag(node.value) : null)))
  for (const name of open) children.push({ type: 'html', value: `</${name}>` })
}

function isNothing(node: Nodes): boolean {
  if ('value' in node) return node.value === ''
  return node.type === 'break' || (isFormatting(node) && node.children.length === 0)
}
