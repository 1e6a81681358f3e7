/** The playground: a text on one side, and what becomes of it on the other. All of it happens here, in the browser. */

import { explain } from '../lint/index.js'
import type { Part, Question } from './answer.js'
import { createAsking } from './asking.js'
import { dialects, OWN } from './dialects.js'
import { createEditor } from './editor.js'
import { byID, element } from './element.js'
import { examples } from './examples.js'
import { type Kept, readFragment, writeFragment } from './fragment.js'
import type { Frame } from './frame.js'
import { createLinks } from './links.js'
import { panels } from './panels.js'
import { drawReason } from './reasons.js'
import { readSaved, save } from './saved.js'
import type { Actions, Shown } from './shown.js'
import { createTabs } from './tabs.js'
import { fillViews } from './views.js'

const state = { dialect: OWN, character: 0, isTextNew: false, waiting: 0, blockLength: 4000, streamed: OWN }
let shown: Shown = { text: '', dialect: OWN, isCut: false, remarkCount: 0, marks: [] }
/** Where the pieces go that come, and what Copy copies once all of them are there. */
let [frame, drawn]: [Frame | null, Node[]] = [null, []]
let copied: string | null = null
const copying: ((text: string) => void)[] = []

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
const asking = createAsking(take)
const tabs = createTabs(() => ask(null))
const links = createLinks(byID('panel', HTMLDivElement), {
  select: editor.select,
  show: (span) => editor.paint(shown.marks, span),
})
const actions: Actions = {
  select: editor.select,
  replace: editor.replace,
  open: (text, dialect) => open({ text, dialect }),
  copied: whenCopied,
  link: (elements) => links.add(elements),
  again: () => ask(frame),
  chosen: state,
}

fillChoices()
fillViews()
byID('panel', HTMLDivElement).tabIndex = 0
void start()

async function start(): Promise<void> {
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
  else drawCharacter()
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
  await copy(await whenCopied(), byID('link-status', HTMLSpanElement), 'This browser does not let a page copy')
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

function drawText(): void {
  state.isTextNew = false
  save({ text: editor.text, dialect: state.dialect })
  showTabs({ ...shown, dialect: state.dialect })
  ask(null)
}

function showTabs(shown: Shown): void {
  const labels = Object.fromEntries(Object.entries(panels).map(([name, panel]) => [name, panel.label(shown)]))
  const names = Object.keys(panels).filter((name) => panels[name]?.isShown?.(shown) ?? true)
  tabs.show(names, labels)
}

/** Asks for what the tab shows; a frame that is there already is kept, with what the reader does in it. */
function ask(kept: Frame | null): void {
  byID('panel', HTMLDivElement).setAttribute('aria-busy', 'true')
  ;[frame, copied] = [kept, null]
  const text = editor.text.slice(0, READ_LENGTH_MAX)
  asking.ask({ text, dialect: state.dialect, output: tabs.current, blockLength: state.blockLength })
}

/** Takes a part of the answer. What was shown before stays until all of it is there. */
function take(part: Part | null, { text, dialect }: Question): void {
  if (part === null) finish()
  else if ('copied' in part) {
    copied = part.copied
    for (const resolve of copying.splice(0)) resolve(copied)
  } else if ('piece' in part) frame?.add(part.piece)
  else begin({ ...part.head, text, dialect, isCut: text.length < editor.text.length })
}

function begin(read: Shown): void {
  shown = read
  showTabs(shown)
  links.clear()
  frame?.clear?.()
  if (frame !== null) return
  frame = panels[tabs.current]?.frame(shown, actions) ?? null
  const note = shown.isCut
    ? [element('p', { class: 'alert' }, 'Of a longer text the first 100,000 characters are shown.')]
    : []
  drawn = [...note, ...(frame?.nodes ?? [])]
}

function finish(): void {
  const panel = byID('panel', HTMLDivElement)
  if (drawn[0]?.parentNode !== panel) {
    panel.replaceChildren(...drawn)
    frame?.placed?.()
  }
  panel.setAttribute('aria-busy', 'false')
  drawCharacter()
}

function whenCopied(): Promise<string> {
  return copied === null ? new Promise((resolve) => copying.push(resolve)) : Promise.resolve(copied)
}

/** Marks the character that the reader looks at, says why it is what it is, and what became of it. */
function drawCharacter(): void {
  const { text, dialect } = shown
  const [start, end] = characterAt(text, state.character)
  const isOwn = dialect === OWN && start < end
  editor.paint(shown.marks, isOwn ? { start, end } : null)
  links.point(start)
  const reasons = byID('reasons', HTMLDivElement)
  // Whoever reads a section there does not lose the place.
  if (reasons.contains(document.activeElement)) return
  reasons.replaceChildren(...drawReason(text.slice(start, end), isOwn ? explain(text, start) : []))
}

/** A character is a code point; what lies behind the text is none. */
function characterAt(text: string, offset: number): readonly [number, number] {
  const point = text.codePointAt(offset)
  return [offset, point === undefined ? offset : offset + String.fromCodePoint(point).length]
}
