/** The examples of the CommonMark specification, their HTML written the way this dialect writes HTML (§6). */

import { tests } from 'commonmark-spec'
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'

export interface SpecExample {
  number: number
  section: string
  /** The Markdown without the line ending at its end. */
  markdown: string
  /** The HTML with the dialect's general differences: see {@link inOurSpelling}. */
  html: string
}

export const specExamples: readonly SpecExample[] = tests.map(({ number, section, markdown, html }) => ({
  number,
  section,
  markdown: withTabs(markdown).replace(/\n$/, ''),
  html: inOurSpelling(withTabs(html)),
}))

function withTabs(text: string): string {
  return text.replaceAll('→', '\t')
}

/**
 * Changes HTML into the form of §6: only the necessary characters are escaped, a link has its `rel`, no line ending is at
 * the end, and a line ending in a paragraph is a break (§3.8).
 */
function inOurSpelling(html: string): string {
  const tree = fromParse5(parseFragment(html.replace(/\n$/, ''))) as Root // A fragment is parsed as a root.
  spell(tree)
  return toHtml(tree, { characterReferences: { useNamedReferences: true } })
}

function spell(node: Nodes): void {
  if (!('children' in node)) return
  if (isElement(node, 'a')) Object.assign(node.properties, { rel: ['nofollow', 'noopener', 'noreferrer'] })
  if (isElement(node, 'pre')) return
  if (isElement(node, 'p')) breakLines(node)
  node.children.forEach(spell)
}

/** Puts `<br>` before each line ending of a paragraph's texts. */
function breakLines(parent: Element): void {
  parent.children = parent.children.flatMap((child): ElementContent[] => {
    if (child.type === 'element' && child.tagName !== 'code') breakLines(child)
    if (child.type !== 'text') return [child]
    return child.value.split(/(?=\n)/).flatMap((line) => {
      const text: ElementContent = { type: 'text', value: line }
      const br: Element = { type: 'element', tagName: 'br', properties: {}, children: [] }
      return line.startsWith('\n') ? [br, text] : [text]
    })
  })
}

function isElement(node: Nodes, tagName: string): node is Element {
  return node.type === 'element' && node.tagName === tagName
}
