/** The visible characters of a message with their formatting, in our tree and in each product. */

import { createRequire } from 'node:module'
import { parseFragment } from 'parse5'
import { type AnyNode, normalize, parse, type Source } from '../../src/index.js'
import { isBareLink } from '../../src/tree.js'

/** A visible character, and its kinds of formatting. */
export interface Shown {
  readonly char: string
  readonly kinds: ReadonlySet<string>
}

/** White space and invisible characters. */
const INVISIBLE = /[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

export function shownIn(text: string, kinds: Iterable<string> = []): Shown[] {
  const all = new Set(kinds)
  return Array.from(cleaned(text))
    .filter((char) => !INVISIBLE.test(char))
    .map((char) => ({ char, kinds: all }))
}

function cleaned(text: string): string {
  return text.replace(/\0|\p{Cs}/gu, '\uFFFD')
}

/**
 * One line for each character, for readable comparisons. Bullets and marks of quotes are left out, because products have their own,
 * and numbers and periods if the message is cut, because a cut item repeats its number.
 */
export function linesOf(shown: readonly Shown[], isCut = false): string[] {
  const others = shown.filter(
    ({ char, kinds }) => kinds.size > 0 || !(isCut ? '•◦▪->0123456789.' : '•◦▪->').includes(char),
  )
  return others.map(({ char, kinds }) => (kinds.size === 0 ? char : `${char} ${[...kinds].sort().join(',')}`))
}

/** The trees of a source, in normal form. */
export function treesOf(source: Source): AnyNode[] {
  if (typeof source === 'string') return [parse(source)]
  return Array.isArray(source) ? source.flatMap(treesOf) : [normalize(source as never).tree]
}

/** The nodes that a product shows in its own way. */
export interface Expectation {
  /** The kinds of formatting that the product has. */
  readonly kinds: ReadonlySet<string>
  /** Whether the product shows a label and a URL as a link; the label of a bare link is null. */
  readonly isLink: (label: string | null, url: string) => boolean
  /** Whether the parts of a label can be labels, too. */
  readonly canCut?: (label: string) => boolean
  /** Whether a link whose label shows its URL becomes a bare URL. By default, the product shows the label. */
  readonly linksShownUrl?: (label: string, url: string) => boolean
  /** Whether the product can show a value as a code span. */
  readonly isCode?: (value: string) => boolean
  /** Returns the kinds of formatting around code that the product keeps, in or out of a link. */
  readonly around: (kinds: ReadonlySet<string>) => ReadonlySet<string>
}

export function expected(node: AnyNode, product: Expectation, kinds: ReadonlySet<string> = new Set()): Shown[] {
  const inside = (more: string | null, children: readonly AnyNode[]) => {
    const all = more !== null && product.kinds.has(more) ? new Set([...kinds, more]) : kinds
    return children.flatMap((child) => expected(child, product, all))
  }
  switch (node.type) {
    case 'text':
      return shownIn(node.value, kinds)
    case 'code':
      return shownIn(node.value, product.around(new Set([...kinds, 'code'])))
    case 'inlineCode':
      if (product.isCode?.(node.value) === false) return shownIn(node.value, kinds)
      return shownIn(node.value, product.around(new Set([...kinds, 'code'])))
    case 'break':
      return []
    case 'mention':
      return shownIn(`@${node.label ?? node.userID}`, kinds)
    case 'file':
      return shownIn(`[file: ${node.label ?? node.fileID}]`, kinds)
    case 'heading':
      return inside('heading', node.children)
    case 'link': {
      const label = isBareLink(node) ? null : textOf(node)
      if (product.isLink(label, node.url)) return inside('link', node.children)
      const children = inside(null, node.children)
      if (label !== null && showsUrl(label, node.url))
        return product.linksShownUrl?.(label, node.url) ? shownIn(node.url, [...kinds, 'link']) : children
      const ofUrl = product.isLink(null, node.url) ? [...kinds, 'link'] : kinds
      const url = [...shownIn('(', kinds), ...shownIn(node.url, ofUrl), ...shownIn(')', kinds)]
      return label === null ? children : [...children, ...url]
    }
    case 'root':
    case 'listItem':
    case 'paragraph':
    case 'list':
      return inside(null, node.children)
    default:
      return inside(node.type, node.children)
  }
}

/** Whether a label shows the URL (§7): all of it, or all but the scheme, apart from a final slash. */
function showsUrl(label: string, url: string): boolean {
  const shown = ['', 'mailto:', 'http://', 'https://'].flatMap((scheme) =>
    url.startsWith(scheme) ? [url.slice(scheme.length)] : [],
  )
  const short = (text: string): string => (text.endsWith('/') ? text.slice(0, -1) : text)
  return short(label) !== '' && shown.some((text) => short(text) === short(label))
}

/**
 * Whether the product shows a link as its label and its URL, or may show code with a backtick as text. If such a node is cut, its
 * parts may be shown differently: a part that begins with the backtick is text.
 */
export function isSpelledOut(node: AnyNode, product: Expectation): boolean {
  if (node.type === 'link' && !isBareLink(node)) {
    const label = textOf(node)
    if (!product.isLink(label, node.url) || product.canCut?.(label) === false) return true
  }
  if (node.type === 'inlineCode' && product.isCode !== undefined && node.value.includes('`')) return true
  return 'children' in node && node.children.some((child) => isSpelledOut(child, product))
}

/** Whether a link holds a line ending. */
export function hasLineEnding(node: AnyNode, isInLink: boolean): boolean {
  if (node.type === 'break') return isInLink
  return 'children' in node && node.children.some((child) => hasLineEnding(child, isInLink || node.type === 'link'))
}

/** The URLs of all links, in order. */
export function urlsIn(node: AnyNode): string[] {
  const inside = 'children' in node ? node.children.flatMap(urlsIn) : []
  return node.type === 'link' && node.url !== '' ? [...inside, cleaned(node.url)] : inside
}

/** The occurrences of URLs in a message, in order; of two at the same position, the longer one. */
export function urlsFound(message: string, urls: readonly string[]): string[] {
  const longest = [...new Set(urls)].sort((one, other) => other.length - one.length)
  const found: string[] = []
  for (let at = 0; at < message.length; ) {
    const url = longest.find((each) => message.startsWith(each, at))
    if (url !== undefined) found.push(url)
    at += url?.length ?? 1
  }
  return found
}

/** Whether text or code in formatting begins or ends with a delimiter of WhatsApp, or may do so if it is cut. */
export function holdsMarks(node: AnyNode, isCut: boolean, isFormatted = false): boolean {
  const isOuter = isFormatted || ['heading', 'strong', 'emphasis', 'underline', 'delete'].includes(node.type)
  // The URL after a break begins a line with a space.
  if (node.type === 'link' && node.children.at(-1)?.type === 'break') return true
  if ('children' in node) return node.children.some((child) => holdsMarks(child, isCut, isOuter))
  const value = node.type === 'mention' ? (node.label ?? node.userID) : 'value' in node ? node.value : ''
  return isFormatted && (isCut ? /[*_~`]/ : /^\s*[*_~`]|[*_~`]\s*$/).test(value)
}

/** Whether formatting holds code or a URL with delimiters in it. */
export function holdsDelimiters(node: AnyNode, isFormatted = false): boolean {
  if (node.type === 'inlineCode' || node.type === 'link') {
    const value = node.type === 'link' ? node.url : node.value
    if (isFormatted && /[*_~]/.test(value)) return true
  }
  const isOuter = isFormatted || ['strong', 'emphasis', 'underline', 'delete'].includes(node.type)
  return 'children' in node && node.children.some((child) => holdsDelimiters(child, isOuter))
}

function textOf(node: AnyNode): string {
  if ('children' in node) return node.children.map(textOf).join('')
  if (node.type === 'break') return '\n'
  if (node.type === 'mention') return `@${node.label ?? node.userID}`
  return 'value' in node ? node.value : ''
}

interface DiscordNode {
  readonly type: string
  readonly content?: string | readonly DiscordNode[]
  /** An emoji. */
  readonly name?: string
}

const discordKinds: Readonly<Record<string, string | null>> = {
  ...{
    text: null,
    br: null,
    newline: null,
    twemoji: null,
    strong: 'strong',
    em: 'emphasis',
    underline: 'underline',
    strikethrough: 'delete',
    link: 'link',
    url: 'link',
  },
  ...{ autolink: 'link', inlineCode: 'code', codeBlock: 'code', heading: 'heading', blockQuote: null },
}

/** The package's own declarations do not compile. */
const { parse: parseDiscord }: { parse(message: string, rules: 'extended'): readonly DiscordNode[] } = createRequire(
  import.meta.url,
)('discord-markdown-parser')

/** Parses Discord's Markdown with discord-markdown-parser. Formatting that only Discord has is returned by its name. */
export function shownByDiscord(message: string): Shown[] {
  // The parser returns half a surrogate pair as a text.
  const texts: { value: string; readonly kinds: readonly string[] }[] = []
  const read = (nodes: readonly DiscordNode[], kinds: readonly string[]): void => {
    for (const { type, name, content = name ?? [] } of nodes) {
      const kind = type in discordKinds ? discordKinds[type] : type
      const all = kind ? [...kinds, kind] : kinds
      const last = texts.at(-1)
      if (typeof content !== 'string') read(content, all)
      else if (last?.kinds.join() === all.join()) last.value += content
      else texts.push({ value: content, kinds: all })
    }
  }
  read(parseDiscord(message, 'extended'), [])
  return texts.flatMap(({ value, kinds }) => shownIn(value, kinds))
}

/** Returns the text of each quote that discord-markdown-parser finds. */
export function discordQuotes(message: string): string[] {
  const read = (nodes: readonly DiscordNode[]): string =>
    nodes.map(({ name, content = name ?? '' }) => (typeof content === 'string' ? content : read(content))).join('')
  const quotes = parseDiscord(message, 'extended').filter(({ type }) => type === 'blockQuote')
  return quotes.map(({ content = [] }) => (typeof content === 'string' ? content : read(content)))
}

const elements: Readonly<Record<string, string | null>> = {
  ...{ strong: 'strong', em: 'emphasis', u: 'underline', del: 'delete', a: 'link', code: 'code' },
  ...{ h1: 'heading', h2: 'heading', p: null, ul: null, ol: null, li: null, blockquote: null, pre: null, br: null },
}

interface HtmlNode {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly HtmlNode[]
}

const attributes: Readonly<Record<string, RegExp>> = {
  'a href': /^(?:https?|ftp|mailto|magnet):/i,
  'code class': /^language-/,
  'ol start': /^\d+$/,
}

/** Parses HTML with parse5. Throws if it has an element or attribute that Matrix does not allow. */
export function shownByMatrix(html: string): Shown[] {
  const read = (node: HtmlNode, kinds: readonly string[]): Shown[] => {
    if (node.nodeName === '#text') return shownIn(node.value ?? '', kinds)
    const kind = elements[node.nodeName]
    if (kind === undefined && node.nodeName !== '#document-fragment') throw new Error(`element ${node.nodeName}`)
    for (const { name, value } of node.attrs ?? [])
      if (!attributes[`${node.nodeName} ${name}`]?.test(value)) throw new Error(`${node.nodeName} ${name}="${value}"`)
    const all = kind ? [...kinds, kind] : kinds
    let number = Number(node.attrs?.find(({ name }) => name === 'start')?.value ?? 1)
    return (node.childNodes ?? []).flatMap((child) => {
      const mark = node.nodeName === 'ol' && child.nodeName === 'li' ? `${number++}.` : ''
      return [...shownIn(mark, kinds), ...read(child, all)]
    })
  }
  return read(parseFragment(html) as HtmlNode, [])
}

/** An open delimiter of WhatsApp, and the characters since then. */
interface Open {
  readonly mark: string
  readonly from: number
}

const whatsAppKinds: Readonly<Record<string, string>> = { '*': 'strong', _: 'emphasis', '~': 'delete' }

/** Parses WhatsApp's text as its help describes it: a delimiter counts at the edge of a word, in one line, but not in code or a URL. */
export function shownByWhatsApp(message: string, urls: readonly string[]): Shown[] {
  const pieces = message.split(/(?<![^\n])(```\n[\s\S]*?\n```)/)
  return pieces.flatMap((piece, index) => {
    if (index % 2 === 1) return shownIn(piece.slice(4, -4), ['code'])
    return piece.split('\n').flatMap((line) => shownInLine(line, urls))
  })
}

function shownInLine(line: string, urls: readonly string[]): Shown[] {
  const shown: Shown[] = []
  const open: Open[] = []
  for (let at = 0; at < line.length; ) {
    const code = /^(`{3}|`)(?=[^`])((?:(?!\1)[\s\S])*[^`])\1(?!`)/u.exec(line.slice(at))
    const [url] = urls.filter((each) => line.startsWith(each, at)).sort((one, other) => other.length - one.length)
    const mark = /^[*_~]/.exec(line.slice(at))?.[0]
    const before = line.slice(0, at)
    const kinds = open.map((each) => whatsAppKinds[each.mark] ?? '')
    if (code !== null && !/\u2060$/.test(code[2] ?? '') && !code[2]?.startsWith('\u2060')) {
      shown.push(...shownIn(code[2] ?? '', [...kinds, 'code']))
      at += code[0].length
    } else if (url !== undefined) {
      shown.push(...shownIn(url, kinds))
      at += url.length
    } else if (mark !== undefined) {
      const after = line.slice(at + 1)
      const level = open.findIndex((each) => each.mark === mark)
      const canOpen = !/[\p{L}\p{N}]$/u.test(before) && !/^(?:\s|\u2060|$)/.test(after)
      const canClose = !/(?:\s|\u2060)$/.test(before) && !/^[\p{L}\p{N}]/u.test(after)
      if (level >= 0 && canClose && shown.length > (open[level]?.from ?? 0)) open.splice(level)
      else if (level < 0 && canOpen && hasCloser(after, mark)) open.push({ mark, from: shown.length })
      else shown.push(...shownIn(mark, kinds))
      at += 1
    } else {
      const char = String.fromCodePoint(line.codePointAt(at) ?? 0)
      shown.push(...shownIn(char, kinds))
      at += char.length
    }
  }
  return shown
}

function hasCloser(rest: string, mark: string): boolean {
  return new RegExp(`[^\\s\\u2060][${mark}](?![\\p{L}\\p{N}])`, 'u').test(rest)
}
