/** The playground: a text on one side, and its output on the other. It runs in the browser alone. */

import { explain } from '../lint/index.js'
import type { Part, Question } from './answer.js'
import { createAsking } from './asking.js'
import { dialects, OWN } from './dialects.js'
import { createEditor } from './editor.js'
import { button, byID, element } from './element.js'
import { examples } from './examples.js'
import { type Kept, readFragment, writeFragment } from './fragment.js'
import { createLinks } from './links.js'
import { frameOf } from './panels.js'
import { drawReason } from './reasons.js'
import { continueDraft, currentDraft, type Draft, readDrafts, saveDraft } from './saved.js'
import type { Actions, Frame, Shown } from './shown.js'
import { isStreamed } from './streaming.js'
import { createTabs } from './tabs.js'

const state = {
  dialect: OWN,
  character: 0,
  isTextNew: false,
  isTyped: false,
  waiting: 0,
  blockLength: 4000,
  streamed: OWN,
}
let shown: Shown = { text: '', dialect: OWN, isCut: false, remarkCount: 0, painted: [] }
/** The frame that takes the pieces, its nodes, and the text that Copy copies once all pieces have come. */
let [frame, drawn]: [Frame | null, Node[]] = [null, []]
let copied: string | null = null
const copying: ((text: string) => void)[] = []

const editor = createEditor({
  onText: (isTyped) => {
    state.isTextNew = true
    if (isTyped) state.isTyped = true
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
  show: editor.point,
})
const actions: Actions = {
  select: editor.select,
  replace: editor.replace,
  choose: tabs.choose,
  open: (text, dialect) => open({ text, dialect }),
  copied: whenCopied,
  link: (elements) => links.add(elements),
  again: () => ask(frame),
  chosen: state,
}

fillChoices()
byID('panel', HTMLDivElement).tabIndex = 0
void start()

async function start(): Promise<void> {
  const linked = await readFragment(location.hash)
  if (linked !== null) open(linked)
  else show(currentDraft() ?? { text: examples[0]?.text ?? '', dialect: OWN })
}

/** Draws later: a long text only after a pause, so that typing never waits for it. */
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
  dialect.addEventListener('change', () => show({ text: editor.text, dialect: dialect.value }))
  const example = byID('example', HTMLSelectElement)
  for (const type of ['focus', 'pointerdown']) example.addEventListener(type, listDrafts)
  example.addEventListener('change', () => {
    const found = examples[Number(example.value)]
    const draft = readDrafts().find(({ id }) => `draft ${id}` === example.value)
    if (draft !== undefined) resume(draft)
    else if (example.value !== '' && found !== undefined) open({ text: found.text, dialect: found.dialect ?? OWN })
    // Otherwise the menu would still show the name of the example above another text.
    example.value = ''
  })
  byID('link', HTMLButtonElement).addEventListener('click', () => void link())
  byID('copy', HTMLButtonElement).addEventListener('click', () => void copyOutput())
  addEventListener('pagehide', keep)
  addEventListener('hashchange', async () => {
    const linked = await readFragment(location.hash)
    if (linked !== null) open(linked)
  })
}

/** Offers the drafts below the examples, each by its first line. */
function listDrafts(): void {
  const example = byID('example', HTMLSelectElement)
  const options = readDrafts().map(({ id, text }) =>
    element('option', { value: `draft ${id}` }, text.trim().slice(0, 40)),
  )
  example.querySelector('optgroup')?.remove()
  if (options.length > 0) example.append(element('optgroup', { label: 'Your drafts' }, ...options))
}

/** Opens a link or an example. The draft is kept, and a button leads back to it. */
function open(kept: Kept): void {
  keep()
  const draft = currentDraft()
  continueDraft(null)
  show(kept)
  if (draft === undefined || draft.text === kept.text) return
  byID('status', HTMLSpanElement).replaceChildren(
    'Your draft is kept. ',
    button('Go back to it', () => resume(draft)),
  )
}

