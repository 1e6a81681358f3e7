/** The visible text, numbers and boxes of rendered Markdown, according to other libraries. */

import type { Nodes } from 'hast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'

/**
 * Returns the letters, digits and pictures that Markdown shows, in their order. Punctuation is left out, because converters
 * also draw lists, quotes and tables with it.
 *
 * @param markdown - CommonMark with GFM; raw HTML in it shows nothing
 */
export function visibleText(markdown: string): string {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return onlyLetters([...shownBy(toHast(tree))].join(''))
}

function onlyLetters(text: string): string {
  return text.normalize('NFKD').replace(/[^\p{L}\p{N}\p{Extended_Pictographic}☐☑]|[•◦▪]/gu, '')
}

function* shownBy(node: Nodes, number?: number): Generator<string> {
  if (node.type === 'text') yield node.value
  if (!('children' in node)) return
  if (node.type === 'element') {
    const { tagName, properties } = node
    // Labels that GFM's renderer adds for screen readers.
    if (properties['id'] === 'footnote-label' || 'dataFootnoteBackref' in properties) return
    if (tagName === 'img') yield String(properties['alt'] ?? '')
    if (tagName === 'input') yield properties['checked'] ? '☑' : '☐'
    if (tagName === 'li' && number !== undefined) yield `${number} `
    if (tagName === 'ol') {
      let next = Number(properties['start'] ?? 1)
      for (const child of node.children) {
        yield* shownBy(child, next)
        if (child.type === 'element') next += 1
      }
      return
    }
  }
  for (const child of node.children) yield* shownBy(child)
}

/** Whether a text contains each character of another one at least as often, in any order. */
export function hasCharacters(whole: string, part: string): boolean {
  const rest = new Map<string, number>()
  for (const character of whole) rest.set(character, (rest.get(character) ?? 0) + 1)
  for (const character of part) rest.set(character, (rest.get(character) ?? 0) - 1)
  return [...rest.values()].every((count) => count >= 0)
}

/** Whether another text contains all characters of a text, in the same order. */
export function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (character === part[at] || part.startsWith(character, at)) at += character.length
  return at >= part.length
}
