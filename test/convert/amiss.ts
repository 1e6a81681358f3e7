/** Where the library that Markdown is compared with departs from CommonMark. */

/**
 * It lets HTML of an item go on where the item has ended, and takes `2.` and an empty item for text behind indented code and in a
 * container that interrupts a paragraph.
 *
 * @param markdown - the source
 * @returns whether it may do so here
 */
export function isTakenAmiss(markdown: string): boolean {
  return (
    /<|\uFEFF/.test(markdown) || /(?:^|[\r\n])[> ]*(?: {4}|\t)/.test(markdown) || /[>+*-][ \t]*[-+*\d]/.test(markdown)
  )
}
