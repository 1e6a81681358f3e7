/** Buttons that copy code, for the pages of messages and the documentation. */

/** Creates an element with properties and children. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

const statusLine = create('p', { className: 'unseen', role: 'status' })
document.body.append(statusLine)

/** Adds a button to each code block that has no button. The button copies the code, and shows the result for two seconds. */
export function addCodeButtons(): void {
  for (const header of document.querySelectorAll('.code > header:not(:has(.copy))')) {
    const button = create('button', { type: 'button', className: 'copy plain', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      const code = header.parentElement?.querySelector('code')?.textContent ?? ''
      try {
        await navigator.clipboard.writeText(code)
        statusLine.textContent = button.textContent = 'Copied'
      } catch {
        statusLine.textContent = button.textContent = 'Not allowed'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
        statusLine.textContent = ''
      }, 2000)
    })
    header.append(button)
  }
}