function resume(draft: Draft): void {
  keep()
  continueDraft(draft.id)
  leaveLink()
  show(draft)
  byID('status', HTMLSpanElement).replaceChildren()
}

function show({ text, dialect, tab, blockLength }: Kept): void {
  state.dialect = dialects.has(dialect) ? dialect : OWN
  state.streamed = state.dialect
  if (blockLength !== undefined) state.blockLength = blockLength
  byID('dialect', HTMLSelectElement).value = state.dialect
  editor.open(text)
  state.character = 0
  draw()
  if (tab !== undefined && tab !== tabs.current) tabs.choose(tab)
}

/** Keeps the text if it was typed; links and examples that are only read are not kept. */
function keep(): void {
  if (!state.isTyped) return
  state.isTyped = false
  saveDraft({ text: editor.text, dialect: state.dialect })
  leaveLink()
}

/** Removes a link's text from the URL, because the text here is another one. */
function leaveLink(): void {
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
}

async function link(): Promise<void> {
  const kept = { text: editor.text, dialect: state.dialect, tab: tabs.current, blockLength: state.blockLength }
  history.replaceState(null, '', await writeFragment(kept))
  await copy(location.href, 'The link is in the address bar')
}

async function copyOutput(): Promise<void> {
  await copy(await whenCopied(), 'This browser does not let a page copy')
}

async function copy(text: string, instead: string): Promise<void> {
  const status = byID('status', HTMLSpanElement)
  try {
    await navigator.clipboard.writeText(text)
    status.textContent = 'Copied'
  } catch {
    // A page from a file, or without the permission.
    status.textContent = instead
  }
  setTimeout(() => {
    if (status.childElementCount === 0) status.textContent = ''
  }, 4000)
}

/** Longer texts are cut here: a browser takes seconds to lay them out. */
const READ_LENGTH_MAX = 100_000

function drawText(): void {
  state.isTextNew = false
  keep()
  ask(null)
}

/** Asks for the tab's output; an existing frame stays, with the reader's input. */
function ask(kept: Frame | null): void {
  byID('panel', HTMLDivElement).setAttribute('aria-busy', 'true')
  ;[frame, copied] = [kept, null]
  const text = editor.text.slice(0, READ_LENGTH_MAX)
  asking.ask({ text, dialect: state.dialect, output: tabs.current, blockLength: state.blockLength })
}

/** Takes a part of the answer. The previous output stays until all parts are there. */
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
  const { dialect, remarkCount } = shown
  const count = remarkCount === 0 ? '' : ` (${remarkCount})`
  tabs.update((dialect === OWN ? 'Checks' : 'Losses') + count, isStreamed(dialect))
  editor.paint(shown.text, shown.painted)
  links.clear()
  frame?.clear?.()
  if (frame !== null) return
  frame = frameOf(tabs.current, shown, actions)
  const note = shown.isCut ? [element('p', { class: 'alert' }, 'Only the first 100,000 characters are shown.')] : []
  drawn = [...note, ...frame.nodes]
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

/** Marks the character that the reader points at, its result, and its reasons. */
function drawCharacter(): void {
  const { text, dialect } = shown
  const [start, end] = characterAt(text, state.character)
  const isOwn = dialect === OWN && start < end
  editor.point(isOwn ? { start, end } : null)
  links.point(start)
  const reasons = byID('reasons', HTMLDivElement)
  // An open section with the focus stays.
  if (reasons.contains(document.activeElement)) return
  reasons.replaceChildren(...drawReason(text.slice(start, end), isOwn ? explain(text, start) : []))
}

/** Returns the span of the code point at an offset; it is empty after the end. */
function characterAt(text: string, offset: number): readonly [number, number] {
  const point = text.codePointAt(offset)
  return [offset, point === undefined ? offset : offset + String.fromCodePoint(point).length]
}
