/** The playground: a text on one side, and what becomes of it on the other. All of it happens here, in the browser. */

import { dialectNamed, dialects } from './dialects.js'
import { createEditor, type Span } from './editor.js'
import { byID, element } from './element.js'
import { examples } from './examples.js'
import { readFragment, writeFragment } from './fragment.js'
import { type Actions, panels, type Shown } from './panels.js'
import { createTabs } from './tabs.js'

const state = { dialect: 'blockmark', character: 0, isWaiting: false }

const editor = createEditor({
  onText: () => later(drawAll),
  onCharacter: (offset) => {
    state.character = offset
    later(drawAll)
  },
})
const tabs = createTabs(drawPanel)
const actions: Actions = {
  redraw: drawAll,
  select: editor.select,
  replace: editor.replace,
  open: (text, dialect) => open({ text, dialect }),
}

fillChoices()
byID('panel', HTMLDivElement).tabIndex = 0
open(readFragment(location.hash) ?? { text: examples[0]?.text ?? '', dialect: 'blockmark' })

/** Draws once for all that happens before the next frame. */
function later(draw: () => void): void {
  if (state.isWaiting) return
  state.isWaiting = true
  requestAnimationFrame(() => {
    state.isWaiting = false
    draw()
  })
}

function fillChoices(): void {
  const dialect = byID('dialect', HTMLSelectElement)
  dialect.append(...Object.entries(dialects).map(([value, { name }]) => element('option', { value }, name)))
  dialect.addEventListener('change', () => open({ text: editor.text, dialect: dialect.value }))
  const example = byID('example', HTMLSelectElement)
  example.append(...examples.map(({ name }, index) => element('option', { value: String(index) }, name)))
  example.addEventListener('change', () => {
    const text = examples[Number(example.value)]?.text
    if (example.value !== '' && text !== undefined) open({ text, dialect: 'blockmark' })
  })
  byID('link', HTMLButtonElement).addEventListener('click', () => void link())
  addEventListener('hashchange', () => {
    const kept = readFragment(location.hash)
    if (kept !== null) open(kept)
  })
}

function open({ text, dialect }: { text: string; dialect: string }): void {
  state.dialect = Object.hasOwn(dialects, dialect) ? dialect : 'blockmark'
  byID('dialect', HTMLSelectElement).value = state.dialect
  editor.write(text)
}

async function link(): Promise<void> {
  history.replaceState(null, '', writeFragment({ text: editor.text, dialect: state.dialect }))
  const status = byID('link-status', HTMLSpanElement)
  try {
    await navigator.clipboard.writeText(location.href)
    status.textContent = 'Copied'
  } catch {
    // A page from a file, or one that may not: the address itself can be copied by hand.
    status.textContent = 'The link is in the address bar'
  }
}

function read(): Shown {
  const { text } = editor
  return { text, dialect: state.dialect, ...dialectNamed(state.dialect).read(text) }
}

function drawAll(): void {
  const shown = read()
  const labels = Object.fromEntries(Object.entries(panels).map(([name, panel]) => [name, panel.label(shown)]))
  tabs.show(Object.keys(panels), labels)
  drawPanel()
  const here: Span = { start: state.character, end: state.character + 1 }
  editor.paint([], here.end <= shown.text.length ? here : null)
}

function drawPanel(): void {
  const panel = panels[tabs.current]
  if (panel !== undefined) byID('panel', HTMLDivElement).replaceChildren(...panel.draw(read(), actions))
}
