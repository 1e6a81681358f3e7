/** A message as the blocks of a post, cut where a limit of the reader's choice asks for it. */

import { BlockmarkError, toBlocks } from '../index.js'
import { OWN } from './dialects.js'
import { element } from './element.js'
import type { Chosen, Shown } from './shown.js'

/** The blocks as the JSON that is posted. */
export function copyBlocks({ text, dialect, tree }: Shown, { blockLength }: Chosen): string {
  return JSON.stringify(toBlocks(dialect === OWN ? text : tree, { blockLength }), null, 2)
}

/** Draws the blocks and the choice of the limit. */
export function drawBlocks(shown: Shown, chosen: Chosen): readonly Node[] {
  const result = element('div')
  const attributes = { type: 'number', min: '1', max: '4000', value: String(chosen.blockLength) }
  const input = element('input', attributes)
  input.addEventListener('input', () => {
    const length = Number(input.value)
    if (!(Number.isInteger(length) && length >= 1)) return
    chosen.blockLength = length
    result.replaceChildren(...drawResult(shown, chosen))
  })
  result.append(...drawResult(shown, chosen))
  return [element('p', {}, element('label', {}, 'Characters in a block, at most ', input)), result]
}

function drawResult({ text, dialect, tree }: Shown, { blockLength }: Chosen): readonly Node[] {
  try {
    const blocks = toBlocks(dialect === OWN ? text : tree, { blockLength })
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
