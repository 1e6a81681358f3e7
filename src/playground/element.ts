/** Creates elements from text and other elements; typed text is never parsed as HTML. */

type Attributes = Readonly<Record<string, string>>

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value)
  created.append(...children)
  return created
}

export function button(label: string, act: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button' }, label)
  created.addEventListener('click', act)
  return created
}

/** Returns an element of the document by its id. */
export function byID<Element extends HTMLElement>(id: string, kind: new () => Element): Element {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
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
  const [old, created] = [[...parent.childNodes], [...children]]
  let next: Node | null = null
  while (isEqual(old[0], created[0])) {
    old.shift()
    created.shift()
  }
  while (isEqual(old.at(-1), created.at(-1))) {
    next = old.pop() ?? null
    created.pop()
  }
  if (
    old.length === created.length &&
    old.every((node, index) => isEqual(node.cloneNode(), created[index]?.cloneNode()))
  ) {
    for (const [index, node] of old.entries()) replaceChanged(node, created[index]?.childNodes ?? [])
    return
  }
  for (const node of old) node.remove()
  for (const node of created) parent.insertBefore(node, next)
}

function isEqual(one: Node | undefined, other: Node | undefined): boolean {
  return one?.isEqualNode(other ?? null) === true
}
