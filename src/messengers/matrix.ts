/** A message as Matrix's `m.room.message`. */
import { nameOf, spelledOut } from '../convert/names.js'
import { type Source, toText } from '../index.js'
import { encodeUrl, escapeAttribute, escapeText } from '../render/escape.js'
import type { Block, Formatting, Phrasing } from '../tree.js'
import { clean, convert, isInvisible, type MessengerOptions, writeBlock } from './message.js'

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
 * A file is a link to its `href` or its name.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - `length` (default 45,000 bytes of JSON: an event may have 65,536, and encryption adds a third), names and
 * files; the `id` of a mention is a Matrix user id (`@ann:example.org`)
 * @returns the contents, in order; none for a blank source
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toMatrix('_See_ <@7|Ann>', { mention: () => ({ name: 'Ann', id: '@ann:example.org' }) })
 * // => [{
 * //   msgtype: 'm.text',
 * //   body: 'See @Ann',
 * //   format: 'org.matrix.custom.html',
 * //   formatted_body: '<p><u>See</u> <a href="https://matrix.to/#/%40ann%3Aexample.org">@Ann</a></p>',
 * //   'm.mentions': { user_ids: ['@ann:example.org'] },
 * // }]
 * @see https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes and
 * https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions
 */
export function toMatrix(source: Source, options: MessengerOptions = {}): MatrixMessage[] {
  return convert(source, options, { length: 45_000, write, sizeOf, join })
}

interface Part {
  readonly html: string
  readonly text: string
  readonly userIDs: readonly string[]
}

function write(block: Block, options: MessengerOptions): Part {
  const context: Context = { ...options, userIDs: [] }
  const html = writeBlock(block, options, {
    inline: (nodes) => all(nodes, context),
    heading: (nodes, depth) => `<h${depth}>${all(nodes, context)}</h${depth}>`,
    paragraph: (text) => `<p>${text}</p>`,
    list: (items) => `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`,
    code: (value, lang) => {
      const language = lang === '' ? '' : ` class="language-${escapeAttribute(lang)}"`
      return `<pre><code${language}>${escapeText(value)}\n</code></pre>`
    },
  })
  return { html, text: clean(toText({ type: 'root', children: [block] }, options)), userIDs: context.userIDs }
}

/** The bytes of the three fields as JSON. */
function sizeOf({ html, text, userIDs }: Part): number {
  return isInvisible(text.replace(/^• /gm, ''))
    ? 0
    : new TextEncoder().encode(JSON.stringify([html, text, userIDs])).length
}

function join(parts: readonly Part[]): MatrixMessage | null {
  if (parts.length === 0) return null
  const users = [...new Set(parts.flatMap(({ userIDs }) => userIDs))]
  return {
    msgtype: 'm.text',
    body: parts.map(({ text }) => text).join('\n\n'),
    format: 'org.matrix.custom.html',
    formatted_body: parts.map(({ html }) => html).join('\n'),
    'm.mentions': users.length > 0 ? { user_ids: users } : {},
  }
}

interface Context extends MessengerOptions {
  /** The users that have been mentioned. */
  readonly userIDs: string[]
  readonly isInLink?: boolean
}

const tags: Readonly<Record<Formatting['type'], string>> = {
  strong: 'strong',
  emphasis: 'em',
  underline: 'u',
  delete: 'del',
}

function all(nodes: readonly Phrasing[], context: Context): string {
  return nodes.map((node) => writeNode(node, context)).join('')
}

function writeNode(node: Phrasing, context: Context): string {
  switch (node.type) {
    case 'text':
      return escapeText(clean(node.value))
    case 'break':
      return '<br>\n'
    case 'inlineCode':
      return `<code>${escapeText(clean(node.value))}</code>`
    case 'mention': {
      const { id, text, node: name } = nameOf(node, context)
      if (context.isInLink || !isUserID(id)) return writeNode(context.isInLink ? text : name, context)
      context.userIDs.push(id)
      return `<a href="https://matrix.to/#/${encodeURIComponent(id)}">${writeNode(text, context)}</a>`
    }
    case 'link': {
      if (context.isInLink) return all(node.children, context)
      if (!/^(?:https?|mailto|ftp|magnet):/i.test(node.url)) return all(spelledOut(node), context)
      const label = all(node.children, { ...context, isInLink: true })
      return `<a href="${escapeAttribute(encodeUrl(node.url))}">${label}</a>`
    }
    default:
      return `<${tags[node.type]}>${all(node.children, context)}</${tags[node.type]}>`
  }
}

/** A user id as the specification's grammar for identifiers has it. */
function isUserID(id: string | undefined): id is string {
  return id !== undefined && /^@[^\s:\0]+:[^\s\0]+$/.test(id) && id.length <= 255
}
