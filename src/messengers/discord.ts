/** Converts a message to Discord's Markdown. */
import { isInvisible, textOf } from '../convert/lines.js'
import type { Container, Line } from '../convert/markers.js'
import { encodeLink, isWebUrl, spellOutLink } from '../convert/names.js'
import type { Source } from '../index.js'
import { type Formatting, isBareLink, type Link, type Phrasing, showsUrl } from '../tree.js'
import { asText, convert, edgesOf, fenced, type MessengerOptions, type ProductWriter, WORD_JOINER } from './message.js'

/**
 * Converts a message to Discord's Markdown. Everything in text that Discord would format is escaped; text that would notify
 * people (`@everyone`) holds an invisible U+2060.
 *
 * Lines that look like items and quotes (`1. a`, `> b`) are Discord's lists and quotes. Discord has no link whose label looks
 * like a URL or contains a lone bracket: such a link becomes its label and its URL. Code and URLs that contain the delimiter of
 * the formatting around them are not formatted. Code blocks keep their language if it is one word.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - `length` (default 2,000 UTF-16 units), names and files, and whether lists and quotes stay text (`literal`);
 * the `id` of a mention is a Discord user id, or `&` and a role id
 * @returns the `content` of each message, in order; none for a blank source
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toDiscord('# Plan\n**Build** _now_: snake_case') // => ['# Plan\n**Build** __now__: snake\\_case']
 * @see https://support.discord.com/hc/en-us/articles/210298617 and https://discord.com/developers/docs/reference
 */
export function toDiscord(source: Source, options: MessengerOptions = {}): string[] {
  // Discord deletes form feeds, so the delimiters before and after one would merge.
  return convert(source, options, writer).map((text) => text.replaceAll('\f', ' '))
}

