/** A message as the blocks of a post, with a maximum length that the reader chooses. */

import { element } from './element.js'
import { type Actions, type Frame, unexpected } from './shown.js'

/** Draws the field for the maximum length, and the blocks below it. */
export function frameBlocks({ chosen, again }: Actions): Frame {
  const result = element('div')
  const input = element('input', { type: 'number', min: '1', max: '4000', value: String(chosen.blockLength) })
  input.addEventListener('input', () => {
    const length = Number(input.value)
    if (!(Number.isInteger(length) && length >= 1)) return
    chosen.blockLength = length
    again()
  })
  let list = element('ol', { class: 'blocks' })
  let count = 0
  return {
    nodes: [element('p', {}, element('label', {}, 'Characters in a block, at most ', input)), result],
    clear: () => {
      list = element('ol', { class: 'blocks' })
      count = 0
      result.replaceChildren()
    },
    add: (piece) => {
      if (piece.kind === 'failure') return result.append(element('p', { class: 'alert', role: 'alert' }, piece.reason))
      if (piece.kind !== 'block') return unexpected(piece)
      count += 1
      const title = element('span', { class: 'quiet' }, `Block ${count}: ${piece.length} characters`)
      list.append(element('li', {}, title, element('pre', { class: 'wrapped' }, piece.text)))
      if (count === 1) result.append(list)
    },
  }
}
