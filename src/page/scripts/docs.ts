/** The script of the documentation: copy buttons, the contents, the search. The pages can be read without the script. */

import { addCodeButtons } from './copy.js'

addCodeButtons()

// The table of contents is scrolled to the current page.
const contents = document.querySelector<HTMLElement>('.contents')
const current = contents?.querySelector<HTMLElement>('[aria-current]')
if (contents && current) contents.scrollTop = current.offsetTop - contents.clientHeight / 3

// On a phone the contents cover the section that a link leads to, so a click hides them. Browsers before 2024 have no popovers.
contents?.addEventListener('click', () => contents.hidePopover?.())

const searchScriptUrl = document.currentScript?.dataset['search'] ?? ''
const button = document.querySelector<HTMLButtonElement>('.to-search')

/** Opens the search, which is loaded when it is first opened. */
async function open(): Promise<void> {
  const search: typeof import('./search.js') = await import(searchScriptUrl)
  search.open()
}

if (button !== null) {
  button.hidden = false
  button.addEventListener('click', () => void open())
}
addEventListener('keydown', (event) => {
  const isShortcut = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isShortcut || document.activeElement?.matches('input, textarea, select')) return
  event.preventDefault()
  void open()
})
