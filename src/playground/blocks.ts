/** A message as the blocks of a post, cut where a limit of the reader's choice asks for it. */

import { BlockmarkError, toBlocks } from '../index.js'
import { OWN } from './dialects.js'
import { element } from './element.js'
import type { Shown } from './panels.js'

/** The service's own limit, until the reader chooses another one. */
const chosen = { blockLength: 4000 }

/** Draws the blocks and the choice of the limit. */
export function drawBlocks(shown: Shown): readonly Node[] {
  const result = element('div')
  const attributes = { type: 'number', min: '1', max: '4000', value: String(chosen.blockLength) }
  const input = element('input', attributes)
  input.addEventListener('input', () => {
    const length = Number(input.value)
    if (!(Number.isInteger(length) && length >= 1)) return
    chosen.blockLength = length
    result.replaceChildren(...drawResult(shown))
  })
  result.append(...drawResult(shown))
  return [element('p', {}, element('label', {}, 'Characters in a block, at most ', input)), result]
}

function drawResult({ text, dialect, tree }: Shown): readonly Node[] {
  try {
    const blocks = toBlocks(dialect === OWN ? text : tree, chosen)
    const items = blocks.map((block, index) => {
      const title = `Block ${index + 1}: ${lengthOf(block)} characters`
      return element('li', {}, element('span', { class: 'quiet' }, title), element('pre', { class: 'wrapped' }, block))
    })
    return [element('ol', { class: 'blocks' }, ...items)]
  } catch (error) {
    if (!(error instanceof BlockmarkError)) throw error
    return [element('p', { class: 'alert', role: 'alert' }, error.message)]
  }
}

/** Limits count code points. */
function lengthOf(text: string): number {
  return [...text].length
}