const writer: ProductWriter<string, string> = {
  ...asText,
  length: 2_000,
  heading: (nodes, depth) => `${'#'.repeat(depth)} ${writePhrasing(nodes)}`,
  lines: writeLines,
  code: (value, lang) => fenced(value, WORD_JOINER, /^[\w+\-.#]+$/.test(lang) ? lang : ''),
  isLink: ({ url }) => isWebUrl(url),
  isID: (id) => /^[!&]?\d+$/.test(id),
}

/** Writes lines with Discord's markers. A marker that Discord would change stays text: Discord counts items itself. */
function writeLines(lines: readonly Line<readonly Phrasing[]>[]): string {
  /** The containers of the previous line, as far as Discord shows them. */
  let open: readonly Container[] = []
  const writtenLines: string[] = []
  for (const { containers, continuedCount, content } of lines) {
    // An empty line in an item is left out, because it would end the list.
    if (content === null && containers.at(-1)?.type === 'item') continue
    const hiddenDepth = containers.findIndex((each, depth) => depth >= continuedCount && !isShown(each, open[depth]))
    open = hiddenDepth < 0 ? containers : containers.slice(0, hiddenDepth)
    const markers = containers.map((container, depth) => {
      if (container.type === 'quote') return '> '
      const marker = container.number === null ? '-' : container.marker
      if (depth < continuedCount) return ' '.repeat(marker.length + 1)
      return depth < open.length ? `${marker} ` : `${container.marker.replace('.', '\\.')} `
    })
    writtenLines.push(markers.join('') + writePhrasing(content ?? []))
  }
  return writtenLines.join('\n')
}

/** Whether Discord shows a container as typed: an item must begin a list, or be the next one of the list that is open. */
function isShown(container: Container, before: Container | undefined): boolean {
  if (container.type === 'quote') return true
  const { number } = container
  if (before?.type !== 'item') return number !== 0
  return number === null || before.number === null ? number === before.number : number === before.number + 1
}

/**
 * Writes phrasing. Removes the angle brackets around URLs, because they hide the preview. The brackets stay unless white space
 * follows the URL, with at most one parenthesis and punctuation before it: without brackets, Discord could end any other URL at
 * another character.
 */
function writePhrasing(nodes: readonly Phrasing[]): string {
  return inline(nodes, []).replace(ESCAPE_CODE_OR_URL, (found, _, url: string | undefined) => url ?? found)
}

/** An escaped character, code, or a URL in angle brackets that does not need them. */
const ESCAPE_CODE_OR_URL =
  /\\[\s\S]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|<(https?:\/\/[^<>\s]+[\w/&=#%-])>(?=\)?[.,:;"'\]]*(?:\s|$))/g

/** The kinds of formatting around phrasing. */
type OpenFormatting = readonly Formatting['type'][]

/**
 * Writes phrasing. Its start counts as the start of a line, because Discord also finds headings inside formatting.
 */
function inline(nodes: readonly Phrasing[], open: OpenFormatting): string {
  let text = ''
  let isLineStart = true
  for (const node of nodes) {
    const piece = writeNode(node, open)
    text = append(text, isLineStart && node.type === 'text' ? piece.replace(LINE_START, '\\') : piece)
    isLineStart = node.type === 'break' || (isLineStart && piece.trim() === '')
  }
  return text
}

/** Matches before the marker of a heading, a subtext, an item or a quote, and before the dot of a number. */
const LINE_START = /^(?=(?:#{1,3}|-#|[-+]|>{1,3})(?:\s|$))|(?<=^\d+)(?=\.(?:\s|$))/

/** Appends a piece. Separates delimiters that Discord would read as one, and `_` from a word or a URL, by a word joiner. */
function append(text: string, piece: string): string {
  const [end, start] = [text.slice(-2), piece.slice(0, 2)]
  const isOneDelimiter = /([*_~`])\1|~_/.test(end.slice(-1) + start.slice(0, 1))
  const isInWord =
    (/\w$/.test(end) && /^_(?!_)/.test(start)) || (/[^_]_$/.test(end) && /^(?:<h|[A-Za-z\d])/.test(start))
  return text + (isOneDelimiter || isInWord ? WORD_JOINER : '') + piece
}

function writeNode(node: Phrasing, open: OpenFormatting): string {
  switch (node.type) {
    case 'text':
      return escapeMarkup(node.value)
    case 'break':
      return '\n'
    case 'inlineCode':
      return codeSpan(node.value)
    case 'mention':
      return `<@${node.userID}>`
    case 'link':
      return writeLink(node, open)
    default:
      return format(node, open)
  }
}

/** Escapes delimiters, links, `:emoji:`, and URLs that are text. */
function escapeMarkup(text: string): string {
  return text
    .replace(/@(?=everyone|here)|(?<=<)@/g, `@${WORD_JOINER}`)
    .replace(/[\\*_~`|<[]|:(?=\/\/|[\w+-]+:)|(?<=\])\(/g, '\\$&')
}

/**
 * Writes code between single backticks, or between double ones if the value contains a single one. Discord does not know
 * delimiters of three backticks.
 */
function codeSpan(value: string): string {
  if (isInvisible(value)) return value
  const lengths = new Set(Array.from(value.matchAll(/`+/g), ([run]) => run.length))
  const fence = lengths.has(1) ? '``' : '`'
  // A `](` in code would end the text of a link that begins before the code.
  const inertValue = /^[^[]*\]\(/.test(value) ? value.replaceAll('](', `]${WORD_JOINER}(`) : value
  const code = lengths.has(1) && lengths.has(2) ? inertValue.replace(/`(?=`)/g, `\`${WORD_JOINER}`) : inertValue
  const space = /^`|`$/.test(code) ? ' ' : ''
  return fence + space + code + space + fence
}

/**
 * Writes a link. If its text contains a URL or a lone bracket, writes the text and the URL, because Discord would show no link. A
 * bare URL with `](` becomes text, because it could end link text before it.
 */
function writeLink(link: Link, open: OpenFormatting): string {
  const { url } = link
  if (isBareLink(link)) return /[<>\s]|\]\(/.test(url) ? escapeMarkup(url) : `<${url}>`
  // Discord would show this label without a link, so the URL is written alone.
  const visibleText = textOf(link.children)
  if (visibleText.includes('://') && showsUrl(visibleText, url))
    return writeLink({ ...link, children: [{ type: 'text', value: url }] }, open)
  const label = inline(link.children, open)
  const target = encodeLink(url).replaceAll('(', '%28').replaceAll(')', '%29')
  const isLabel = /^(?:\[[^\]]*\]|[^[\]])*$/.test(label) && !/:[*_~`\u2060]*\/\//.test(label)
  return isLabel ? `[${label}](${target})` : inline(spellOutLink(link), open)
}

/**
 * Writes formatting. If the content contains the delimiter, each child is formatted by itself, except children that
 * contain the delimiter.
 */
function format(node: Formatting, open: OpenFormatting): string {
  // The text of a link may repeat the formatting around the link, which is written once.
  if (open.includes(node.type)) return inline(node.children, open)
  const text = inline(node.children, [...open, node.type])
  const delimiter = delimiterOf(node.type, text, open)
  if (delimiter !== undefined) {
    const [start, content, end] = edgesOf(text)
    return isInvisible(content) ? text : start + append(append(delimiter, content), delimiter) + end
  }
  if (node.children.length === 1) return text
  return node.children.map((child) => format({ ...node, children: [child] }, open)).reduce(append, '')
}

const delimiters = { strong: ['**'], underline: ['__'], delete: ['~~'], emphasis: ['_', '*'] } as const

/**
 * Returns a delimiter that the text does not contain, if there is one. A double delimiter does not end emphasis. Emphasis has `*`,
 * which also opens inside words; in bold, or if the text has a star, `_` is tried before `*`.
 */
function delimiterOf(type: Formatting['type'], text: string, open: OpenFormatting): string | undefined {
  const hasStar = open.includes('strong') || text.includes('*')
  const candidates = type === 'emphasis' && !hasStar ? ['*'] : delimiters[type]
  const bareText = text.replace(/\\[\s\S]/g, ' ')
  return candidates.find((each) =>
    each.length === 1 ? !bareText.replaceAll(each + each, '').includes(each) : !bareText.includes(each),
  )
}
