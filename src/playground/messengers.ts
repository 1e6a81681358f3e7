/** Shows a message in five messengers: the data that a bot sends, the look in each messenger, and the losses. */

import { type AnyNode, BlockmarkError, type Root, toBodies } from '../index.js'
import { toDiscord, toMatrix, toSlackBlocks, toTelegram, toWhatsApp } from '../messengers/index.js'
import { isBareLink } from '../tree.js'
import { discordBubble, slackBubble, telegramBubble, whatsAppBubble } from './bubbles.js'
import { PAUSE_MILLISECONDS } from './editor.js'
import { button, element, replaceChanged } from './element.js'
import { safeHtml } from './safe-html.js'

/** The messages that a messenger receives. */
interface ConvertedMessages {
  /** The first messages as HTML. */
  readonly bubbles: readonly string[]
  readonly messageCount: number
  /** The text or JSON that the bot sends. */
  readonly payload: string
}

interface Messenger {
  readonly name: string
  /** The name of the library's function. */
  readonly call: string
  readonly convert: (tree: Root) => ConvertedMessages
  /** The losses by the type of node that loses something. */
  readonly losses: Readonly<Record<string, string>>
}

/** Maximum number of messages that are drawn: the first messages of a long text show how each messenger looks. */
const BUBBLES_MAX = 3

/** Separates messages that are text. */
const NEXT_MESSAGE = '\n\n— next message —\n\n'

const mention = 'a mention is @name, unless the bot gives its id'
const file = 'a file is its name, or a link'
const heading = 'a heading is bold'
const code = 'code has no language'

const messengers: readonly Messenger[] = [
  {
    ...{ name: 'Telegram', call: 'toTelegram', losses: { heading, mention, file } },
    convert: (tree) => toConverted(toTelegram(tree), telegramBubble),
  },
  {
    ...{ name: 'Discord', call: 'toDiscord', losses: { mention, file } },
    convert: (tree) => toConverted(toDiscord(tree), discordBubble),
  },
  {
    ...{ name: 'WhatsApp', call: 'toWhatsApp', convert: (tree) => toConverted(toWhatsApp(tree), whatsAppBubble) },
    losses: { heading, underline: 'underlining is dropped', link: 'a link is its text and URL', code, mention, file },
  },
  {
    ...{ name: 'Slack', call: 'toSlackBlocks', losses: { heading, code, mention, file } },
    // The text is split first, because a message of Slack can contain only about 12,000 characters of JSON.
    convert: (tree) =>
      toConverted(
        toBodies(tree, { bodyLength: 1000 }).map((body) => toSlackBlocks(body)),
        slackBubble,
      ),
  },
  {
    ...{ name: 'Matrix', call: 'toMatrix', losses: { mention, file } },
    convert: (tree) => toConverted(toMatrix(tree), ({ formatted_body: html }) => html),
  },
]

/** The cards of all messengers, which stay in the page while the text changes. */
export interface Cards {
  readonly node: HTMLElement
  /** Shows another message: at once if the cards are not in the page yet, or else after a pause, in the cards in view. */
  draw(tree: Root): void
  /** Returns the payloads of all messengers below their names. */
  payloads(): string
}

interface Card {
  readonly node: HTMLElement
  draw(tree: Root): void
}

