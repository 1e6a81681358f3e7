/** The dialect on one screen: a dialog with examples and their results. */

import { toHtml } from '../index.js'
import { byID, element } from './element.js'

const syntaxExamples: readonly (readonly [typed: string, note?: string])[] = [
  ['# Heading'],
  ['## Smaller heading'],
  ['**bold**, un**believ**able'],
  ['*italic*'],
  ['_underlined_'],
  ['-struck-'],
  ['`code`'],
  ['[the log](https://example.com/7)'],
  ['https://example.com/a_b'],
  ['* one\n* two', 'An item is one line; lists do not nest.'],
  ['```ts\nconst a = 1\n```'],
  ['<@7|Ann>', 'Mentions a user by id.'],
  ['<!9|latency.png>', 'Shows a file, on its own line.'],
  ['\\*not italic\\*'],
  ['snake_case --flag 2*3*4 src/**/*.ts', 'Stays as typed.'],
]

/** Opens the dialog, which is drawn when it is first opened. */
export function openSyntax(): void {
  const dialog = byID('syntax', HTMLDialogElement)
  if (dialog.querySelector('table') === null) dialog.append(drawTable())
  dialog.showModal()
}

function drawTable(): HTMLElement {
  const rows = syntaxExamples.map(([typed, note]) => {
    const shownCell = element('td', { class: 'blockmark' })
    shownCell.innerHTML = toHtml(typed).replace(/<(\/?)h[12]>/g, '<$1b>')
    if (note !== undefined) shownCell.append(element('p', { class: 'quiet' }, note))
    return element('tr', {}, element('td', {}, element('code', { class: 'typed' }, typed)), shownCell)
  })
  const head = element('tr', {}, element('th', { scope: 'col' }, 'Typed'), element('th', { scope: 'col' }, 'Shown'))
  return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows))
}
