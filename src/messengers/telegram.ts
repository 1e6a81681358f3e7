/** A message as Telegram's text with entities. */

import { isInvisible } from '../convert/lines.js'
import { type LineItem, lineItemsOf, typedMarkers } from '../convert/markers.js'
import { clean, encodeLink, leafOf, type ProductRules } from '../convert/names.js'
import type { Source } from '../index.js'
import { type Block, type Formatting, type Phrasing, unreachable } from '../tree.js'
import { convert, type MessengerOptions, type Product } from './message.js'

type Unplaced =
  | { type: 'bold' | 'italic' | 'underline' | 'strikethrough' | 'code' | 'blockquote' }
  | { type: 'pre'; language?: string }
  | { type: 'text_link'; url: string }
  | { type: 'text_mention'; user: { id: number; is_bot: boolean; first_name: string } }

/** Formatting of a range of a text, in UTF-16 units: the Bot API's `MessageEntity`. */
export type TelegramEntity = { offset: number; length: number } & Unplaced

/** The fields of `sendMessage` that hold a text. */
export interface TelegramMessage {
  text: string
  entities: TelegramEntity[]
}

/**
 * Converts a message to text and entities for `sendMessage`. Nothing is escaped, so Telegram cannot fail to parse it.
 *
 * A heading is bold, an item a line after its bullet or number, a quote a `blockquote`. Telegram cannot show formatting of code,
 * or code in a link: code outside of links is only code, code in a link only a link. A URL for which Telegram would reject the
 * whole message, for example `http://localhost`, is text. Telegram links `@names`, `#tags` and `/commands` in text by itself.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - `length` (default 4,096 UTF-16 units), names and files, and whether quotes stay text (`literal`); the `id` of
 * a mention is Telegram's user id
 * @returns the messages, in order; none for a blank source. At most 100 entities each, as Telegram drops more
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toTelegram('It **works**') // => [{ text: 'It works', entities: [{ type: 'bold', offset: 3, length: 5 }] }]
 * @see https://core.telegram.org/bots/api#messageentity and https://core.telegram.org/bots/api#sendmessage
 */
export function toTelegram(source: Source, options: MessengerOptions = {}): TelegramMessage[] {
  return convert(source, options, product)
}

const product: Product<TelegramMessage, TelegramMessage> = {
  length: 4_096,
  write,
  lengthOf: ({ text }) => (isInvisible(text) ? 0 : text.length),
  // Telegram drops the entities after the first hundred.
  count: { of: ({ entities }) => entities.length, max: 100 },
  join,
}

function join(parts: readonly TelegramMessage[]): TelegramMessage {
  const all: TelegramMessage = { text: '', entities: [] }
  for (const { text, entities } of parts) {
    if (all.text !== '') all.text += '\n\n'
    for (const entity of entities) all.entities.push({ ...entity, offset: entity.offset + all.text.length })
    all.text += text
  }
  // Telegram removes white space at the end of a message; at its start only before the first entity.
  const text = all.text.trimEnd()
  const lengthOf = ({ offset, length }: TelegramEntity) => Math.min(length, text.length - offset)
  return { text, entities: all.entities.map((entity) => ({ ...entity, length: lengthOf(entity) })) }
}

function write(block: Block, options: MessengerOptions): TelegramMessage {
  const writer = new Writer()
  writer.block(block, options)
  // Inner entities were closed first: reversed, an entity comes after those around it.
  const entities = writer.entities.reverse().sort((one, next) => one.offset - next.offset || next.length - one.length)
  return { text: writer.text, entities }
}

const entityTypes = { strong: 'bold', emphasis: 'italic', underline: 'underline', delete: 'strikethrough' } as const

type Kind = (typeof entityTypes)[Formatting['type']]

const rules: ProductRules = {
  isLink: ({ url }) => isLinkable(url),
  isID: (id) => /^\d{1,15}$/.test(id),
  isHref: isLinkable,
}

const HOST_CHARACTER = "[\\w.!$,~*'();&+=\\x80-\\uffff-]|%[\\da-f]{2}"
const LINKABLE = new RegExp(
  `^https?://(?:(?:${HOST_CHARACTER}|:)*@)?(?:((?:${HOST_CHARACTER})+)|\\[([\\da-f:]+)\\])(?::0*([1-9]\\d*))?(?:[/?#]|$)`,
  'i',
)

/**
 * Whether Telegram accepts a link to a URL. If it does not, it rejects the whole message (`Wrong HTTP URL`): the host needs a dot or
 * must be an IPv6 address, and the port must be from 1 to 65535.
 */
