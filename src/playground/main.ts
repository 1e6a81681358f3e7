/** The playground: a text on one side, and what becomes of it on the other. All of it happens here, in the browser. */

import { explain, parse } from '../index.js'
import { spanOf } from './checks.js'
import { dialects, OWN } from './dialects.js'
import { createEditor } from './editor.js'
import { byID, element } from './element.js'
import { examples } from './examples.js'
import { readFragment, writeFragment } from './fragment.js'
import { type Actions, panels, type Shown } from './panels.js'
import { createTabs } from './tabs.js'

const state = { dialect: OWN, character: 0, isTextNew: false, isWaiting: false }
let shown: Shown = read('')

const editor = createEditor({
  onText: () => {
    state.isTextNew = true
    later()
  },
  onCharacter: (offset) => {
    state.character = offset
    later()
  },
})
const tabs = createTabs(drawPanel)
const actions: Actions = {
  redraw: drawPanel,
  select: editor.select,
  replace: editor.replace,
  open: (text, dialect) => open({ text, dialect }),
}

fillChoices()
byID('panel', HTMLDivElement).tabIndex = 0
open(readFragment(location.hash) ?? { text: examples[0]?.text ?? '', dialect: OWN })

/** Draws once for all that happens before the next frame. */
function later(): void {
  if (state.isWaiting) return
  state.isWaiting = true
  requestAnimationFrame(() => {
    state.isWaiting = false
    if (state.isTextNew) drawText()
    drawCharacter()
  })
}

function fillChoices(): void {
  const dialect = byID('dialect', HTMLSelectElement)
  dialect.append(...[...dialects].map(([value, { name }]) => element('option', { value }, name)))
  dialect.addEventListener('change', () => open({ text: editor.text, dialect: dialect.value }))
  const example = byID('example', HTMLSelectElement)
  example.append(...examples.map(({ name }, index) => element('option', { value: String(index) }, name)))
  example.addEventListener('change', () => {
    const text = examples[Number(example.value)]?.text
    if (example.value !== '' && text !== undefined) open({ text, dialect: OWN })
  })
  byID('link', HTMLButtonElement).addEventListener('click', () => void link())
  addEventListener('hashchange', () => {
    const kept = readFragment(location.hash)
    if (kept !== null) open(kept)
  })
}

function open({ text, dialect }: { text: string; dialect: string }): void {
  state.dialect = dialects.has(dialect) ? dialect : OWN
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

function read(text: string): Shown {
  const { read: readAs } = dialects.get(state.dialect) ?? { read: () => ({ tree: parse(text), remarks: [] }) }
  return { text, dialect: state.dialect, ...readAs(text) }
}

function drawText(): void {
  state.isTextNew = false
  shown = read(editor.text)
  const labels = Object.fromEntries(Object.entries(panels).map(([name, panel]) => [name, panel.label(shown)]))
  const names = Object.keys(panels).filter((name) => panels[name]?.isShown?.(shown) ?? true)
  tabs.show(names, labels)
  drawPanel()
}

function drawPanel(): void {
  const panel = panels[tabs.current]
  if (panel !== undefined) byID('panel', HTMLDivElement).replaceChildren(...panel.draw(shown, actions))
}

/** Marks the character that the reader looks at, and says why it is what it is. */
function drawCharacter(): void {
  const { text, dialect, remarks } = shown
  const [start, end] = characterAt(text, state.character)
  const isOwn = dialect === OWN && start < end
  editor.paint(
    remarks.flatMap((remark) => spanOf(remark) ?? []),
    isOwn ? { start, end } : null,
  )
  const reasons = isOwn ? explain(text, start) : []
  const items = reasons.map(({ section, message }) =>
    element('li', {}, element('span', { class: 'section' }, section), ` ${message}`),
  )
  const quoted = element('p', {}, element('code', {}, text.slice(start, end).replace(/\n/, '↵')))
  const nothing = element('p', { class: 'section' }, 'Point at a character, or move the caret before it.')
  const drawn = items.length === 0 ? [nothing] : [quoted, element('ul', {}, ...items)]
  byID('reasons', HTMLDivElement).replaceChildren(...drawn)
}

/** A character is a code point; what lies behind the text is none. */
function characterAt(text: string, offset: number): readonly [number, number] {
  const point = text.codePointAt(offset)
  return [offset, point === undefined ? offset : offset + String.fromCodePoint(point).length]
}
