/** A message as WhatsApp's text. */
import { splitLines } from '../convert/lines.js'
import type { Source } from '../index.js'
import { isBareLink, type Phrasing } from '../tree.js'
import {
  convertText,
  edgesOf,
  fenced,
  isInvisible,
  type Markup,
  type MessengerOptions,
  WORD_JOINER,
} from './message.js'

/**
 * Converts a message to WhatsApp's text. WhatsApp has no escape: an invisible U+2060 word joiner keeps characters of text
 * apart that would format.
 *
 * A heading is bold. WhatsApp cannot show underlining, which is dropped, nor a label of a link, which becomes
 * `label (https://…)`, nor code with backticks at its ends, nor formatting that begins or ends with one of its marks: these
 * become text. It links bare URLs by itself.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - `length` (default 4,096 UTF-16 units), names and files; the `id` of a mention is a phone number
 * @returns the text of each message, in order; none for a blank source
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toWhatsApp('**Build** -failed-: [log](https://example.com/log)') // => ['*Build* ~failed~: log (https://example.com/log)']
 * @see https://faq.whatsapp.com/539178204879377 (How to format your messages) and
 * https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages
 */
export function toWhatsApp(source: Source, options: MessengerOptions = {}): string[] {
  return convertText(source, options, 4_096, markup)
}

const markup: Markup = {
  // WhatsApp's formatting ends with its line.
  inline: (nodes) => splitLines(nodes).map(writeLine).join('\n'),
  heading: (nodes) => writeLine([{ type: 'strong', children: [...nodes] }]),
  code: (value) => fenced(value),
  isLink: isBareLink,
  isID: (id) => /^\+?\d+$/.test(id),
}

/** A piece of a line: plain characters, a delimiter, or text in which WhatsApp finds no delimiters. */
interface Token {
  readonly type: 'text' | 'open' | 'close' | 'verbatim'
  readonly value: string
}

const marks = { strong: '*', emphasis: '_', delete: '~', underline: null } as const

function tokensOf(nodes: readonly Phrasing[], open: readonly string[]): readonly Token[] {
  return nodes.flatMap((node): readonly Token[] => {
    switch (node.type) {
      case 'text':
        return textTokens(node.value)
      case 'break':
        return []
      case 'inlineCode':
        return codeOf(node.value)
      case 'mention':
        return [{ type: 'verbatim', value: `@${node.userID.replace('+', '')}` }]
      case 'link': {
        const [, url, end] = edgesOf(node.url)
        return [{ type: 'verbatim', value: url }, ...textTokens(end)]
      }
      default: {
        const mark = marks[node.type]
        // A heading is bold already.
        if (mark === null || open.includes(mark)) return tokensOf(node.children, open)
        return formatted(mark, tokensOf(node.children, [...open, mark]))
      }
    }
  })
}

/** White space at the ends of a text are separate tokens: a mark next to white space would not count. */
function textTokens(value: string): readonly Token[] {
  return edgesOf(value).flatMap((part) => (part === '' ? [] : [{ type: 'text' as const, value: part }]))
}

/** Formats the visible tokens; text that begins or ends with a mark would need a word joiner there. */
function formatted(mark: string, tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findIndex(isShown)
  const end = tokens.findLastIndex(isShown) + 1
  const [first, last] = [tokens[start], tokens[end - 1]]
  const isBare =
    (first?.type === 'text' && /^[*_~`]/.test(first.value)) || (last?.type === 'text' && /[*_~`]$/.test(last.value))
  if (start < 0 || isBare) return tokens
  return [...tokens.slice(0, start), ...enclosed(mark, tokens.slice(start, end)), ...tokens.slice(end)]
}

function enclosed(mark: string, tokens: readonly Token[]): readonly Token[] {
  return [{ type: 'open', value: mark }, ...tokens, { type: 'close', value: mark }]
}

function isShown({ type, value }: Token): boolean {
  return type !== 'text' || !isInvisible(value)
}

/** Single backticks can be in code with three. */
function codeOf(value: string): readonly Token[] {
  if (/^`|`$|```/.test(value) || isInvisible(value)) return textTokens(value)
  return enclosed(value.includes('`') ? '```' : '`', [{ type: 'verbatim', value }])
}

function writeLine(nodes: readonly Phrasing[]): string {
  const tokens = tokensOf(nodes, [])
  const values = tokens.map(({ value }) => value).join('')
  /** The marks that could find a partner in the line. */
  const risky = new Set(['*', '_', '~', '`'].filter((mark) => values.split(mark).length > 2))
  let line = ''
  for (const [index, { type, value }] of tokens.entries()) {
    const closed = tokens[index - 1]?.type === 'close' ? tokens[index - 1]?.value : undefined
    // A delimiter counts only if no letter or digit is next to its outer side.
    const isInWord =
      (type === 'open' && WORD_END.test(line.slice(-2))) || (closed !== undefined && WORD_START.test(value))
    if (isInWord || (type === 'open' && closed?.[0] === value[0])) line += WORD_JOINER
    line += type === 'text' ? separate(value, risky, tokens[index - 1]?.value, tokens[index + 1]?.value) : value
  }
  return tokens[0]?.type === 'text' ? line.replace(/^(?:[*>-]|\d+\.)(?= )/, `$&${WORD_JOINER}`) : line
}

const WORD_END = /[\p{L}\p{N}]$/u
const WORD_START = /^[\p{L}\p{N}]/u

/** Puts word joiners next to the marks of a text. WhatsApp ignores marks in a word and before a space, but not backticks. */
function separate(value: string, risky: ReadonlySet<string>, before = '', after = ''): string {
  return value.replace(/[*_~`]/g, (mark, at: number) => {
    const left = at > 0 ? value.slice(Math.max(0, at - 2), at) : before
    const right = value.slice(at + 1, at + 3) || after
    const isCode = mark === '`'
    if (!risky.has(mark) || (!isCode && WORD_END.test(left.slice(-2)) && WORD_START.test(right))) return mark
    return (isCode || /\S$/.test(left) ? WORD_JOINER : '') + mark + (isCode || /^\S/.test(right) ? WORD_JOINER : '')
  })
}
