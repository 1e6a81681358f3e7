/** Creates elements from text and other elements; typed text is never parsed as HTML. */

type Attributes = Readonly<Record<string, string>>

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

export function button(label: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, label)
  made.addEventListener('click', act)
  return made
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
 * Replaces the children of a node. Equal children at the start and at the end are kept, and if only one child differs, its own
 * children are replaced in the same way. So the browser lays out and paints only what changed.
 */
export function replaceChanged(parent: Node, children: Iterable<Node>): void {
  const [old, made] = [[...parent.childNodes], [...children]]
  let next: Node | null = null
  while (isEqual(old[0], made[0])) {
    old.shift()
    made.shift()
  }
  while (isEqual(old.at(-1), made.at(-1))) {
    next = old.pop() ?? null
    made.pop()
  }
  const [one, other] = [old[0], made[0]]
  const isOnly = old.length === 1 && made.length === 1 && isEqual(one?.cloneNode(), other?.cloneNode())
  if (isOnly && one !== undefined && other !== undefined) {
    replaceChanged(one, other.childNodes)
    return
  }
  for (const node of old) node.remove()
  for (const node of made) parent.insertBefore(node, next)
}

function isEqual(one: Node | undefined, other: Node | undefined): boolean {
  return one?.isEqualNode(other ?? null) === true
}
