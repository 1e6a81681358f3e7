/** Completes a block of HTML that is still being written. */
import { piecesOf, readTag } from '../html.js'
import { endOfHtml, isHalfHtml } from './inline-ends.js'

/** Removes an unfinished tag at the end, and closes the elements that format their content. */
export function completeHtml(html: string): string {
  const shown = html.slice(0, startOfHalf(html))
  const open: string[] = []
  for (const { type, value } of piecesOf(shown)) {
    const tag = type === 'tag' ? readTag(value) : null
    // A summary is bold.
    const isPair = tag?.name === 'summary' || (tag?.element !== null && tag?.element !== 'arranging')
    if (tag === null || !isPair) continue
    const index = open.lastIndexOf(tag.name)
    if (!tag.isEnd) open.push(tag.name)
    else if (index >= 0) open.length = index
  }
  return (
    shown +
    open
      .map((name) => `</${name}>`)
      .reverse()
      .join('')
  )
}

/** Whether the HTML contains anything except tags and comments. */
export function showsSomething(html: string): boolean {
  return piecesOf(html).some(({ type, value }) =>
    type === 'text' ? value.trim() !== '' : /^<(?:img|hr)\b/i.test(value),
  )
}

function startOfHalf(html: string): number {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const end = endOfHtml(html, at)
    if (end === null && isHalfHtml(html, at)) return at
    at = end ?? at + 1
  }
  return html.length
}
