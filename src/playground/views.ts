/** On a phone there is room for one side: two buttons choose which. */

/** Makes the buttons work. */
export function fillViews(): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('.views button')]
  for (const button of buttons) {
    button.addEventListener('click', () => {
      document.body.dataset['view'] = button.dataset['view']
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button))
    })
  }
}
