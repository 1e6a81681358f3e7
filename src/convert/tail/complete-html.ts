/** Completes a block of HTML that is still being written. */
import { namesOfOpen, piecesOf, readTag } from '../html.js'
import { isHalfHtml } from '../read/endings.js'

/** Removes an unfinished tag at the end, and closes the elements that format their content. */
export function completeHtml(html: string): string {
  let length = 0
  const pieces = piecesOf(html)
  const end = pieces.findIndex(({ value }) => {
    length += value.length
    return value === '<' && isHalfHtml(html, length - 1)
  })
  const shown = end < 0 ? pieces : pieces.slice(0, end)
  const tags = shown.map(({ type, value }) => (type === 'tag' ? readTag(value) : null))
  return [...shown.map(({ value }) => value), ...namesOfOpen(tags).map((name) => `</${name}>`)].join('')
}

/** Whether the HTML contains anything except tags and comments. */
export function showsSomething(html: string): boolean {
  return piecesOf(html).some(({ type, value }) =>
    type === 'text' ? value.trim() !== '' : /^<(?:img|hr)\b/i.test(value),
  )
}
