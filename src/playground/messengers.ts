/** A message in five messengers: what is sent, how each shows it, and what is lost. */

import { type AnyNode, BlockmarkError, type Root, toBodies } from '../index.js'
import { toDiscord, toMatrix, toSlackBlocks, toTelegram, toWhatsApp } from '../messengers/index.js'
import { isBareLink } from '../tree.js'
import { discordBubble, slackBubble, telegramBubble, whatsAppBubble } from './bubbles.js'

/** A messenger's part of the panel, as data. */
export interface Card {
  readonly name: string
  /** The function of the library. */
  readonly call: string
  /** The first messages as HTML. */
  readonly bubbles: readonly string[]
  readonly messageCount: number
  /** What the bot sends: text, or JSON. */
  readonly payload: string
  /** What this message loses. */
  readonly losses: readonly string[]
}

/** The messages that a product receives, as a bubble each and as the payload. */
type Converted = Pick<Card, 'bubbles' | 'messageCount' | 'payload'>

interface Messenger {
  readonly name: string
  readonly call: string
  readonly convert: (tree: Root) => Converted
  /** The losses by the type of node that loses something. */
  readonly losses: Readonly<Record<string, string>>
}

/** A long text becomes many messages; the first ones show how each product looks. */
const BUBBLES_MAX = 3

/** Between messages that are text. */
const NEXT_MESSAGE = '\n\n— next message —\n\n'

const mention = 'a mention is @name, unless the bot gives its id'
const file = 'a file is its name, or a link'
const heading = 'a heading is bold'
const code = 'code has no language'

export const messengers: readonly Messenger[] = [
  {
    ...{ name: 'Telegram', call: 'toTelegram', losses: { heading, mention, file } },
    convert: (tree) => converted(toTelegram(tree), telegramBubble),
  },
  {
    ...{ name: 'Discord', call: 'toDiscord', losses: { mention, file } },
    convert: (tree) => converted(toDiscord(tree), discordBubble),
  },
  {
    ...{ name: 'WhatsApp', call: 'toWhatsApp', convert: (tree) => converted(toWhatsApp(tree), whatsAppBubble) },
    losses: { heading, underline: 'underlining is dropped', link: 'a link is its text and URL', code, mention, file },
  },
  {
    ...{ name: 'Slack', call: 'toSlackBlocks', losses: { heading, code, mention, file } },
    // One message of Slack holds about 12,000 characters of JSON.
    convert: (tree) =>
      converted(
        toBodies(tree, { bodyLength: 2000 }).map((body) => toSlackBlocks(body)),
        slackBubble,
      ),
  },
  {
    ...{ name: 'Matrix', call: 'toMatrix', losses: { mention, file } },
    convert: (tree) => converted(toMatrix(tree), ({ formatted_body: html }) => html),
  },
]

/** Makes the card of a messenger. */
export function cardOf({ name, call, convert, losses }: Messenger, tree: Root): Card {
  const types = typesIn(tree)
  const found = Object.entries(losses).flatMap(([type, loss]) => (types.has(type) ? [loss] : []))
  return { name, call, losses: found, ...orNothing(() => convert(tree)) }
}

function converted<Message>(messages: readonly Message[], draw: (message: Message) => string): Converted {
  const payload = messages.every((message) => typeof message === 'string')
    ? messages.join(NEXT_MESSAGE)
    : JSON.stringify(messages.length === 1 ? messages[0] : messages, null, 2)
  return { bubbles: messages.slice(0, BUBBLES_MAX).map(draw), messageCount: messages.length, payload }
}

/** A message that shows nothing, or holds a word that is too long, is not sent; the payload says why. */
function orNothing(convert: () => Converted): Converted {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof BlockmarkError)) throw error
    return { bubbles: [], messageCount: 0, payload: error.message }
  }
}

/** The types of nodes that may lose something: code only with a language, links only with a text of their own. */
function typesIn(tree: Root): ReadonlySet<string> {
  const types = new Set<string>()
  const open: AnyNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isWhole = (node.type === 'code' && !node.lang) || (node.type === 'link' && isBareLink(node))
    if (!isWhole) types.add(node.type)
    if ('children' in node) open.push(...node.children)
  }
  return types
}
