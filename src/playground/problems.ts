/** The strip under the editor: why a character is markup or text, and the problems of the text, which can be corrected. */

import type { Diagnostic } from '../index.js'
import { fix, type Reason } from '../lint/index.js'
import { spanOfDiagnostic } from './colors.js'
import { BLOCKMARK, type ParsedText } from './dialects.js'
import type { Editor } from './editor.js'
import { button, byID, element, replaceChanged } from './element.js'

/** Maximum number of problems that are drawn. The strip also shows how many there are. */
const PROBLEMS_MAX = 50

/** Draws the number of problems, a button that makes all corrections that are certain, and each problem with its correction. */
export function drawProblems({ text, dialect, diagnostics }: ParsedText, editor: Editor): void {
  const [one, many, none] =
    dialect === BLOCKMARK ? ['problem', 'problems', 'No problems'] : ['change', 'changes', 'Nothing is lost']
  const { length } = diagnostics
  const list = byID('problems', HTMLUListElement)
  // The button scrolls to the list, because on a phone it is below the result.
  const countButton = button(`${length} ${length === 1 ? one : many}`, () => list.scrollIntoView({ block: 'nearest' }))
  countButton.className = 'plain'
  const fixedText = dialect === BLOCKMARK && diagnostics.some(({ expected }) => expected) ? fix(text) : text
  const fixAll = button('Fix all', () => editor.replace({ start: 0, end: text.length }, fixedText))
  byID('summary', HTMLParagraphElement).replaceChildren(
    length > 0 ? countButton : text.trim() === '' ? '' : none,
    ...(fixedText === text ? [] : [fixAll]),
  )
  const items = diagnostics.slice(0, PROBLEMS_MAX).map((problem) => drawProblem(problem, dialect))
  if (length > items.length) items.push(element('li', {}, `and ${length - items.length} more`))
  replaceChanged(list, items)
  // The problem is found by the item's index, because equal items are kept when the text changes.
  list.onclick = ({ target }) => {
    const at = [...list.children].findIndex((item) => target instanceof Element && item.contains(target))
    const problem = diagnostics[at]
    const span = problem === undefined ? null : spanOfDiagnostic(problem)
    if (span === null || !(target instanceof HTMLButtonElement)) return
    if (target.className === 'plain') editor.select(span)
    else editor.replace(span, problem?.expected?.[0] ?? '')
  }
}

function drawProblem(problem: Diagnostic, dialect: string): HTMLElement {
  const { reason, ruleId, place, expected } = problem
  const sentence = withCode(dialect === BLOCKMARK ? reason : reason.charAt(0).toUpperCase() + reason.slice(1))
  const rule = dialect === BLOCKMARK ? [' ', linkTo(`lint#${ruleId}`, ruleId)] : []
  const span = spanOfDiagnostic(problem)
  if (place === undefined || span === null) return element('li', {}, ...sentence, ...rule)
  const { line } = 'start' in place ? place.start : place
  const lineButton = element('button', { type: 'button', class: 'plain' }, `Line ${line}`)
  const [first] = expected ?? []
  // An empty replacement deletes the text.
  const label = first === '' ? 'Delete it' : `Write ${first?.slice(0, 40)}`
  const fixButton = first === undefined ? [] : [' ', element('button', { type: 'button' }, label)]
  return element('li', {}, lineButton, ' ', ...sentence, ...rule, ...fixButton)
}

/** The sections that have the rule of a reason, because a reason names only the chapter. */
const sectionsOfReasons: readonly (readonly [message: RegExp, section: string])[] = [
  [/fence/i, '§2.6'],
  [/heading/, '§2.3'],
  [/paragraph/, '§2.2'],
  [/item/, '§2.4'],
  [/^A file/, '§2.5'],
  [/cannot (?:open|close)/, '§4.3'],
  [/could (?:open|close)|do not match|^Left over/, '§4.8'],
  [/^Merged/, '§4.10'],
]

/** Draws the reasons of a character: a sentence, and the section that has the rule. */
export function drawReasons(character: string, reasons: readonly Reason[]): void {
  const items = reasons.map(({ section: chapter, message }) => {
    const rule = sectionsOfReasons.find(([pattern, name]) => name.startsWith(`${chapter}.`) && pattern.test(message))
    const section = rule?.[1] ?? chapter
    const link = linkTo(`dialect-${section.charAt(1)}${section.length > 2 ? `#${section.slice(1)}` : ''}`, section)
    return element('p', {}, ...withCode(message), ' ', link)
  })
  const hint = 'Put the caret before a character to see why it is markup or text.'
  const [first] = items
  if (first === undefined) items.push(element('p', { class: 'quiet' }, hint))
  else first.prepend(element('code', {}, character.replace(/\n/, '↵')), ' ')
  byID('reasons', HTMLDivElement).replaceChildren(...items)
}

/** Links to the documentation, if this document comes from a service, which has it. */
function linkTo(page: string, label: string): Node {
  const { docs } = document.body.dataset
  if (docs === undefined) return element('span', { class: 'quiet' }, label)
  return element('a', { href: `${docs}/${page}` }, label)
}

/** Draws a sentence that has code between backticks. */
function withCode(sentence: string): readonly (string | Node)[] {
  const sentenceParts = sentence.split(/(`+)(.+?)\1/g)
  // The parts repeat: text, backticks, the code between them.
  return sentenceParts.flatMap((part, index): (string | Node)[] => {
    if (index % 3 === 1) return []
    return [index % 3 === 2 ? element('code', {}, part) : part]
  })
}
