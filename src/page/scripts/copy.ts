/** Buttons that copy, for the pages of messages and the documentation. */

/** Makes an element with properties and children. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

const said = make('p', { className: 'unseen', role: 'status' })
document.body.append(said)

/** Makes a button that copies a text and says so for two seconds. */
export function copyButton(
  label: string,
  text: () => string | Promise<string>,
  done: () => void = () => undefined,
): HTMLButtonElement {
  const button = make('button', { type: 'button', className: 'copy plain', textContent: label })
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(await text())
      said.textContent = button.textContent = 'Copied'
    } catch {
      said.textContent = button.textContent = 'Not allowed'
    }
    setTimeout(() => {
      button.textContent = label
      said.textContent = ''
      done()
    }, 2000)
  })
  return button
}

/** Adds a button to each block of code that has none. */
export function addCodeButtons(): void {
  for (const header of document.querySelectorAll('.code > header:not(:has(.copy))')) {
    header.append(copyButton('Copy', () => header.parentElement?.querySelector('code')?.textContent ?? ''))
  }
}
