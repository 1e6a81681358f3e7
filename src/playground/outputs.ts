/** The outputs of the library: how each is drawn in the panel, and the text for the Copy button. */

import { toMarkdown } from '../convert/index.js'
import { type AnyNode, BlockmarkError, stringify, toBlocks, toHtml, toText } from '../index.js'
import { spanOfNode } from './colors.js'
import { BLOCKMARK, MARKDOWN, type ParsedText } from './dialects.js'
import { columns, element, replaceChanged } from './element.js'
import { fuzzRow } from './fuzz.js'
import type { Span } from './highlight-layer.js'
import { pairElements, type ResultPart } from './links.js'
import { type Cards, createCards } from './messengers.js'
import { commonmarkOf, drawReplay } from './replay.js'
import { safeHtml } from './safe-html.js'
import { codeLabels } from './tabs.js'

export interface Output {
  readonly nodes: readonly Node[]
  /** Returns the text for the Copy button. */
  readonly textToCopy: () => string
}

/** Actions of an output on the page. */
export interface Actions {
  /** Shows another output. */
  readonly choose: (output: string) => void
  /** Copies a text, and shows that it was copied. */
  readonly copy: (text: string) => void
  /** Connects drawn elements with their positions in the text. */
  readonly link: (parts: readonly ResultPart[]) => void
}

/** Draws the output with the given name. */
export function outputOf(name: string, parsed: ParsedText, actions: Actions): Output {
  if (parsed.text.trim() === '') {
    return {
      nodes: [element('p', { class: 'quiet' }, 'The result is shown here while you type.')],
      textToCopy: () => '',
    }
  }
  const draw = outputs[name]
  if (draw !== undefined) return draw(parsed, actions)
  const output = textOutput(() => codeTexts[name]?.(parsed) ?? '')
  return { ...output, nodes: [drawMenu(name, actions), ...output.nodes] }
}

const outputs: Readonly<Record<string, (parsed: ParsedText, actions: Actions) => Output>> = {
  preview: messageOutput,
  replay: (parsed) => ({ nodes: [drawReplay(parsed)], textToCopy: () => parsed.text }),
  messengers: cardsOutput,
  html: ({ tree }) => textOutput(() => toHtml(tree)),
  tree: treeOutput,
}

/** The outputs of the tab Code. */
const codeTexts: Readonly<Record<string, (parsed: ParsedText) => string>> = {
  curl: (parsed) => curlOf(blocksOf(parsed)),
  typescript: (parsed) => typescriptOf(blocksOf(parsed)),
  blocks: (parsed) => JSON.stringify(blocksOf(parsed), null, 2),
  text: ({ tree }) => toText(tree),
  dialect: ({ tree }) => stringify(tree),
  markdown: ({ tree }) => toMarkdown(tree),
}

/** Draws text; if the message cannot be written, for example because it is empty, the text is the reason. */
function textOutput(write: () => string): Output {
  const shownText = textOrReason(write)
  // The tabindex makes the element, which scrolls, reachable by keyboard.
  return { nodes: [element('pre', { class: 'wrapped', tabindex: '0' }, shownText)], textToCopy: () => shownText }
}

function textOrReason(write: () => string): string {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof BlockmarkError)) throw error
    return error.message
  }
}

function drawMenu(name: string, { choose }: Actions): HTMLElement {
  const options = Object.entries(codeLabels).map(([value, label]) => element('option', { value }, label))
  const select = element('select', {}, ...options)
  select.value = name
  select.addEventListener('change', () => choose(select.value))
  return element('p', { class: 'choice' }, element('label', {}, 'As ', select))
}

const [message, ownMessage] = [element('div', { class: 'blockmark' }), element('div', { class: 'blockmark' })]
const githubElement = element('div', { class: 'blockmark commonmark' })
const markdownColumns = columns([
  ['blockmark', ownMessage],
  ['CommonMark, as GitHub shows it', githubElement],
])

