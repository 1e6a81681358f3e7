/** The one way of foreign HTML into the page: only elements and attributes of formatting pass. */

const elements = new Set(
  `P BR HR DIV SPAN SECTION H1 H2 H3 H4 H5 H6 SMALL BLOCKQUOTE PRE CODE UL OL LI TABLE THEAD TBODY TR TH TD A B STRONG I EM
  U S DEL SUP`.split(/\s+/),
)

/** Parses HTML; no picture is loaded, and nothing in it can run. */
export function safeHtml(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = html
  for (const found of template.content.querySelectorAll('*')) {
    if (!elements.has(found.tagName)) found.replaceWith(...insteadOf(found))
    for (const { name, value } of [...found.attributes]) if (!isAllowed(found, name, value)) found.removeAttribute(name)
    // A heading of a text is not a heading of the page.
    if (/^H\d$/.test(found.tagName)) found.role = 'presentation'
    // An element that scrolls must be reachable by keyboard.
    if (found instanceof HTMLPreElement) found.tabIndex = 0
  }
  return template.content
}

/** A picture is its text, a task its box; of any other element, the content stays. */
function insteadOf(found: Element): readonly (string | Node)[] {
  if (found instanceof HTMLImageElement) return [`🖼 ${found.alt}`]
  if (found instanceof HTMLInputElement) return [found.checked ? '☑' : '☐']
  return [...found.childNodes]
}

function isAllowed({ tagName }: Element, name: string, value: string): boolean {
  if (tagName === 'A') return name === 'href' && /^(?:https?|mailto):/i.test(value)
  return (tagName === 'OL' && name === 'start') || (tagName === 'DIV' && name === 'class' && value === 'indent')
}
