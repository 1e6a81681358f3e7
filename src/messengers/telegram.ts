/** Converts a message to Telegram's text with entities. */

import { isInvisible } from '../convert/lines.js'
import { type Line, typedMarkers } from '../convert/markers.js'
import { encodeLink } from '../convert/names.js'
import type { Source } from '../index.js'
import { sizeOfBlocks } from '../split/pack.js'
import type { Formatting, InlineCode, Link, Mention, Phrasing } from '../tree.js'
import { convert, type MessengerOptions, type ProductWriter } from './message.js'

type EntityFormat =
  | { type: 'bold' | 'italic' | 'underline' | 'strikethrough' | 'code' | 'blockquote' }
  | { type: 'pre'; language?: string }
  | { type: 'text_link'; url: string }
  | { type: 'text_mention'; user: { id: number; is_bot: boolean; first_name: string } }

/** Formatting of a range of a text, in UTF-16 units: the Bot API's `MessageEntity`. */
export type TelegramEntity = { offset: number; length: number } & EntityFormat

/** The fields of `sendMessage` that hold a text. */
export interface TelegramMessage {
  text: string
  entities: TelegramEntity[]
}

/**
 * Converts a message to text and entities for `sendMessage`. Nothing is escaped, so Telegram cannot fail to parse it.
 *
 * Heading → bold text; item → line that starts with its bullet or number; quote → `blockquote`. Telegram cannot show formatted
 * code: formatting ends before code, and code in a link loses its own format. A link for which Telegram would reject the whole
 * message, for example to `http://localhost`, becomes text. Telegram links `@names`, `#tags` and `/commands` in text by itself.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - `length` (default 4,096 UTF-16 units), names and files, and whether quotes stay text (`literal`); the `id` of
 * a mention is Telegram's user id
 * @returns the messages, in order; none for a blank source. Each has at most 100 entities, because Telegram drops more
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toTelegram('It **works**') // => [{ text: 'It works', entities: [{ type: 'bold', offset: 3, length: 5 }] }]
 * @see https://core.telegram.org/bots/api#messageentity and https://core.telegram.org/bots/api#sendmessage
 */
export function toTelegram(source: Source, options: MessengerOptions = {}): TelegramMessage[] {
  return convert(source, options, writer)
}

/** Maximum number of entities of a message: Telegram drops all others. */
const ENTITIES_MAX = 100

const writer: ProductWriter<TelegramMessage, TelegramMessage> = {
  length: 4_096,
  lines: writeLines,
  code: (text, language) => {
    const pre: EntityFormat = language === '' ? { type: 'pre' } : { type: 'pre', language }
    return { text, entities: [{ ...pre, offset: 0, length: text.length }] }
  },
  sizeOf: (parts, limit) => {
    const length = sizeOfBlocks(parts.map(({ text }) => text.length))
    const count = parts.reduce((sum, { entities }) => sum + entities.length, 0)
    // The larger of both sizes counts, so a message within both limits is not cut.
    return Math.max(length, (count * limit) / ENTITIES_MAX)
  },
  join,
  isLink: ({ url }) => isLinkable(url),
  isID: (id) => /^\d{1,15}$/.test(id),
}

function join(parts: readonly TelegramMessage[]): TelegramMessage {
  const all: TelegramMessage = { text: '', entities: [] }
  for (const { text, entities } of parts) {
    if (all.text !== '') all.text += '\n\n'
    for (const entity of entities) all.entities.push({ ...entity, offset: all.text.length + entity.offset })
    all.text += text
  }
  // Telegram removes white space at the end of a message, so the entities must not include it.
  all.text = all.text.trimEnd()
  for (const entity of all.entities) entity.length = Math.min(entity.length, all.text.length - entity.offset)
  return all
}

/**
 * Writes lines. The lines of a quote get an entity. Telegram has no lists, and no quotes inside quotes and items: their markers
 * are text.
 */
