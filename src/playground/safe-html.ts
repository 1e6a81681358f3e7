/** Cleans foreign HTML before it enters the page: only elements and attributes of formatting stay. */

const allowedElements = new Set(
  `P BR HR DIV SPAN SECTION H1 H2 H3 H4 H5 H6 SMALL BLOCKQUOTE PRE CODE UL OL LI TABLE THEAD TBODY TR TH TD A B STRONG I EM
  U S DEL SUP`.split(/\s+/),
)

/** Parses HTML; no picture is loaded, and nothing in it can run. */
export function safeHtml(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = html
  for (const node of template.content.querySelectorAll('*')) {
    if (!allowedElements.has(node.tagName)) node.replaceWith(...replacementOf(node))
    for (const { name, value } of [...node.attributes]) if (!isAllowed(node, name, value)) node.removeAttribute(name)
    // A heading of a text is not a heading of the page, so it loses its role.
    if (/^H\d$/.test(node.tagName)) node.role = 'presentation'
    // The tabindex makes the element, which scrolls, reachable by keyboard.
    if (node instanceof HTMLPreElement) node.tabIndex = 0
  }
  return template.content
}

/** Returns the replacement: image → 🖼 and alt text; checkbox → ☑ or ☐; other element → its children. */
function replacementOf(node: Element): readonly (string | Node)[] {
  if (node instanceof HTMLImageElement) return [`🖼 ${node.alt}`]
  if (node instanceof HTMLInputElement) return [node.checked ? '☑' : '☐']
  return [...node.childNodes]
}

function isAllowed({ tagName }: Element, name: string, value: string): boolean {
  if (tagName === 'A') return name === 'href' && /^(?:https?|mailto):/i.test(value)
  return (tagName === 'OL' && name === 'start') || (tagName === 'DIV' && name === 'class' && value === 'indent')
}
