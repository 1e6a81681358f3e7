/** The panels, which draw outputs. */

import { button, columns, element } from './element.js'
import { fuzzRow } from './fuzz.js'
import type { Linked } from './links.js'
import type { Card } from './messengers.js'
import type { TreeLine, View } from './outputs.js'
import type { Result } from './outputs-of.js'
import { pair } from './pairing.js'
import { drawReplay } from './replay.js'
import { safeHtml } from './safe-html.js'
import { codeLabels } from './tabs.js'

/** The input of a panel. */
export interface PanelInput extends Result {
  readonly text: string
  readonly dialect: string
  /** The name of the output. */
  readonly output: string
}

/** Actions of a panel on the page. */
export interface Actions {
  /** Shows another output. */
  readonly choose: (output: string) => void
  /** Copies a text, and says so. */
  readonly copy: (text: string) => void
  /** Connects drawn elements with their positions in the text. */
  readonly link: (linked: readonly Linked[]) => void
}

/** Draws an output. */
export function drawPanel(input: PanelInput, actions: Actions): readonly Node[] {
  const { text, dialect, output, view } = input
  if (text.trim() === '') return [element('p', { class: 'quiet' }, 'The result is shown here while you type.')]
  switch (view.kind) {
    case 'message':
      return [drawMessage(view, actions)]
    case 'replay':
      return [drawReplay(text, dialect)]
    case 'cards':
      return [element('div', { class: 'cards' }, ...view.cards.map((card) => drawCard(card, actions.copy)))]
    case 'lines':
      return [...fuzzRow(), drawTree(view.lines, actions)]
    case 'text':
      return output === 'html' ? [drawText(view.text)] : [drawMenu(output, actions), drawText(view.text)]
  }
}

/** Draws the menu of the tab Code. */
function drawMenu(output: string, { choose }: Actions): HTMLElement {
  const options = Object.entries(codeLabels).map(([value, label]) => element('option', { value }, label))
  const select = element('select', {}, ...options)
  select.value = output
  select.addEventListener('change', () => choose(select.value))
  return element('p', { class: 'choice' }, element('label', {}, 'As ', select))
}

/** Draws text in parts: those out of view are laid out when they come into view. */
function drawText(text: string): HTMLElement {
  const parts = text.match(/(?:.*\n){1,40}|.+$/g) ?? []
  const drawn = parts.map((part) => element('div', { class: 'piece' }, part))
  // An element that scrolls must be reachable by keyboard.
  return element('pre', { class: 'wrapped', tabindex: '0' }, ...drawn)
}

/**
 * Draws the message; CommonMark also as GitHub shows it. The library's output contains no element, attribute or URL that runs
 * anything, and the page's policy forbids it too.
 */
function drawMessage({ html, nodes, commonmark }: Extract<View, { kind: 'message' }>, { link }: Actions): HTMLElement {
  const content = element('div', { class: 'blockmark' })
  content.innerHTML = html
  for (const block of content.querySelectorAll('pre')) block.tabIndex = 0
  link(pair(nodes, [...content.children]))
  if (commonmark === null) return content
  const github = element('div', { class: 'blockmark commonmark' }, safeHtml(commonmark))
  return columns([
    ['blockmark', content],
    ['CommonMark, as GitHub shows it', github],
  ])
}

function drawCard({ name, call, bubbles, messageCount, payload, losses }: Card, copy: Actions['copy']): HTMLElement {
  const title = element('h2', {}, name, ' ', element('code', { class: 'call' }, call))
  const copyButton = button('Copy', () => copy(payload))
  copyButton.setAttribute('aria-label', `Copy what ${name} receives`)
  const drawn = bubbles.map((html) => element('div', { class: 'bubble' }, safeHtml(html)))
  const more = messageCount - bubbles.length
  if (more > 0) drawn.push(element('div', { class: 'more' }, `and ${more} more ${more === 1 ? 'message' : 'messages'}`))
  if (messageCount === 0) drawn.push(element('div', { class: 'more' }, payload === '' ? 'Nothing to send.' : payload))
  const [first = 'Nothing is lost', ...rest] = losses
  const sentence = [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join('; ')
  return element(
    ...(['section', { class: `card ${name.toLowerCase()}`, 'aria-label': name }] as const),
    element('header', {}, title, copyButton),
    element('div', { class: 'chat' }, ...drawn),
    element('p', { class: 'quiet lost' }, `${sentence}.`),
  )
}

/** Nobody reads more lines, and a browser takes long to draw them. */
const LINES_MAX = 1000

function drawTree(all: readonly TreeLine[], { link }: Actions): HTMLElement {
  const lines = all.slice(0, LINES_MAX).map(({ indent, type, fields, span }) => ({
    span,
    element: element('span', {}, indent, element('span', { class: 'type' }, type), `${fields}\n`),
  }))
  link(lines.flatMap(({ span, element: line }) => (span === null ? [] : [{ element: line, span }])))
  const more = all.length > LINES_MAX ? [`and ${all.length - LINES_MAX} more`] : []
  return element('pre', { tabindex: '0' }, ...lines.map(({ element: line }) => line), ...more)
}