/**
 * Draws the message, and CommonMark also as GitHub shows it. The library's output contains no element, attribute or URL that runs
 * a script, and the page's policy forbids scripts, too.
 */
function messageOutput({ text, dialect, tree }: ParsedText, { link }: Actions): Output {
  const isMarkdown = dialect === MARKDOWN
  const html = toHtml(tree)
  const drawn = element('div')
  drawn.innerHTML = html
  for (const block of drawn.querySelectorAll('pre')) block.tabIndex = 0
  const content = isMarkdown ? ownMessage : message
  replaceChanged(content, drawn.childNodes)
  link(pairElements(tree.children, [...content.children]))
  if (isMarkdown) replaceChanged(githubElement, safeHtml(commonmarkOf(text)).childNodes)
  return { nodes: [isMarkdown ? markdownColumns : message], textToCopy: () => html }
}

let cards: Cards | null = null

function cardsOutput({ tree }: ParsedText, { copy }: Actions): Output {
  cards ??= createCards(copy)
  cards.draw(tree)
  return { nodes: [cards.node], textToCopy: cards.payloads }
}

const treeNode = element('div', { class: 'tree' })

function treeOutput({ tree }: ParsedText, { link }: Actions): Output {
  const spans: (Span | null)[] = []
  replaceChanged(treeNode, [drawNode(tree, spans)])
  // The lines are searched in the page, because `replaceChanged` keeps the old element of an unchanged line.
  const lines = [...treeNode.querySelectorAll(':is(div, summary) > span')]
  link(
    lines.flatMap((line, index) => {
      const span = spans[index] ?? null
      return span === null ? [] : [{ element: line, span }]
    }),
  )
  return { nodes: [...fuzzRow(), treeNode], textToCopy: () => JSON.stringify(tree, null, 2) }
}

/** Draws a node; a node with children can be folded. Adds the spans of all nodes in the order of their lines. */
function drawNode(node: AnyNode, spans: (Span | null)[]): HTMLElement {
  const line = element('span', {}, element('span', { class: 'type' }, node.type), fieldsOf(node))
  spans.push(spanOfNode(node))
  if (!('children' in node) || node.children.length === 0) return element('div', {}, line)
  const children = node.children.map((child) => drawNode(child, spans))
  return element('details', { open: '' }, element('summary', {}, line), ...children)
}

/** Fields that the line of a node omits: they are shown elsewhere, or have the same value in all nodes. */
const hiddenFields = new Set(['type', 'children', 'position', 'ordered', 'spread', 'title'])

function fieldsOf(node: AnyNode): string {
  const fields = Object.entries(node).filter(([name]) => !hiddenFields.has(name))
  const fieldTexts = fields.map(([name, value]) =>
    name === 'value' ? JSON.stringify(value) : `${name}=${JSON.stringify(value)}`,
  )
  const { position } = node
  const positionTexts = position === undefined ? [] : [`@${position.start.offset}–${position.end.offset}`]
  return [...fieldTexts, ...positionTexts].map((field) => ` ${field}`).join('')
}

function blocksOf({ text, dialect, tree }: ParsedText): string[] {
  return toBlocks(dialect === BLOCKMARK ? text : tree)
}

function curlOf(blocks: readonly string[]): string {
  const body = JSON.stringify({ channel: 'welcome', blocks }, null, 2)
  return `curl "$BLOCKMARK_URL/api/public/postThread" -H "Authorization: Bearer $BLOCKMARK_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", `'\\''`)}'`
}

function typescriptOf(blocks: readonly string[]): string {
  return `import { createClient } from 'blockmark/client'

const bot = createClient({
  baseUrl: process.env.BLOCKMARK_URL ?? '',
  apiKey: process.env.BLOCKMARK_API_KEY ?? '',
})
await bot.postThread({ channel: 'welcome', blocks: ${JSON.stringify(blocks, null, 2)} })`
}
