/** The playground: a text on one side, and what becomes of it on the other. All of it happens here, in the browser. */

import { explain, parse } from '../index.js'
import { spanOf } from './checks.js'
import { dialects, OWN } from './dialects.js'
import { createEditor } from './editor.js'
import { byID, element } from './element.js'
import { examples } from './examples.js'
import { type Kept, readFragment, writeFragment } from './fragment.js'
import { createLinks } from './links.js'
import { panels } from './panels.js'
import { drawReason } from './reasons.js'
import { readSaved, save } from './saved.js'
import type { Actions, Shown } from './shown.js'
import { createTabs } from './tabs.js'
import { fillViews } from './views.js'

const state = { dialect: OWN, character: 0, isTextNew: false, waiting: 0, blockLength: 4000, streamed: OWN }
let shown: Shown = read('')

const editor = createEditor({
  onText: () => {
    state.isTextNew = true
    later()
  },
  onCharacter: (offset) => {
    state.character = offset
    if (!state.isTextNew) later()
  },
})
const tabs = createTabs(drawPanel)
const links = createLinks(byID('panel', HTMLDivElement), {
  select: editor.select,
  show: (span) => editor.paint(marksOf(shown), span),
})
const actions: Actions = {
  select: editor.select,
  replace: editor.replace,
  open: (text, dialect) => open({ text, dialect }),
  link: (elements) => links.set(elements),
  chosen: state,
}

fillChoices()
fillViews()
byID('panel', HTMLDivElement).tabIndex = 0
void begin()

async function begin(): Promise<void> {
  const kept = (await readFragment(location.hash)) ?? readSaved()
  open(kept ?? { text: examples[0]?.text ?? '', dialect: OWN })
}

/** A keystroke itself does nothing: what is long is drawn when the keys rest, so that typing never waits for it. */
function later(): void {
  clearTimeout(state.waiting)
  const { length } = editor.text
  const wait = length < 10_000 ? 0 : length < 50_000 ? 150 : 400
  state.waiting = setTimeout(() => requestAnimationFrame(draw), state.isTextNew ? wait : 0)
}

function draw(): void {
  if (state.isTextNew) drawText()
  drawCharacter()
}

function fillChoices(): void {
  const dialect = byID('dialect', HTMLSelectElement)
  dialect.addEventListener('change', () => open({ text: editor.text, dialect: dialect.value }))
  const example = byID('example', HTMLSelectElement)
  example.addEventListener('change', () => {
    const found = examples[Number(example.value)]
    if (example.value !== '' && found !== undefined) open({ text: found.text, dialect: found.dialect ?? OWN })
  })
  byID('link', HTMLButtonElement).addEventListener('click', () => void link())
  byID('copy', HTMLButtonElement).addEventListener('click', () => void copyOutput())
  addEventListener('hashchange', async () => {
    const kept = await readFragment(location.hash)
    if (kept !== null) open(kept)
  })
}

function open({ text, dialect, tab, blockLength }: Kept): void {
  state.dialect = dialects.has(dialect) ? dialect : OWN
  state.streamed = state.dialect
  if (blockLength !== undefined) state.blockLength = blockLength
  byID('dialect', HTMLSelectElement).value = state.dialect
  editor.write(text)
  state.character = 0
  state.isTextNew = true
  draw()
  if (tab !== undefined) tabs.choose(tab)
}

async function link(): Promise<void> {
  const kept = { text: editor.text, dialect: state.dialect, tab: tabs.current, blockLength: state.blockLength }
  history.replaceState(null, '', await writeFragment(kept))
  await copy(location.href, byID('link-status', HTMLSpanElement), 'The link is in the address bar')
}

async function copyOutput(): Promise<void> {
  const text = panels[tabs.current]?.copied?.(shown, state) ?? shown.text
  await copy(text, byID('link-status', HTMLSpanElement), 'This browser does not let a page copy')
}

async function copy(text: string, status: HTMLElement, instead: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    status.textContent = 'Copied'
  } catch {
    // A page from a file, or one that may not.
    status.textContent = instead
  }
  setTimeout(() => {
    status.textContent = ''
  }, 4000)
}

/** More than this is neither read nor drawn: a browser takes seconds to lay out what nobody looks through. */
const READ_LENGTH_MAX = 100_000

function read(whole: string): Shown {
  const text = whole.slice(0, READ_LENGTH_MAX)
  const { read: readAs } = dialects.get(state.dialect) ?? { read: () => ({ tree: parse(text), remarks: [] }) }
  return { text, dialect: state.dialect, isCut: text.length < whole.length, ...readAs(text) }
}

function drawText(): void {
  state.isTextNew = false
  shown = read(editor.text)
  save({ text: editor.text, dialect: state.dialect })
  const labels = Object.fromEntries(Object.entries(panels).map(([name, panel]) => [name, panel.label(shown)]))
  const names = Object.keys(panels).filter((name) => panels[name]?.isShown?.(shown) ?? true)
  tabs.show(names, labels)
  drawPanel()
}

function drawPanel(): void {
  const panel = panels[tabs.current]
  if (panel === undefined) return
  links.set([])
  const drawn = panel.draw(shown, actions)
  const note = shown.isCut
    ? [element('p', { class: 'alert' }, 'Of a longer text the first 100,000 characters are shown.')]
    : []
  byID('panel', HTMLDivElement).replaceChildren(...note, ...drawn)
}

/** Marks the character that the reader looks at, says why it is what it is, and what became of it. */
function drawCharacter(): void {
  const { text, dialect } = shown
  const [start, end] = characterAt(text, state.character)
  const isOwn = dialect === OWN && start < end
  editor.paint(marksOf(shown), isOwn ? { start, end } : null)
  links.point(start)
  const reasons = byID('reasons', HTMLDivElement)
  // Whoever reads a section there does not lose the place.
  if (reasons.contains(document.activeElement)) return
  reasons.replaceChildren(...drawReason(text.slice(start, end), isOwn ? explain(text, start) : []))
}

function marksOf({ remarks }: Shown): { start: number; end: number }[] {
  return remarks.flatMap((remark) => spanOf(remark) ?? [])
}

/** A character is a code point; what lies behind the text is none. */
function characterAt(text: string, offset: number): readonly [number, number] {
  const point = text.codePointAt(offset)
  return [offset, point === undefined ? offset : offset + String.fromCodePoint(point).length]
}
