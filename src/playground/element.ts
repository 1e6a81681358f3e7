/** Creates elements from text and other elements; typed text is never parsed as HTML. */

type Attributes = Readonly<Record<string, string>>

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value)
  node.append(...children)
  return node
}

export function button(label: string, act: () => void): HTMLButtonElement {
  const buttonElement = element('button', { type: 'button' }, label)
  buttonElement.addEventListener('click', act)
  return buttonElement
}

/** Returns an element of the document by its id. */
export function byID<Element extends HTMLElement>(id: string, kind: new () => Element): Element {
  const node = document.getElementById(id)
  if (node instanceof kind) return node
  throw new Error(`the document has no ${id}`)
}

/** Draws sections with titles next to each other. */
export function columns(parts: readonly (readonly [title: string, ...content: Node[]])[]): HTMLElement {
  const sections = parts.map(([title, ...content]) =>
    element('section', { 'aria-label': title }, element('p', { class: 'title' }, title), ...content),
  )
  return element('div', { class: 'columns' }, ...sections)
}

/**
 * Replaces the children of a node. Equal children at the start and at the end are kept. If each of the other children differs
 * only inside, its own children are replaced in the same way. So the browser lays out and paints only what changed.
 */
export function replaceChanged(parent: Node, children: Iterable<Node>): void {
  const [oldChildren, newChildren] = [[...parent.childNodes], [...children]]
  let next: Node | null = null
  while (isEqual(oldChildren[0], newChildren[0])) {
    oldChildren.shift()
    newChildren.shift()
  }
  while (isEqual(oldChildren.at(-1), newChildren.at(-1))) {
    next = oldChildren.pop() ?? null
    newChildren.pop()
  }
  if (
    oldChildren.length === newChildren.length &&
    oldChildren.every((node, index) => isEqual(node.cloneNode(), newChildren[index]?.cloneNode()))
  ) {
    for (const [index, node] of oldChildren.entries()) replaceChanged(node, newChildren[index]?.childNodes ?? [])
    return
  }
  for (const node of oldChildren) node.remove()
  for (const node of newChildren) parent.insertBefore(node, next)
}

function isEqual(one: Node | undefined, other: Node | undefined): boolean {
  return one?.isEqualNode(other ?? null) === true
}
