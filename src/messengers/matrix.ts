/** Converts a message to Matrix's `m.room.message`. */
import type { RootContent } from 'mdast'
import { textOf } from '../convert/lines.js'
import { blocksOfLines, typedMarkers } from '../convert/markers.js'
import { encodeLink } from '../convert/names.js'
import type { Source } from '../index.js'
import { escapeAttribute, escapeText } from '../render/escape.js'
import { sizeOfBlocks } from '../split/pack.js'
import type { Phrasing } from '../tree.js'
import { convert, type MessengerOptions, type ProductWriter } from './message.js'

/** The content of an `m.room.message` event. */
export interface MatrixMessage {
  msgtype: 'm.text'
  body: string
  format: 'org.matrix.custom.html'
  formatted_body: string
  /** The users that the message notifies. Without the property, words in the text could notify people. */
  'm.mentions': { user_ids?: string[] }
}

/**
 * Converts a message to the content of Matrix events: HTML of the elements that Matrix allows, and plain text.
 *
 * Lines that look like items and quotes (`1. a`, `> b`) are lists and quotes. A file is a link, or its name if `file`
 * returns no URL.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - `length` (default 45,000 bytes of JSON: an event may have 65,536, and encryption adds a third), names and
 * files, and whether lists and quotes stay text (`literal`); the `id` of a mention is a Matrix user id (`@ann:example.org`)
 * @returns the contents, in order; none for a blank source
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * const [message] = toMatrix('_See_ <@7|Ann>', { mention: () => ({ name: 'Ann', id: '@ann:example.org' }) })
 * message?.formatted_body // => '<p><u>See</u> <a href="https://matrix.to/#/%40ann%3Aexample.org">@Ann</a></p>'
 * message?.['m.mentions'] // => { user_ids: ['@ann:example.org'] }
 * @see https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes and
 * https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions
 */
export function toMatrix(source: Source, options: MessengerOptions = {}): MatrixMessage[] {
  return convert(source, options, writer)
}

interface Part {
  readonly html: string
  readonly text: string
  readonly userIDs: readonly string[]
}

const writer: ProductWriter<Part, MatrixMessage> = {
  length: 45_000,
  heading: (nodes, depth) => ({
    html: `<h${depth}>${htmlOf(nodes)}</h${depth}>`,
    text: textOf(nodes),
    userIDs: nodes.flatMap(userIDsIn),
  }),
  lines: (lines) => ({
    html: htmlOf(blocksOfLines(lines), '\n'),
    text: lines.map((line) => typedMarkers(line) + textOf(line.content ?? [])).join('\n'),
    userIDs: lines.flatMap(({ content }) => (content ?? []).flatMap(userIDsIn)),
  }),
  code: (text, lang) => {
    const language = lang === '' ? '' : ` class="language-${escapeAttribute(lang)}"`
    return { html: `<pre><code${language}>${escapeText(text)}\n</code></pre>`, text, userIDs: [] }
  },
  sizeOf: (parts) => sizeOfBlocks(parts.map(lengthOf)),
  join: (parts) => {
    const users = [...new Set(parts.flatMap(({ userIDs }) => userIDs))]
    return {
      msgtype: 'm.text',
      body: parts.map(({ text }) => text).join('\n\n'),
      format: 'org.matrix.custom.html',
      formatted_body: parts.map(({ html }) => html).join('\n'),
      'm.mentions': users.length > 0 ? { user_ids: users } : {},
    }
  },
  isLink: ({ url }) => /^(?:https?|mailto|ftp|magnet):/i.test(url),
  // The grammar of the specification's user identifiers.
  isID: (id) => /^@[^\s:\0]+:[^\s\0]+$/.test(id) && id.length <= 255,
}

function userIDsIn(node: Phrasing): string[] {
  if (node.type === 'mention') return [node.userID]
  return 'children' in node ? node.children.flatMap(userIDsIn) : []
}

/** Returns the number of bytes of a part's three fields as JSON. */
function lengthOf({ html, text, userIDs }: Part): number {
  return new TextEncoder().encode(JSON.stringify([html, text, userIDs])).length
}

/** Writes nodes, with a separator between them. */
function htmlOf(nodes: readonly RootContent[], separator = ''): string {
  return nodes.map(writeNode).join(separator)
}

const tags = { strong: 'strong', emphasis: 'em', underline: 'u', delete: 'del', paragraph: 'p' } as const

function writeNode(node: RootContent): string {
  switch (node.type) {
    case 'text':
      return escapeText(node.value)
    case 'break':
      return '<br>\n'
    case 'inlineCode':
      return `<code>${escapeText(node.value)}</code>`
    case 'mention':
      return `<a href="https://matrix.to/#/${encodeURIComponent(node.userID)}">@${escapeText(node.label ?? '')}</a>`
    case 'link':
      return `<a href="${escapeAttribute(encodeLink(node.url))}">${htmlOf(node.children)}</a>`
    case 'strong':
    case 'emphasis':
    case 'underline':
    case 'delete':
    case 'paragraph':
      return `<${tags[node.type]}>${htmlOf(node.children)}</${tags[node.type]}>`
    case 'blockquote':
      return `<blockquote>\n${htmlOf(node.children, '\n')}\n</blockquote>`
    case 'list': {
      const start = node.ordered && node.start !== 1 ? ` start="${node.start}"` : ''
      const tag = node.ordered ? 'ol' : 'ul'
      return `<${tag}${start}>\n${htmlOf(node.children, '\n')}\n</${tag}>`
    }
    case 'listItem': {
      const [first, ...others] = node.children
      // A `p` around the first paragraph would put a blank line between the items.
      const isLine = first?.type === 'paragraph'
      const blocks = (isLine ? others : node.children).map((block) => `\n${writeNode(block)}`)
      return `<li>${isLine ? htmlOf(first.children) : ''}${blocks.join('')}${blocks.length > 0 ? '\n' : ''}</li>`
    }
    default:
      throw new TypeError(`unexpected ${node.type}`)
  }
}
