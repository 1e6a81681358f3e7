/** Connects parts of the result with the text that they come from, on hover and on click. */

import type { AnyNode } from '../index.js'
import { spanOfNode } from './colors.js'
import type { Span } from './highlight-layer.js'

/** A part of the result, and its position in the text. */
export interface ResultPart {
  readonly element: Element
  readonly span: Span
}

export interface Links {
  /** Forgets the earlier parts. */
  clear(): void
  /** Adds parts, outer ones before inner ones. */
  add(parts: readonly ResultPart[]): void
  /** Marks the part that contains a character of the text, or none. */
  point(offset: number | null): void
}

interface Listeners {
  readonly select: (span: Span) => void
  /** Marks a part of the text, or none. */
  readonly show: (span: Span | null) => void
}

/** Connects the elements in the panel of results with the text. */
export function createLinks(panel: HTMLElement, { select, show }: Listeners): Links {
  let allParts: ResultPart[] = []
  let markedElement: Element | null = null
  const markElement = (next: Element | null): void => {
    markedElement?.classList.remove('linked')
    // An empty attribute is removed, so that the element is exactly as before it was marked.
    if (markedElement?.className === '') markedElement.removeAttribute('class')
    next?.classList.add('linked')
    markedElement = next
  }
  const partAt = (target: EventTarget | null): ResultPart | undefined =>
    target instanceof Node ? allParts.findLast(({ element }) => element.contains(target)) : undefined
  panel.addEventListener('mouseover', ({ target }) => {
    const part = partAt(target)
    markElement(part?.element ?? null)
    show(part?.span ?? null)
  })
  panel.addEventListener('mouseleave', () => {
    markElement(null)
    show(null)
  })
  panel.addEventListener('click', (event) => {
    const part = partAt(event.target)
    // Nothing happens if the reader has selected text or clicked a link or button.
    const isLinkOrButton = event.target instanceof Element && event.target.closest('a, button') !== null
    if (part === undefined || isLinkOrButton || !getSelection()?.isCollapsed) return
    // A click on a node's line does not fold the node: only a click on its triangle does.
    event.preventDefault()
    select(part.span)
  })
  return {
    clear: () => {
      markElement(null)
      allParts = []
    },
    add: (parts) => {
      allParts.push(...parts)
    },
    point: (offset) => {
      const part =
        offset === null ? undefined : allParts.findLast(({ span }) => span.start <= offset && offset < span.end)
      markElement(part?.element ?? null)
      if (document.activeElement?.id === 'source') part?.element.scrollIntoView({ block: 'nearest' })
    },
  }
}

/** Pairs the elements of a rendered message with its nodes (§6) by walking both. */
export function pairElements(nodes: readonly AnyNode[], elements: readonly Element[]): readonly ResultPart[] {
  const parts: ResultPart[] = []
  pairChildren(nodes, [...elements], parts)
  return parts
}

function pairChildren(nodes: readonly AnyNode[], elements: Element[], parts: ResultPart[]): void {
  for (const node of nodes) {
    if (node.type === 'text') continue
    // A link with a scheme that is not allowed has no element, but its children have.
    const hasNoElement = node.type === 'link' && !/^(?:https?|mailto):/i.test(node.url)
    const element = hasNoElement ? undefined : elements.shift()
    if (hasNoElement && 'children' in node) pairChildren(node.children, elements, parts)
    if (element !== undefined) pairNode(node, element, parts)
  }
}

function pairNode(node: AnyNode, element: Element, parts: ResultPart[]): void {
  const span = spanOfNode(node)
  if (span !== null) parts.push({ element, span })
  if (!('children' in node)) return
  // The paragraph of an item has no element, so its children are paired.
  const nodes = node.type === 'listItem' ? node.children.flatMap((child) => child.children) : node.children
  pairChildren(nodes, [...element.children], parts)
}
