/** The playground: a text on one side, and its output on the other. It runs in the browser alone. */

import { explain } from '../lint/index.js'
import { highlightedParts } from './colors.js'
import { BLOCKMARK, readAs } from './dialects.js'
import { createEditor, PAUSE_MILLISECONDS } from './editor.js'
import { button, byID, element } from './element.js'
import { examples } from './examples.js'
import { createLinks } from './links.js'
import { type Actions, outputOf } from './outputs.js'
import { drawProblems, drawReasons } from './problems.js'
import { canReplay } from './replay.js'
import { readDraft, readFragment, type SavedText, saveDraft, writeFragment } from './saved.js'
import { openSyntax } from './syntax.js'
import { createTabs } from './tabs.js'

/** Maximum length of the text that is parsed. The output of a text of this length is drawn within a few frames. */
const READ_LENGTH_MAX = 20_000

/** Maximum length of a text that is drawn after each key. A longer text is drawn after a pause in typing. */
const IMMEDIATE_LENGTH_MAX = 4_000

/** The menu whose value is the dialect of the text. */
const dialectMenu = byID('dialect', HTMLSelectElement)
const exampleMenu = byID('example', HTMLSelectElement)
const panel = byID('panel', HTMLDivElement)
const status = byID('status', HTMLParagraphElement)
const cutNote = element(
  'p',
  { class: 'alert' },
  `Only the first ${READ_LENGTH_MAX.toLocaleString('en')} characters are shown.`,
)
/** The offset of the caret; null until the reader moves it. */
let caretOffset: number | null = null
let [isTextNew, isTyped] = [false, false]
/** The frame before the next drawing, and the timers that draw the text and the problems of the drawn text. */
let [drawFrame, drawTimer, problemsTimer] = [0, 0, 0]
/** The text that is drawn. */
let parsedText = readAs(BLOCKMARK, '')
/** Returns the output as text. */
let outputText = (): string => ''

const editor = createEditor(
  {
    onText: (isByReader) => {
      isTextNew = true
      if (isByReader) isTyped = true
      drawLater()
    },
    onCaretMove: (offset) => {
      caretOffset = offset
      if (!isTextNew) drawLater()
    },
  },
  READ_LENGTH_MAX,
)
const tabs = createTabs(drawText)
const links = createLinks(panel, { select: editor.select, show: editor.point })
const actions: Actions = { choose: tabs.choose, copy: (text) => void copy(text), link: links.add }

exampleMenu.addEventListener('change', () => {
  const example = examples[Number(exampleMenu.value)]
  if (exampleMenu.value !== '' && example !== undefined)
    openSaved({ text: example.text, dialect: example.dialect ?? BLOCKMARK })
  // The menu is reset, because it would still show the name of the example above another text.
  exampleMenu.value = ''
})
dialectMenu.addEventListener('change', () => showText({ text: editor.text, dialect: dialectMenu.value }))
byID('link', HTMLButtonElement).addEventListener('click', () => void showLink())
byID('help', HTMLButtonElement).addEventListener('click', openSyntax)
byID('copy', HTMLButtonElement).addEventListener('click', () => void copy(outputText()))
addEventListener('pagehide', saveIfTyped)
addEventListener('hashchange', () => void openLink())
panel.tabIndex = 0
void openLink().then((isOpen) => {
  // A new reader sees the output of a model, in five messengers.
  const { text = '', dialect = BLOCKMARK } = examples[0] ?? {}
  if (!isOpen) showText(readDraft() ?? { text, dialect, tab: 'messengers' })
})

/** Opens the text of the URL, if it has one. */
async function openLink(): Promise<boolean> {
  const linked = await readFragment(location.hash)
  if (linked !== null) openSaved(linked)
  return linked !== null
}

/** Draws after the next frame, which shows the typed character; a long text only after a pause. */
function drawLater(): void {
  cancelAnimationFrame(drawFrame)
  clearTimeout(drawTimer)
  const draw = isTextNew ? drawText : drawCharacter
  const pause = isTextNew && editor.text.length > IMMEDIATE_LENGTH_MAX ? PAUSE_MILLISECONDS : 0
  drawFrame = requestAnimationFrame(() => {
    drawTimer = setTimeout(draw, pause)
  })
}