function isLinkable(url: string): boolean {
  const [found, host = '', address = '', port = '1'] = LINKABLE.exec(url) ?? []
  if (found === undefined || Number(port) > 65_535) return false
  return address === '' ? host.includes('.') && host !== '.' : isIPv6(address)
}

/** Whether text in brackets is an IPv6 address: eight groups, or fewer and one `::`. */
function isIPv6(address: string): boolean {
  const [start = '', end, ...others] = address.split('::')
  const groups = [start, end ?? ''].flatMap((part) => (part === '' ? [] : part.split(':')))
  const isShort = end !== undefined
  return (
    others.length === 0 &&
    groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (isShort ? groups.length < 8 : groups.length === 8)
  )
}

class Writer {
  text = ''
  readonly entities: TelegramEntity[] = []
  /** Formatting that is open, and its start. */
  private readonly open: { readonly type: Kind; start: number }[] = []
  private isInLink = false

  block(block: Block, options: MessengerOptions): void {
    switch (block.type) {
      case 'heading':
        this.formatted('bold', leafOf(block, options, rules))
        break
      case 'paragraph':
      case 'file':
        this.nodes(leafOf(block, options, rules))
        break
      case 'list':
        this.lines(lineItemsOf(block), options)
        break
      case 'code':
        this.code(clean(block.value), block.lang ? { type: 'pre', language: clean(block.lang) } : { type: 'pre' })
        break
      default:
        unreachable(block)
    }
  }

  /** A quote around lines is an entity; Telegram has none in a quote or an item, and no lists. */
  private lines(lines: readonly LineItem[], options: MessengerOptions): void {
    let quoteStart: number | null = null
    for (const { containers, paragraph, isEmpty } of lines) {
      const isQuote = containers[0]?.type === 'quote'
      if (quoteStart !== null && !isQuote) {
        this.add({ type: 'blockquote' }, quoteStart)
        quoteStart = null
      }
      const before = this.text
      if (before !== '') this.text += '\n'
      if (isQuote) quoteStart ??= this.text.length
      this.text += typedMarkers(containers, isQuote ? 1 : 0)
      const start = this.text.length
      this.nodes(leafOf(paragraph, options, rules))
      // An item that shows nothing is left out.
      if (!isEmpty && isInvisible(this.text.slice(start))) this.text = before
    }
    if (quoteStart !== null) this.add({ type: 'blockquote' }, quoteStart)
  }

  private nodes(nodes: readonly Phrasing[]): void {
    for (const node of nodes) this.node(node)
  }

  private node(node: Phrasing): void {
    switch (node.type) {
      case 'text':
        this.text += node.value
        break
      case 'break':
        this.text += '\n'
        break
      case 'inlineCode':
        this.code(node.value, { type: 'code' })
        break
      case 'mention': {
        const user = { id: Number(node.userID), is_bot: false, first_name: node.label ?? '' }
        this.link([{ type: 'text', value: `@${node.label}` }], { type: 'text_mention', user })
        break
      }
      case 'link':
        this.link(node.children, { type: 'text_link', url: encodeLink(node.url) })
        break
      default:
        this.formatted(entityTypes[node.type], node.children)
    }
  }

  private formatted(type: Kind, children: readonly Phrasing[]): void {
    // A heading is bold already.
    const isOpen = this.open.some((outer) => outer.type === type)
    const level = { type, start: this.text.length }
    if (!isOpen) this.open.push(level)
    this.nodes(children)
    if (isOpen) return
    this.open.pop()
    this.add({ type }, level.start)
  }

  /** Code holds no other entity and is in none: formatting around it ends before it and goes on after it. */
  private code(value: string, entity: Unplaced): void {
    const start = this.text.length
    this.text += value
    if (this.isInLink) return
    for (const level of this.open.toReversed()) this.add({ type: level.type }, level.start, start)
    this.add(entity, start)
    for (const level of this.open) level.start = this.text.length
  }

  private link(label: readonly Phrasing[], entity: Unplaced): void {
    const start = this.text.length
    this.isInLink = true
    this.nodes(label)
    this.isInLink = false
    this.add(entity, start)
  }

  /** Formats a range; Telegram drops an entity without a visible character. */
  private add(entity: Unplaced, offset: number, end = this.text.length): void {
    if (isInvisible(this.text.slice(offset, end))) return
    this.entities.push({ ...entity, offset, length: end - offset })
  }
}
