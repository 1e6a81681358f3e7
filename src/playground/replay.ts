/** Shows a text as it arrives from a model: in a stream of the library, and in a renderer that renders everything again. */

import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { createMarkdownStream } from '../convert/index.js'
import { type BlockStream, createStream, type Root, toHtml } from '../index.js'
import { BLOCKMARK, MARKDOWN, type ParsedText, readAs } from './dialects.js'
import { columns, element } from './element.js'
import { safeHtml } from './safe-html.js'

/** Number of characters that arrive at once, about as many as a token of a model has. */
const TOKEN_LENGTH = 4
const TOKEN_MILLISECONDS = 40
/** Maximum number of pieces. The pieces of a long text are longer, so that a replay ends within 12 seconds. */
const TOKENS_MAX = 300
/** Maximum length of a replayed text, because the renderer without a stream takes longer with each piece. */
const LENGTH_MAX = 8_000

/** The functions that stream a dialect, and that render it in a program without streams. */
interface Renderer {
  readonly name: string
  readonly createStream: () => BlockStream
  readonly render: (text: string) => string
}

const renderers: ReadonlyMap<string, Renderer> = new Map([
  [BLOCKMARK, { name: 'createStream', createStream, render: (text: string) => toHtml(text) }],
  [MARKDOWN, { name: 'createMarkdownStream', createStream: createMarkdownStream, render: commonmarkOf }],
])

/** Renders CommonMark with GFM. HTML in the text is shown as text, because micromark's dangerous options are off. */
export function commonmarkOf(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

export function canReplay(dialect: string): boolean {
  return renderers.has(dialect)
}

/** Draws the replay, which starts when it is in the page. */
export function drawReplay({ text: wholeText, dialect }: ParsedText): HTMLElement {
  const text = wholeText.slice(0, LENGTH_MAX)
  const renderer = renderers.get(dialect)
  if (renderer === undefined) return columns([])
  const [settled, tail] = [element('div', { class: 'blockmark' }), element('div', { class: 'blockmark tail' })]
  const rerendered = element('div', { class: 'blockmark commonmark' })
  const counter = createCounter(htmlOf(readAs(dialect, text).tree.children))
  const rerenderedCounter = createCounter(renderer.render(text))
  const stream = renderer.createStream()
  const length = Math.max(TOKEN_LENGTH, Math.ceil(text.length / TOKENS_MAX))
  let at = 0
  const step = (): void => {
    // The replay ends when another output is shown.
    if (!settled.isConnected) return
    const isOver = at >= text.length
    const blocks = isOver ? stream.finish() : stream.push(text.slice(at, at + length))
    at += length
    settled.insertAdjacentHTML('beforeend', htmlOf(blocks))
    tail.innerHTML = isOver ? '' : htmlOf(stream.tail.children)
    rerendered.replaceChildren(safeHtml(renderer.render(text.slice(0, at))))
    counter.add(blocks.length + tail.childElementCount, settled, tail)
    rerenderedCounter.add(rerendered.childElementCount, rerendered)
    if (!isOver) setTimeout(step, TOKEN_MILLISECONDS)
  }
  requestAnimationFrame(step)
  return columns([
    [renderer.name, counter.node, settled, tail],
    ['Everything rendered again', rerenderedCounter.node, rerendered],
  ])
}

/** Creates a line that counts the drawn and redrawn blocks, and the steps that showed text that the result does not contain. */
function createCounter(result: string) {
  const [blocks, steps] = [element('b', {}, '0'), element('b', {}, '0')]
  const finalText = textWithoutSpaces(safeHtml(result))
  const node = element(
    'p',
    { class: 'quiet counter' },
    blocks,
    ' blocks drawn, unfinished markup shown ',
    steps,
    ' times',
  )
  const add = (blockCount: number, ...visibleElements: readonly Element[]): void => {
    blocks.textContent = String(Number(blocks.textContent) + blockCount)
    if (!finalText.startsWith(visibleElements.map(textWithoutSpaces).join('')))
      steps.textContent = String(Number(steps.textContent) + 1)
  }
  return { node, add }
}

/** Returns the text without white space, because white space depends on the elements around it. */
function textWithoutSpaces({ textContent }: Node): string {
  return textContent?.replace(/\s+/g, '') ?? ''
}

function htmlOf(children: Root['children']): string {
  return toHtml({ type: 'root', children })
}
