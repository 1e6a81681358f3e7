/** The text as it arrives from a model, in chunks: the settled blocks, and the tail, which may still change. */

import { createMarkdownStream } from '../convert/index.js'
import { type BlockStream, createStream, type Root, toHtml } from '../index.js'
import { dialects, OWN } from './dialects.js'
import { button, element } from './element.js'
import { type Actions, type Frame, type Shown, unexpected } from './shown.js'

/** About as fast as a model writes. */
const PIECE_LENGTH = 4
const PIECE_MILLISECONDS = 40

/** The stream readers by dialect. */
const streams: Readonly<Record<string, () => BlockStream>> = {
  [OWN]: () => createStream(),
  markdown: () => createMarkdownStream(),
}

export function isStreamed(dialect: string): boolean {
  return Object.hasOwn(streams, dialect)
}

/** Starts the stream when it is in the page. */
export function frameStream({ text }: Shown, { chosen }: Actions): Frame {
  const settled = element('div', { class: 'blockmark' })
  const tail = element('div', { class: 'blockmark tail' })
  const status = element('p', { class: 'quiet', role: 'status' })
  const options = Object.keys(streams).map((value) => element('option', { value }, dialects.get(value)?.name ?? value))
  const select = element('select', {}, ...options)
  select.value = chosen.streamed
  const play = (): void => {
    settled.replaceChildren()
    const stream = streams[select.value]?.() ?? createStream()
    let [at, count] = [0, 0]
    const step = (): void => {
      // Another output is shown, or the stream was restarted.
      if (!settled.isConnected || playing !== step) return
      const isOver = at >= text.length
      const blocks = isOver ? stream.finish() : stream.push(text.slice(at, at + PIECE_LENGTH))
      at += PIECE_LENGTH
      count += blocks.length
      for (const block of blocks) settled.insertAdjacentHTML('beforeend', toHtml(rootOf([block])))
      tail.innerHTML = isOver ? '' : toHtml(stream.tail)
      status.textContent = `${count} settled ${count === 1 ? 'block' : 'blocks'}${isOver ? '; it is over' : ''}`
      if (!isOver) setTimeout(step, PIECE_MILLISECONDS)
    }
    playing = step
    requestAnimationFrame(step)
  }
  let playing: () => void = () => undefined
  select.addEventListener('change', () => {
    chosen.streamed = select.value
    play()
  })
  const choice = element('label', {}, 'Typed as ', select)
  const again = button('Type it again', play)
  return { nodes: [element('p', {}, choice, ' ', again), status, settled, tail], add: unexpected, placed: play }
}

function rootOf(children: Root['children']): Root {
  return { type: 'root', children }
}
