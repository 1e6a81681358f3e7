/** The text as it arrives from a model: in a stream of the library, and in a renderer that renders everything again. */

import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { createMarkdownStream } from '../convert/index.js'
import { type BlockStream, createStream, type Root, toHtml } from '../index.js'
import { MARKDOWN, OWN, type Read, readAs } from './dialects.js'
import { columns, element } from './element.js'
import { safeHtml } from './safe-html.js'

/** About a token of a model. */
const TOKEN_LENGTH = 4
const TOKEN_MILLISECONDS = 40
/** A longer text arrives in longer pieces, so that a replay ends within 12 seconds. */
const TOKENS_MAX = 300
/** Characters of a text that are replayed: the other renderer takes longer with each piece. */
const LENGTH_MAX = 8_000

/** How a dialect is streamed, and rendered by a program that does not stream. */
interface Way {
  readonly name: string
  readonly createStream: () => BlockStream
  readonly render: (text: string) => string
}

const ways: ReadonlyMap<string, Way> = new Map([
  [OWN, { name: 'createStream', createStream, render: (text: string) => toHtml(text) }],
  [MARKDOWN, { name: 'createMarkdownStream', createStream: createMarkdownStream, render: commonmarkOf }],
])

/** Renders CommonMark with GFM as GitHub does. Without its dangerous options, micromark writes HTML in the text as text. */
export function commonmarkOf(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

export function canReplay(dialect: string): boolean {
  return ways.has(dialect)
}

/** Draws the replay, which starts when it is in the page. */
export function drawReplay({ text: whole, dialect }: Read): HTMLElement {
  const text = whole.slice(0, LENGTH_MAX)
  const way = ways.get(dialect)
  if (way === undefined) return columns([])
  const [settled, tail] = [element('div', { class: 'blockmark' }), element('div', { class: 'blockmark tail' })]
  const again = element('div', { class: 'blockmark commonmark' })
  const counter = createCounter(htmlOf(readAs(dialect, text).tree.children))
  const counterAgain = createCounter(way.render(text))
  const stream = way.createStream()
  const length = Math.max(TOKEN_LENGTH, Math.ceil(text.length / TOKENS_MAX))
  let at = 0
  const step = (): void => {
    // Another output is shown.
    if (!settled.isConnected) return
    const isOver = at >= text.length
    const blocks = isOver ? stream.finish() : stream.push(text.slice(at, at + length))
    at += length
    settled.insertAdjacentHTML('beforeend', htmlOf(blocks))
    tail.innerHTML = isOver ? '' : htmlOf(stream.tail.children)
    again.replaceChildren(safeHtml(way.render(text.slice(0, at))))
    counter.add(blocks.length + tail.childElementCount, settled, tail)
    counterAgain.add(again.childElementCount, again)
    if (!isOver) setTimeout(step, TOKEN_MILLISECONDS)
  }
  requestAnimationFrame(step)
  return columns([
    [way.name, counter.node, settled, tail],
    ['Everything rendered again', counterAgain.node, again],
  ])
}

/** Counts the blocks that were drawn, each time they were, and the steps that showed text that the result does not have. */
function createCounter(result: string) {
  const [blocks, steps] = [element('b', {}, '0'), element('b', {}, '0')]
  const final = letters(safeHtml(result))
  const node = element(
    'p',
    { class: 'quiet counter' },
    blocks,
    ' blocks drawn, unfinished markup shown ',
    steps,
    ' times',
  )
  const add = (blockCount: number, ...shown: readonly Element[]): void => {
    blocks.textContent = String(Number(blocks.textContent) + blockCount)
    if (!final.startsWith(shown.map(letters).join(''))) steps.textContent = String(Number(steps.textContent) + 1)
  }
  return { node, add }
}

/** Text without white space, which depends on the elements around it. */
function letters({ textContent }: Node): string {
  return textContent?.replace(/\s+/g, '') ?? ''
}

function htmlOf(children: Root['children']): string {
  return toHtml({ type: 'root', children })
}