/** Opens a link or an example. The draft is kept until the reader types, and a button leads back to it. */
function openSaved(saved: SavedText): void {
  saveIfTyped()
  const draft = readDraft()
  showText(saved)
  if (draft === null || draft.text === saved.text) return
  const goBack = button('Go back to it', () => {
    removeFragment()
    showText(draft)
    status.replaceChildren()
  })
  status.replaceChildren('Your draft is saved. ', goBack)
}

function showText({ text, dialect, tab }: SavedText): void {
  dialectMenu.value = dialect
  if (dialectMenu.value === '') dialectMenu.value = BLOCKMARK
  editor.open(text)
  caretOffset = null
  const isTabMissing = tabs.current === 'replay' && !canReplay(dialectMenu.value)
  tabs.choose(tab ?? (isTabMissing ? 'preview' : tabs.current))
}

/** Saves the text if it was typed. Links and examples that are only read are not saved. */
function saveIfTyped(): void {
  if (!isTyped) return
  isTyped = false
  saveDraft({ text: editor.text, dialect: dialectMenu.value })
  removeFragment()
}

/** Removes the fragment of the URL: it holds a shared text, and the editor now has another one. */
function removeFragment(): void {
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
}

async function showLink(): Promise<void> {
  const saved = { text: editor.text, dialect: dialectMenu.value, tab: tabs.current }
  history.replaceState(null, '', await writeFragment(saved))
  await copy(location.href, 'The link is in the address bar')
}

async function copy(text: string, failureText = 'This browser does not let a page copy'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    status.textContent = 'Copied'
  } catch {
    // A page from a file, or without the permission, cannot copy.
    status.textContent = failureText
  }
  setTimeout(() => {
    if (status.childElementCount === 0) status.textContent = ''
  }, 4000)
}

/** Parses the text and draws the tab's output, the colors and the problems. */
function drawText(): void {
  cancelAnimationFrame(drawFrame)
  clearTimeout(drawTimer)
  isTextNew = false
  saveIfTyped()
  parsedText = readAs(dialectMenu.value, editor.text.slice(0, READ_LENGTH_MAX))
  byID('replay', HTMLButtonElement).disabled = !canReplay(parsedText.dialect)
  editor.paint(highlightedParts(parsedText))
  drawProblemsLater()
  links.clear()
  const output = outputOf(tabs.current, parsedText, actions)
  outputText = output.textToCopy
  const nodes = parsedText.text.length < editor.text.length ? [cutNote, ...output.nodes] : output.nodes
  // An output that updates its own nodes returns nodes that are already in the page. They are not replaced.
  if (nodes.some((node, index) => node !== panel.childNodes[index])) panel.replaceChildren(...nodes)
  drawCharacter()
  document.querySelector('main')?.classList.remove('loading')
}

/** Draws the problems after a pause. While the focus is in the strip, the problems wait until it leaves. */
function drawProblemsLater(): void {
  clearTimeout(problemsTimer)
  problemsTimer = setTimeout(() => {
    if (isFocusInStrip()) drawProblemsLater()
    else drawProblems(parsedText, editor)
  }, PAUSE_MILLISECONDS)
}

/** Whether the focus is in the strip under the editor. Then the strip is not drawn again, so that the focus is not lost. */
function isFocusInStrip(): boolean {
  return byID('strip', HTMLDivElement).contains(document.activeElement)
}

/** Marks the character after the caret and the part of the result that contains it, and draws the reasons. */
function drawCharacter(): void {
  const { text, dialect } = parsedText
  const [start, end] = caretOffset === null ? [0, 0] : spanOfCharacterAt(text, caretOffset)
  const isBlockmark = dialect === BLOCKMARK && start < end
  editor.point(isBlockmark ? { start, end } : null)
  links.point(caretOffset)
  byID('reasons', HTMLDivElement).hidden = dialect !== BLOCKMARK
  if (!isFocusInStrip()) drawReasons(text.slice(start, end), isBlockmark ? explain(text, start) : [])
}

/** Returns the span of the code point at an offset; it is empty after the end. */
function spanOfCharacterAt(text: string, offset: number): readonly [number, number] {
  const codePoint = text.codePointAt(offset)
  return [offset, codePoint === undefined ? offset : offset + String.fromCodePoint(codePoint).length]
}
