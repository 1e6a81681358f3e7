/** Elements made of text and other elements; typed text is never parsed as HTML. */

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

/** Draws two results next to each other. */
export function columns(parts: readonly (readonly [title: string, ...content: Node[]])[]): HTMLElement {
  const sections = parts.map(([title, ...content]) =>
    element('section', { 'aria-label': title }, element('p', { class: 'title' }, title), ...content),
  )
  return element('div', { class: 'columns' }, ...sections)
}
