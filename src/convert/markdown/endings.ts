/**
 * Extensions that let the parser end a text that is still being written: what is half typed at the end is hidden, and what is
 * open there ends there. The parser's own constructs come first, so everything that is complete is read as usual.
 */
import type { Delete, Nodes } from 'mdast'
import type { CompileContext, Extension as TreeExtension } from 'mdast-util-from-markdown'
import { LETTER, traitsAt, traitsBefore } from '../../characters.js'
import { isFormatting } from '../../delimiters.js'
import { namesOfOpen, openTags, readTag } from '../html.js'
import {
  BACKSLASH,
  type Construct,
  codeConstruct,
  DOLLAR,
  type Extension,
  isInBrackets,
  openerAt,
  type Span,
  type Tokenizer,
} from './syntax.js'

/** Where a text breaks off: in the middle of a line, so that its next character may follow directly, or after a line. */
export type Ending = 'in-line' | 'after-line'

/** The extensions for one parse. */
export interface Endings {
  readonly extension: Extension
  readonly treeExtension: TreeExtension
}

/**
 * Makes the extensions.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param ending - where it breaks off
 */
export function endingsOf(source: string, start: number, ending: Ending): Endings {
  const construct = (name: string, find: FindSpan): Construct =>
    codeConstruct(name, (offset, context) => (offset < start ? null : find(source, offset, context)))
  const after = (name: string, find: FindSpan): Construct => ({ ...construct(name, find), add: 'after' })
  const hidden = construct('hidden', (text, at, context) => hiddenAt(text, at, ending, context))
  const math = construct('openMath', openMath)
  const text: Record<number, Construct | Construct[]> = { [BACKSLASH]: [hidden, math], [DOLLAR]: [hidden, math] }
  for (const character of '*_~&![]') text[character.charCodeAt(0)] = hidden
  // Like the parser's own code, it does not start after a backtick: otherwise the parser would try each one of a run.
  const previous = (code: number | null): boolean => code !== BACKTICK
  text[BACKTICK] = { ...after('openCode', openCode), previous }
  text['<'.charCodeAt(0)] = after('halfHtml', (html, at) => (isHalfHtml(html, at) ? hiddenFrom(html, at) : null))
  return { extension: { text }, treeExtension: openEnds(source, start, ending === 'in-line') }
}

const BACKTICK = 96

type FindSpan = (text: string, at: number, context: Tokenizer) => Span | null

/** The URL of a link, in which parentheses pair; the last one may still be open. */
const TARGET = String.raw`(?=[^\s<])(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*(?:\((?:[^\s()\\]|\\.)*)?\\?`
const TITLE = String.raw`"[^"]*(?:"\s*)?|'[^']*(?:'\s*)?|\([^)]*(?:\)\s*)?`