function writeLines(lines: readonly Line<readonly Phrasing[]>[]): TelegramMessage {
  const message: TelegramMessage = { text: '', entities: [] }
  let quote: TelegramEntity | null = null
  for (const line of lines) {
    const isQuote = line.containers[0]?.type === 'quote'
    if (message.text !== '') message.text += '\n'
    if (!isQuote) quote = null
    else if (quote === null) {
      quote = { type: 'blockquote', offset: message.text.length, length: 0 }
      message.entities.push(quote)
    }
    message.text += typedMarkers(line, isQuote ? 1 : 0)
    addPhrasing(message, line.content ?? [])
    if (quote !== null) quote.length = message.text.length - quote.offset
  }
  // An entity without a visible character is left out, because Telegram would drop it.
  const isShown = ({ offset, length }: TelegramEntity) => !isInvisible(message.text.slice(offset, offset + length))
  return { ...message, entities: message.entities.filter(isShown) }
}

/** A node that has an entity. */
type NodeWithEntity = Formatting | Link | Mention | InlineCode

/**
 * Adds phrasing. The entity of code cannot overlap others: formatting around code ends before the code and continues after it. In
 * a link, code is not formatted.
 */
function addPhrasing(message: TelegramMessage, nodes: readonly Phrasing[]): void {
  let open = new Map<NodeWithEntity, TelegramEntity>()
  for (const [child, around] of childlessNodesIn(nodes, [])) {
    const offset = message.text.length
    message.text += child.type === 'break' ? '\n' : child.type === 'mention' ? `@${child.label}` : child.value
    const isCode = child.type === 'inlineCode' && !around.some(({ type }) => type === 'link')
    const entityNodes = isCode ? [child] : child.type === 'mention' ? [...around, child] : around
    const before = open
    open = new Map(entityNodes.map((node) => [node, before.get(node) ?? { ...entityOf(node), offset, length: 0 }]))
    for (const [node, entity] of open) {
      if (!before.has(node)) message.entities.push(entity)
      entity.length = message.text.length - entity.offset
    }
  }
}

type ChildlessNode = readonly [node: Exclude<Phrasing, Formatting | Link>, around: readonly NodeWithEntity[]]

/** Returns each node without children, with the formatting and the link around it, the outermost first and each kind only once. */
function childlessNodesIn(nodes: readonly Phrasing[], around: readonly NodeWithEntity[]): ChildlessNode[] {
  return nodes.flatMap((node): ChildlessNode[] => {
    if (!('children' in node)) return [[node, around]]
    const isOpen = around.some(({ type }) => type === node.type)
    return childlessNodesIn(node.children, isOpen ? around : [...around, node])
  })
}

function entityOf(node: NodeWithEntity): EntityFormat {
  switch (node.type) {
    case 'link':
      return { type: 'text_link', url: encodeLink(node.url) }
    case 'inlineCode':
      return { type: 'code' }
    case 'mention':
      return { type: 'text_mention', user: { id: Number(node.userID), is_bot: false, first_name: node.label ?? '' } }
    default:
      return { type: entityTypes[node.type] }
  }
}

const entityTypes = { strong: 'bold', emphasis: 'italic', underline: 'underline', delete: 'strikethrough' } as const

const HOST_CHARACTER = "[\\w.!$,~*'();&+=\\x80-\\uffff-]|%[\\da-f]{2}"
const LINKABLE = new RegExp(
  `^https?://(?:(?:${HOST_CHARACTER}|:)*@)?(?:((?:${HOST_CHARACTER})+)|\\[([\\da-f:]+)\\])(?::0*([1-9]\\d*))?(?:[/?#]|$)`,
  'i',
)

/**
 * Whether Telegram accepts a link to a URL. Telegram rejects the whole message (`Wrong HTTP URL`) unless the host has a dot or is an
 * IPv6 address, and the port is from 1 to 65535.
 */
function isLinkable(url: string): boolean {
  const [found, host = '', address = '', port = '1'] = LINKABLE.exec(url) ?? []
  if (found === undefined || Number(port) > 65_535) return false
  return address === '' ? host.includes('.') && host !== '.' : URL.canParse(`http://[${address}]`)
}
