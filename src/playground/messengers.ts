/** A message in five messengers: what is sent, how each shows it, and what is lost. */

import { type AnyNode, BlockmarkError, type Root, toBodies } from '../index.js'
import { toDiscord, toMatrix, toSlackBlocks, toTelegram, toWhatsApp } from '../messengers/index.js'
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

interface Messenger {
  readonly name: string
  readonly call: string
  /** Converts a message, and draws its first parts. */
  readonly convert: (tree: Root) => Pick<Card, 'bubbles' | 'messageCount' | 'payload'>
  /** The losses by the type of node that loses something. */
  readonly losses: Readonly<Record<string, string>>
}

/** A long text becomes many messages; the first ones show how each product looks. */
const BUBBLES_MAX = 3

/** Between messages that are text. */
const NEXT_MESSAGE = '\n\n— next message —\n\n'

const shared = { mention: 'a mention is @name, unless the bot gives its id', file: 'a file is its name, or a link' }

export const messengers: readonly Messenger[] = [
  {
    ...{ name: 'Telegram', call: 'toTelegram', convert: (tree) => converted(toTelegram(tree), telegramBubble) },
    losses: { heading: 'a heading is bold', ...shared },
  },
  {
    ...{ name: 'Discord', call: 'toDiscord', convert: (tree) => converted(toDiscord(tree), discordBubble) },
    losses: shared,
  },
  {
    ...{ name: 'WhatsApp', call: 'toWhatsApp', convert: (tree) => converted(toWhatsApp(tree), whatsAppBubble) },
    losses: {
      heading: 'a heading is bold',
      underline: 'underlining is dropped',
      link: 'a link is its text and URL',
      code: 'code has no language',
      ...shared,
    },
  },
  {
    ...{ name: 'Slack', call: 'toSlackBlocks', convert: (tree) => converted(slackMessages(tree), slackBubble) },
    losses: { heading: 'a heading is bold', code: 'code has no language', ...shared },
  },
  {
    ...{ name: 'Matrix', call: 'toMatrix', losses: shared },
    convert: (tree) => converted(toMatrix(tree), ({ formatted_body }) => formatted_body),
  },
]

/** Makes the card of a messenger. */
export function cardOf({ name, call, convert, losses }: Messenger, tree: Root): Card {
  const types = typesIn(tree)
  const found = Object.entries(losses).flatMap(([type, loss]) => (types.has(type) ? [loss] : []))
  return { name, call, losses: found, ...orNothing(() => convert(tree)) }
}

function converted<Message>(
  messages: readonly Message[],
  draw: (message: Message) => string,
): ReturnType<Messenger['convert']> {
  const payload = messages.every((message) => typeof message === 'string')
    ? messages.join(NEXT_MESSAGE)
    : JSON.stringify(messages.length === 1 ? messages[0] : messages, null, 2)
  return { bubbles: messages.slice(0, BUBBLES_MAX).map(draw), messageCount: messages.length, payload }
}

/** One message of Slack holds about 12,000 characters of JSON. */
function slackMessages(tree: Root): ReturnType<typeof toSlackBlocks>[] {
  return toBodies(tree, { bodyLength: 2000 }).map((body) => toSlackBlocks(body))
}

/** A message that shows nothing, or holds a word that is too long, is not sent; the payload says why. */
function orNothing(convert: () => ReturnType<Messenger['convert']>): ReturnType<Messenger['convert']> {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof BlockmarkError)) throw error
    return { bubbles: [], messageCount: 0, payload: error.message }
  }
}

/** The types of nodes that a message has, with the difference between a named link and a bare one. */
function typesIn(tree: Root): ReadonlySet<string> {
  const types = new Set<string>()
  const open: AnyNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'code' ? node.lang : node.type !== 'link' || isNamed(node)) types.add(node.type)
    if ('children' in node) open.push(...node.children)
  }
  return types
}

function isNamed({ url, children }: Extract<AnyNode, { type: 'link' }>): boolean {
  const [first] = children
  return !(children.length === 1 && first?.type === 'text' && first.value === url)
}