/** Markup that may go on after the end of a line, by its first character. */
const half: Readonly<Record<string, RegExp>> = {
  '\\': /\\$/y,
  '[': /\[\^[^\s[\]]*$/y,
  // A link needs its URL, or the name of its definition.
  ']': new RegExp(`\\](?:\\[[^\\]]*|\\(\\s*(?:<[^<>\\n]*|(?:<[^<>\\n]*>|${TARGET})(?:\\s+(?:${TITLE})?)?)?)$`, 'y'),
}

/** Markup that may go on in the same line. */
const halfInLine: Readonly<Record<string, RegExp>> = {
  '*': /\*+$/y,
  _: /_+$/y,
  '~': /~+$/y,
  '!': /(?<=^|\s)!$/y,
  '&': /&(?:#(?:\d{0,7}|[xX][\da-fA-F]{0,6})|[A-Za-z][A-Za-z\d]{0,31})?$/y,
  ']': /\]$/y,
  $: /(?<=\$[^\s$](?:[^$]*[^\s$])?)\$$/y,
}

function hiddenAt(text: string, at: number, ending: Ending, context: Tokenizer): Span | null {
  const character = text[at] ?? ''
  const patterns = ending === 'in-line' ? [half[character], halfInLine[character]] : [half[character]]
  if (!patterns.some((pattern) => pattern !== undefined && matchesAt(pattern, text, at))) return null
  const isMarkup = character === ']' ? isInBrackets(context) : !/[*_~]/.test(character) || !isCloser(text, at, context)
  return isMarkup ? hiddenFrom(text, at) : null
}

/** Whether the delimiters from a position to the end of a text close the last open ones. */
function isCloser(text: string, at: number, { events }: Tokenizer): boolean {
  const last = events.findLast(([, { start }]) => text[start.offset] === text[at])?.[1]
  const isAlike = last?._open === true && last.end.offset - last.start.offset === text.length - at
  return isAlike && !/\s/.test(text[at - 1] ?? '')
}

function hiddenFrom(text: string, at: number): Span {
  return { end: text.length, from: at, to: at }
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Code that nothing closes. Backticks at its end may be the start of the closing ones. */
function openCode(text: string, at: number, context: Tokenizer): Span | null {
  const from = at + (/^`+/.exec(text.slice(at))?.[0].length ?? 0)
  const content = text.slice(from).replace(/`+$/, '')
  const shown = content.trimEnd()
  if (isInEnded(htmlBefore(context), content)) return null
  return { end: text.length, from, to: from + (shown.endsWith('`') ? content : shown).length }
}

/** A formula that nothing closes. A dollar sign that may be a price, and an escaped bracket, do not start one. */
function openMath(text: string, at: number, context: Tokenizer): Span | null {
  const opener = openerAt(text, at)
  const from = at + opener.length
  const rest = text.slice(from)
  const isOpen = opener === '$' ? /^\S[^`]*[\\^_={]/.test(rest) : opener === '$$' || opener === '\\('
  if (!isOpen || rest.includes(opener === '\\(' ? '\\)' : opener) || isInEnded(htmlBefore(context), rest)) return null
  return { end: text.length, from, to: from + rest.replace(/[$\\]$/, '').trimEnd().length }
}

/** Whether an element that is open after the given HTML ends in the text after it. Then formatting in the element ends, too. */
function isInEnded(html: readonly string[], text: string): boolean {
  return openTags(html.map(readTag)).some(({ name }) => new RegExp(`</${name}\\s*>`, 'i').test(text))
}

function htmlBefore(context: Tokenizer): string[] {
  return context.events.flatMap(([kind, token]) =>
    kind === 'enter' && token.type === 'htmlText' ? [context.sliceSerialize(token)] : [],
  )
}

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

/** The URL of a link that is not complete: only its text is shown. */
const HALF_LINK = 'half:'

/** Matches a text that people fill in, which is no link. */
const PLACEHOLDER =
  /^\[(?:your|insert|enter|add|name|date|company|city|address|recipient|phone|e-?mail|title|position)\b[^\]]*$/i

type OnEnterError = NonNullable<Parameters<CompileContext['enter']>[2]>
type Token = Parameters<CompileContext['exit']>[0]

/** Ends an open node at the end of a node around it. */
const end: OnEnterError = function (left) {
  // To exit takes no text from the source.
  if (left !== undefined) this.exit.call(this as CompileContext, left)
}

/**
 * Makes an extension that ends what is still open at the end of an unfinished text.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param isInLine - whether it breaks off in the middle of a line
 */
function openEnds(source: string, start: number, isInLine: boolean): TreeExtension {
  let struck: { readonly node: Delete; readonly mark: string } | null = null
  const opened = (mark: string, token: Token): Nodes[] => {
    if (/^!?\[$/.test(mark))
      return token._balanced || PLACEHOLDER.test(source.slice(token.start.offset))
        ? []
        : [{ type: 'link', url: HALF_LINK, children: [] }]
    const isLast = isInLine && token.end.offset === source.length && /^[*_~]+$/.test(mark)
    // A formatting without content is removed.
    if (isLast) return [{ type: 'emphasis', children: [] }]
    // A run in a word may be a power: `x**2 + 1`.
    if (!token._open || isInWord(source, token)) return []
    if (mark[0] !== '~') {
      const nodes: Nodes[] = mark.length % 2 === 1 ? [{ type: 'emphasis', children: [] }] : []
      return mark.length > 1 ? [...nodes, { type: 'strong', children: [] }] : nodes
    }
    // `~90 ms` means about 90 ms. Of several strikethroughs, the longer counts, or the inner if equal.
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
        // In a complete construct, such a character is text.
        const mayOpen =
          token.start.offset >= start &&
          (onError === end || /^(?:paragraph|atxHeading|tableData|tableHeader)$/.test(around?.type ?? ''))
        const mark = mayOpen && /[*_~[!]/.test(source.charAt(token.start.offset)) ? this.sliceSerialize(token) : ''
        const isMarkup =
          /^(?:[*_~]+|!?\[)$/.test(mark) && !isInEnded(htmlIn(this.stack), source.slice(token.end.offset))
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

/** Replaces half links by their content. */
function removeHalfLinks(parent: Nodes): void {
  if (!('children' in parent)) return
  const children: Nodes[] = parent.children
  for (const child of children) removeHalfLinks(child)
  const shown = children.flatMap((child) =>
    child.type === 'link' && child.url === HALF_LINK ? child.children : [child],
  )
  children.splice(0, children.length, ...shown)
}

/** Returns the HTML in open nodes. */
function htmlIn(nodes: CompileContext['stack']): string[] {
  const children: CompileContext['stack'] = nodes.flatMap((node) => ('children' in node ? node.children : []))
  return children.flatMap((node) => (node.type === 'html' ? [node.value] : []))
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
  // In a container, HTML is a block.
  if (/^(?:root|blockquote|list|listItem|footnoteDefinition)$/.test(parent.type)) return
  const open = namesOfOpen(children.map((node) => (node.type === 'html' ? readTag(node.value) : null)))
  for (const name of open) children.push({ type: 'html', value: `</${name}>` })
}

function isNothing(node: Nodes): boolean {
  if ('value' in node) return node.value === ''
  return node.type === 'break' || (isFormatting(node) && node.children.length === 0)
}
