/** A message as Discord's Markdown. */
import { isWebUrl, nameOf, spelledOut } from '../convert/names.js'
import type { Source } from '../index.js'
import { encodeUrl } from '../render/escape.js'
import { type Block, type Formatting, isBareLink, type Link, type Phrasing } from '../tree.js'
import { clean, convertText, isInvisible, type MessengerOptions, WORD_JOINER, writeBlock } from './message.js'

/**
 * Converts a message to Discord's Markdown. Everything in text that Discord would format is escaped; text that would notify
 * people (`@everyone`) holds an invisible U+2060.
 *
 * Discord shows a link as text and URL in parentheses if its label looks like a URL or holds a lone bracket, and no formatting
 * around code or a URL that holds the formatting's own delimiter. Code blocks keep their language if it is one word.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - `length` (default 2,000 UTF-16 units), names and files; the `id` of a mention is Discord's user id, with
 * `&` before it a role
 * @returns the `content` of each message, in order; none for a blank source
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toDiscord('# Plan\n**Build** _now_: snake_case') // => ['# Plan\n**Build** __now__: snake\\_case']
 * @see https://support.discord.com/hc/en-us/articles/210298617 (Markdown Text 101) and
 * https://discord.com/developers/docs/reference#message-formatting
 */
export function toDiscord(source: Source, options: MessengerOptions = {}): string[] {
  return convertText(source, options, 2_000, write)
}

function write(block: Block, options: MessengerOptions): string {
  return writeBlock(block, options, {
    inline: (nodes) => inline(nodes, options),
    heading: (nodes, depth) => {
      const text = inline(nodes, options)
      return isInvisible(text) ? '' : `${'#'.repeat(depth)} ${text}`
    },
    list: (items) => items.map((item) => `- ${item}`).join('\n'),
    code: (value, lang) => `\`\`\`${/^[\w+\-.#]+$/.test(lang) ? lang : ''}\n${apart(value, '```')}\n\`\`\``,
  })
}

interface Context extends MessengerOptions {
  /** Formatting around the phrasing. */
  readonly open?: readonly Formatting['type'][]
  readonly isInLink?: boolean
}

