/** The playground: a text on one side, and its output on the other. It runs in the browser alone. */

import { explain } from '../lint/index.js'
import { dialects, OWN } from './dialects.js'
import { createEditor } from './editor.js'
import { button, byID, element } from './element.js'
import { examples } from './examples.js'
import { type Kept, readFragment, writeFragment } from './fragment.js'
import { createLinks } from './links.js'
import type { Question, Result } from './outputs-of.js'
import { type Actions, drawPanel, type PanelInput } from './panels.js'
import { drawProblems, drawReasons } from './problems.js'
import { canReplay } from './replay.js'
import { continueDraft, currentDraft, type Draft, readDrafts, saveDraft } from './saved.js'
import { openSyntax } from './syntax.js'
import { createTabs } from './tabs.js'
import { createWorkerClient } from './worker-client.js'

/** The dialect that the text is read as is the value of its menu. */
const dialectMenu = byID('dialect', HTMLSelectElement)
/** The offset of the caret; null until the reader moves it. */
let character: number | null = null
let [isTextNew, isTyped] = [false, false]
/** The timers of the next question and of the next output. */
let [waiting, drawing] = [0, 0]
/** The last result; null before the first one. */
let input: PanelInput | null = null

const editor = createEditor({
  onText: (isByReader) => {
    isTextNew = true
    if (isByReader) isTyped = true
    later()
  },
  onCharacter: (offset) => {
    character = offset
    if (!isTextNew) later()
  },
})
const ask = createWorkerClient(take)
const tabs = createTabs(askForOutput)
const links = createLinks(byID('panel', HTMLDivElement), { select: editor.select, show: editor.point })
const actions: Actions = { choose: tabs.choose, copy: (text) => void copy(text), link: links.add }

fillChoices()
byID('panel', HTMLDivElement).tabIndex = 0
void openLink().then((isOpen) => {
  // A new reader sees what a model wrote, in five messengers.
  const { text = '', dialect = OWN } = examples[0] ?? {}
  if (!isOpen) show(currentDraft() ?? { text, dialect, tab: 'messengers' })
})

/** Opens the text of the URL, if it has one. */
async function openLink(): Promise<boolean> {
  const linked = await readFragment(location.hash)
  if (linked !== null) open(linked)
  return linked !== null
}

/** Draws later: a long text only after a pause, so that typing never waits for it. */
function later(): void {
  clearTimeout(waiting)
  const { length } = editor.text
  const wait = length < 10_000 ? 0 : length < 50_000 ? 150 : 400
  waiting = setTimeout(() => requestAnimationFrame(draw), isTextNew ? wait : 0)
}

function draw(): void {
  if (isTextNew) drawText()
  else drawCharacter()
}

function fillChoices(): void {
  dialectMenu.addEventListener('change', () => show({ text: editor.text, dialect: dialectMenu.value }))
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
  byID('copy', HTMLButtonElement).addEventListener('click', () => void copy(input?.copied ?? ''))
  addEventListener('pagehide', keep)
  addEventListener('hashchange', () => void openLink())
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
  dialectMenu.value = dialects.has(dialect) ? dialect : OWN
  editor.open(text)
  character = null
  isTextNew = false
  const isLost = tabs.current === 'replay' && !canReplay(dialectMenu.value)
  tabs.choose(tab ?? (isLost ? 'preview' : tabs.current))
}

/** Keeps the text if it was typed; links and examples that are only read are not kept. */
function keep(): void {
  if (!isTyped) return
  isTyped = false
  saveDraft({ text: editor.text, dialect: dialectMenu.value })
  leaveLink()
}

/** Removes a link's text from the URL, because the text here is another one. */
function leaveLink(): void {
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
}

async function link(): Promise<void> {
  const kept = { text: editor.text, dialect: dialectMenu.value, tab: tabs.current }
  history.replaceState(null, '', await writeFragment(kept))
  await copy(location.href, 'The link is in the address bar')
}

async function copy(text: string, instead = 'This browser does not let a page copy'): Promise<void> {
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
  isTextNew = false
  keep()
  askForOutput()
}

/** Asks for the tab's output. The previous one stays until the result is there. */
function askForOutput(): void {
  byID('panel', HTMLDivElement).setAttribute('aria-busy', 'true')
  ask({ text: editor.text.slice(0, READ_LENGTH_MAX), dialect: dialectMenu.value, output: tabs.current })
}

function take(result: Result, question: Question): void {
  input = { ...result, ...question }
  byID('replay', HTMLButtonElement).disabled = !canReplay(input.dialect)
  editor.paint(input.text, input.painted)
  if (!isInStrip()) drawProblems(input, editor)
  clearTimeout(drawing)
  // The output of a long text is drawn in a task of its own.
  if (input.text.length < 3000) drawOutput(input)
  else drawing = setTimeout(drawOutput, 0, input)
}

function drawOutput(drawn: PanelInput): void {
  const panel = byID('panel', HTMLDivElement)
  const isCut = drawn.text.length < editor.text.length
  const note = isCut ? [element('p', { class: 'alert' }, 'Only the first 100,000 characters are shown.')] : []
  links.clear()
  panel.replaceChildren(...note, ...drawPanel(drawn, actions))
  panel.setAttribute('aria-busy', 'false')
  drawCharacter()
}

/** Whether the reader is in the strip under the editor, which stays then. */
function isInStrip(): boolean {
  return byID('strip', HTMLDivElement).contains(document.activeElement)
}

/** Marks the character after the caret, its result, and its reasons. */
function drawCharacter(): void {
  if (input === null) return
  const { text, dialect } = input
  const [start, end] = character === null ? [0, 0] : characterAt(text, character)
  const isOwn = dialect === OWN && start < end
  editor.point(isOwn ? { start, end } : null)
  links.point(character)
  const reasons = byID('reasons', HTMLDivElement)
  reasons.hidden = dialect !== OWN
  if (!isInStrip()) drawReasons(text.slice(start, end), isOwn ? explain(text, start) : [])
}

/** Returns the span of the code point at an offset; it is empty after the end. */
function characterAt(text: string, offset: number): readonly [number, number] {
  const point = text.codePointAt(offset)
  return [offset, point === undefined ? offset : offset + String.fromCodePoint(point).length]
}
