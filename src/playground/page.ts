/** The playground: a text on one side, and its output on the other. It runs in the browser alone. */

import { explain } from '../lint/index.js'
import { dialects, OWN } from './dialects.js'
import { createEditor } from './editor.js'
import { button, byID, element } from './element.js'
import { examples } from './examples.js'
import { type Kept, readFragment, writeFragment } from './fragment.js'
import { createLinks } from './links.js'
import type { Question, Result } from './outputs-of.js'
import type { Actions, PanelInput } from './panel-types.js'
import { drawPanel } from './panels.js'
import { drawProblems, drawReasons } from './problems.js'
import { canReplay } from './replay.js'
import { continueDraft, currentDraft, type Draft, readDrafts, saveDraft } from './saved.js'
import { openSyntax } from './syntax.js'
import { createTabs } from './tabs.js'
import { createWorkerClient } from './worker-client.js'

interface State {
  dialect: string
  /** The offset that the reader points at; null until the reader moves. */
  character: number | null
  isTextNew: boolean
  isTyped: boolean
  waiting: number
}

const state: State = { dialect: OWN, character: null, isTextNew: false, isTyped: false, waiting: 0 }
/** The last result; null before the first one. */
let input: PanelInput | null = null

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
const ask = createWorkerClient(take)
const tabs = createTabs(askForOutput)
const links = createLinks(byID('panel', HTMLDivElement), {
  select: editor.select,
  show: editor.point,
})
const actions: Actions = {
  choose: tabs.choose,
  copy: (text) => void copy(text, CANNOT_COPY),
  link: (elements) => links.add(elements),
}

fillChoices()
byID('panel', HTMLDivElement).tabIndex = 0
void start()

async function start(): Promise<void> {
  const linked = await readFragment(location.hash)
  if (linked !== null) open(linked)
  else show(currentDraft() ?? firstVisit())
}

/** What a model wrote, in five messengers. */
function firstVisit(): Kept {
  const [first] = examples
  return { text: first?.text ?? '', dialect: first?.dialect ?? OWN, tab: 'messengers' }
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
  byID('help', HTMLButtonElement).addEventListener('click', openSyntax)
  byID('copy', HTMLButtonElement).addEventListener('click', () => void copy(input?.copied ?? '', CANNOT_COPY))
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
  byID('status', HTMLParagraphElement).replaceChildren(
    'Your draft is kept. ',
    button('Go back to it', () => resume(draft)),
  )
}

function resume(draft: Draft): void {
  keep()
  continueDraft(draft.id)
  leaveLink()
  show(draft)
  byID('status', HTMLParagraphElement).replaceChildren()
}

function show({ text, dialect, tab }: Kept): void {
  state.dialect = dialects.has(dialect) ? dialect : OWN
  byID('dialect', HTMLSelectElement).value = state.dialect
  editor.open(text)
  state.character = null
  state.isTextNew = false
  const isLost = tabs.current === 'replay' && !canReplay(state.dialect)
  tabs.choose(tab ?? (isLost ? 'preview' : tabs.current))
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
  const kept = { text: editor.text, dialect: state.dialect, tab: tabs.current }
  history.replaceState(null, '', await writeFragment(kept))
  await copy(location.href, 'The link is in the address bar')
}

const CANNOT_COPY = 'This browser does not let a page copy'

async function copy(text: string, instead: string): Promise<void> {
  const status = byID('status', HTMLParagraphElement)
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
  askForOutput()
}

/** Asks for the tab's output. The previous one stays until the result is there. */
function askForOutput(): void {
  byID('panel', HTMLDivElement).setAttribute('aria-busy', 'true')
  ask({ text: editor.text.slice(0, READ_LENGTH_MAX), dialect: state.dialect, output: tabs.current })
}

function take(result: Result, question: Question): void {
  input = { ...result, ...question }
  byID('replay', HTMLButtonElement).disabled = !canReplay(input.dialect)
  editor.paint(input.text, input.painted)
  if (!isInStrip()) drawProblems(input, editor)
  links.clear()
  const isCut = input.text.length < editor.text.length
  const note = isCut ? [element('p', { class: 'alert' }, 'Only the first 100,000 characters are shown.')] : []
  const panel = byID('panel', HTMLDivElement)
  panel.replaceChildren(...note, ...drawPanel(input, actions))
  panel.setAttribute('aria-busy', 'false')
  drawCharacter()
}

/** Whether the reader is in the strip under the editor, which stays then. */
function isInStrip(): boolean {
  return byID('strip', HTMLDivElement).contains(document.activeElement)
}

/** Marks the character that the reader points at, its result, and its reasons. */
function drawCharacter(): void {
  if (input === null) return
  const { text, dialect } = input
  const [start, end] = state.character === null ? [0, 0] : characterAt(text, state.character)
  const isOwn = dialect === OWN && start < end
  editor.point(isOwn ? { start, end } : null)
  links.point(state.character)
  const reasons = byID('reasons', HTMLDivElement)
  reasons.hidden = dialect !== OWN
  if (!isInStrip()) drawReasons(text.slice(start, end), isOwn ? explain(text, start) : [])
}

/** Returns the span of the code point at an offset; it is empty after the end. */
function characterAt(text: string, offset: number): readonly [number, number] {
  const point = text.codePointAt(offset)
  return [offset, point === undefined ? offset : offset + String.fromCodePoint(point).length]
}
