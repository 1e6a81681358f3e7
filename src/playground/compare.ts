/** One text as Slack, CommonMark and blockmark read it, side by side. */

import { toHtml } from '../index.js'
import { dialects } from './dialects.js'
import { element } from './element.js'
import type { Shown } from './shown.js'

/** Draws the three. */
export function drawComparison({ text }: Shown): readonly Node[] {
  const columns = [...dialects.values()].map(({ name, read }) => {
    const content = element('div', { class: 'blockmark' })
    content.innerHTML = toHtml(read(text).tree)
    return element('section', { 'aria-label': name }, element('p', { class: 'reader' }, name), content)
  })
  return [element('div', { class: 'compared' }, ...columns.toReversed())]
}