/** Writes phrasing. Its start counts as the start of a line: Discord looks for headings in formatting as well. */
function inline(nodes: readonly Phrasing[], context: Context): string {
  let written = ''
  for (const [index, node] of nodes.entries()) {
    const piece = writeNode(node, context, nodes[index + 1])
    const isLineStart = node.type === 'text' && /(?:^|\n)\s*$/.test(written)
    written = append(
      written,
      isLineStart ? piece.replace(/^(?:#{1,3}|-#|[-+]|>{1,3}|\d+\.)(?=\s|$)/, escapeStart) : piece,
    )
  }
  return written
}

function escapeStart(marker: string): string {
  return marker.endsWith('.') ? marker.replace('.', '\\.') : `\\${marker}`
}

/** Appends a piece. A word joiner keeps delimiters apart that Discord would read as one, and `_` from a word. */
function append(written: string, piece: string): string {
  const isOneDelimiter = /^(?:([*_~`])\1|~_)$/.test(written.slice(-1) + piece.slice(0, 1))
  const isInWord =
    (/\w$/.test(written) && /^_(?!_)/.test(piece)) || (/[^_]_$/.test(written) && /^[A-Za-z\d]/.test(piece))
  return written + (isOneDelimiter || isInWord ? WORD_JOINER : '') + piece
}

function writeNode(node: Phrasing, context: Context, next: Phrasing | undefined): string {
  switch (node.type) {
    case 'text':
      return escapeMarkup(clean(node.value))
    case 'break':
      return '\n'
    case 'inlineCode':
      return codeSpan(clean(node.value))
    case 'mention': {
      const { id, text, node: name } = nameOf(node, context)
      if (context.isInLink) return writeNode(text, context, next)
      return /^[!&]?\d+$/.test(id ?? '') ? `<@${id}>` : writeNode(name, context, next)
    }
    case 'link':
      return writeLink(node, context, next)
    default:
      return format(node, context)
  }
}

/** Escapes delimiters, links, `:emoji:`, and URLs that are text. */
function escapeMarkup(text: string): string {
  return text
    .replace(/@(?=everyone|here)|(?<=<)@/g, `@${WORD_JOINER}`)
    .replace(/[\\*_~`|<[]|:(?=\/\/|[\w+-]+:)|(?<=\])\(/g, '\\$&')
}

/** Backticks as many as no run of the value has; Discord has no code span with more than two. */
function codeSpan(value: string): string {
  if (isInvisible(value)) return value
  const lengths = new Set(Array.from(value.matchAll(/`+/g), ([run]) => run.length))
  const fence = lengths.has(1) ? '``' : '`'
  // The end of a link in code would end one before the code.
  const inert = /^[^[]*\]\(/.test(value) ? value.replaceAll('](', `]${WORD_JOINER}(`) : value
  const code = lengths.has(1) && lengths.has(2) ? apart(inert, '``') : inert
  const space = /^`|`$/.test(code) ? ' ' : ''
  return fence + space + code + space + fence
}

/** Breaks up each run of backticks that is as long as a fence. */
function apart(code: string, fence: '``' | '```'): string {
  return code.replace(fence === '``' ? /`(?=`)/g : /`(?=``)/g, `\`${WORD_JOINER}`)
}

/** Discord shows no label with a URL in it, and pairs its brackets. */
function writeLink(link: Link, context: Context, next: Phrasing | undefined): string {
  if (context.isInLink) return inline(link.children, context)
  if (!isWebUrl(link.url)) return inline(spelledOut(link), context)
  const url = clean(link.url)
  const isAlone = next === undefined || next.type === 'break' || (next.type === 'text' && next.value.startsWith(' '))
  if (isBareLink(link)) {
    const isPlain = isAlone && context.open === undefined && /^https?:\/\/.+[\w/&=#%-]$/.test(url)
    return isPlain ? url : `<${url}>`
  }
  const label = inline(link.children, { ...context, isInLink: true })
  const target = encodeUrl(link.url).replaceAll('(', '%28').replaceAll(')', '%29')
  const isLabel = /^(?:\[[^\]]*\]|[^[\]])*$/.test(label) && !label.includes('://')
  return isLabel ? `[${label}](${target})` : inline(spelledOut(link), context)
}

const delimiters = { strong: '**', underline: '__', delete: '~~' } as const

/** Writes formatting; if a child holds the delimiter, each child by itself, and that child without. */
function format(node: Formatting, context: Context): string {
  const { open = [] } = context
  // A link in formatting may hold the same kind.
  if (open.includes(node.type)) return inline(node.children, context)
  const inside = { ...context, open: [...open, node.type] }
  const text = inline(node.children, inside)
  const delimiter = node.type === 'emphasis' ? delimiterOfEmphasis(text, inside) : delimiters[node.type]
  if (delimiter !== null && !holds(text, delimiter)) {
    const content = text.trim()
    if (isInvisible(content)) return text
    const [start = '', end = ''] = text.split(content)
    return start + append(append(delimiter, content), delimiter) + end
  }
  if (node.children.length === 1) return text
  return node.children.map((child) => format({ ...node, children: [child] }, context)).reduce(append, '')
}

/** `*` opens next to a letter as well; `_` goes with `**`. */
function delimiterOfEmphasis(text: string, { open }: Context): '*' | '_' | null {
  const isPreferred = !open?.includes('strong') && !text.includes('*')
  if (!isPreferred && !/_/.test(withoutEscapes(text).replaceAll('__', ''))) return '_'
  return /\*/.test(withoutEscapes(text).replaceAll('**', '')) ? null : '*'
}

function holds(text: string, delimiter: string): boolean {
  if (delimiter.length === 1) return false
  return (delimiter === '~~' ? text : withoutEscapes(text)).includes(delimiter)
}

function withoutEscapes(text: string): string {
  return text.replace(/\\[\s\S]/g, ' ')
}