/** Creates the cards, whose buttons call `copy` with a payload. */
export function createCards(copy: (payload: string) => void): Cards {
  let currentTree: Root = { type: 'root', children: [] }
  const cards = messengers.map((messenger) => createCard(messenger, () => copy(payloadOf(messenger, currentTree))))
  const node = element('div', { class: 'cards' }, ...cards.map((card) => card.node))
  const visibleCards = new Set<Element>()
  const drawIf = (isShown: (card: Card) => boolean): void => {
    for (const card of cards) if (isShown(card)) card.draw(currentTree)
  }
  const drawInView = (): void => drawIf((card) => visibleCards.has(card.node))
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) visibleCards[isIntersecting ? 'add' : 'delete'](target)
    drawInView()
  })
  for (const card of cards) observer.observe(card.node)
  addEventListener('beforeprint', () => drawIf(() => true))
  let drawTimer = 0
  return {
    node,
    draw(tree) {
      currentTree = tree
      clearTimeout(drawTimer)
      if (node.isConnected) drawTimer = setTimeout(drawInView, PAUSE_MILLISECONDS)
      else drawIf(() => true)
    },
    payloads: () =>
      messengers.map((messenger) => `${messenger.name}\n\n${payloadOf(messenger, currentTree)}`).join('\n\n\n'),
  }
}

function createCard(messenger: Messenger, copy: () => void): Card {
  const { name, call, losses } = messenger
  const title = element('h2', {}, name, ' ', element('code', { class: 'call' }, call))
  const copyButton = button('Copy', copy)
  copyButton.setAttribute('aria-label', `Copy what ${name} receives`)
  const chat = element('div', { class: 'chat' })
  const lossLine = element('p', { class: 'quiet lost' })
  const header = element('header', {}, title, copyButton)
  const node = element('section', { class: `card ${name.toLowerCase()}`, 'aria-label': name }, header, chat, lossLine)
  let drawnTree: Root | null = null
  const draw = (tree: Root): void => {
    if (drawnTree === tree) return
    drawnTree = tree
    replaceChanged(chat, drawMessages(convert(messenger, tree)))
    const types = typesIn(tree)
    const presentLosses = Object.entries(losses).flatMap(([type, loss]) => (types.has(type) ? [loss] : []))
    const [first = 'Nothing is lost', ...rest] = presentLosses
    lossLine.textContent = `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join('; ')}.`
  }
  return { node, draw }
}

function drawMessages({ bubbles, messageCount, payload }: ConvertedMessages): readonly Node[] {
  const drawn = bubbles.map((html) => element('div', { class: 'bubble', dir: 'auto' }, safeHtml(html)))
  const more = messageCount - bubbles.length
  if (more > 0) drawn.push(element('div', { class: 'more' }, `and ${more} more ${more === 1 ? 'message' : 'messages'}`))
  if (messageCount === 0) drawn.push(element('div', { class: 'more' }, payload === '' ? 'Nothing to send.' : payload))
  return drawn
}

function payloadOf(messenger: Messenger, tree: Root): string {
  return convert(messenger, tree).payload
}

/** Converts a message. If it shows nothing, or contains a word that is too long, nothing is sent, and the payload says why. */
function convert(messenger: Messenger, tree: Root): ConvertedMessages {
  try {
    return messenger.convert(tree)
  } catch (error) {
    if (!(error instanceof BlockmarkError)) throw error
    return { bubbles: [], messageCount: 0, payload: error.message }
  }
}

function toConverted<Message>(messages: readonly Message[], draw: (message: Message) => string): ConvertedMessages {
  const payload = messages.every((message) => typeof message === 'string')
    ? messages.join(NEXT_MESSAGE)
    : JSON.stringify(messages.length === 1 ? messages[0] : messages, null, 2)
  return { bubbles: messages.slice(0, BUBBLES_MAX).map(draw), messageCount: messages.length, payload }
}

/** Returns the types of nodes that a conversion may degrade. Code without a language and links that show their URL lose nothing. */
function typesIn(tree: Root): ReadonlySet<string> {
  const types = new Set<string>()
  const unvisitedNodes: AnyNode[] = [tree]
  for (let node = unvisitedNodes.pop(); node !== undefined; node = unvisitedNodes.pop()) {
    const losesNothing = (node.type === 'code' && !node.lang) || (node.type === 'link' && isBareLink(node))
    if (!losesNothing) types.add(node.type)
    if ('children' in node) unvisitedNodes.push(...node.children)
  }
  return types
}
