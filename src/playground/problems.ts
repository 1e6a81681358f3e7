/** The strip under the editor: why a character is what it is, and the problems of the text, which can be corrected. */

import { fix, type Reason } from '../lint/index.js'
import { OWN } from './dialects.js'
import type { Editor } from './editor.js'
import { button, byID, element } from './element.js'
import type { Problem } from './outputs-of.js'
import type { PanelInput } from './panels.js'

/** Draws the problems: how many, a button for all that are sure, and each with its place and correction. */
export function drawProblems({ text, dialect, problems, problemCount, isFixable }: PanelInput, editor: Editor): void {
  const [one, many, none] =
    dialect === OWN ? ['problem', 'problems', 'No problems'] : ['change', 'changes', 'Nothing is lost']
  const list = byID('problems', HTMLUListElement)
  // On a phone the list is below the result.
  const show = button(`${problemCount} ${problemCount === 1 ? one : many}`, () =>
    list.scrollIntoView({ block: 'nearest' }),
  )
  show.className = 'plain'
  const fixAll = button('Fix all that is sure', () => editor.replace({ start: 0, end: text.length }, fix(editor.text)))
  byID('summary', HTMLParagraphElement).replaceChildren(
    problemCount > 0 ? show : text.trim() === '' ? '' : none,
    ...(isFixable ? [fixAll] : []),
  )
  const items = problems.map((problem) => drawProblem(problem, dialect, editor))
  const more = problemCount - problems.length
  if (more > 0) items.push(element('li', {}, `and ${more} more`))
  list.replaceChildren(...items)
}

function drawProblem({ reason, ruleId, place, expected }: Problem, dialect: string, editor: Editor): HTMLElement {
  const sentence = withCode(dialect === OWN ? reason : reason.charAt(0).toUpperCase() + reason.slice(1))
  const rule = dialect === OWN ? [' ', linkTo(`lint#${ruleId}`, ruleId)] : []
  if (place === null) return element('li', {}, ...sentence, ...rule)
  const { span, line } = place
  const show = button(`Line ${line}`, () => editor.select(span))
  show.className = 'plain'
  // An empty replacement deletes the text.
  const write =
    expected === null
      ? []
      : [
          ' ',
          button(expected === '' ? 'Delete it' : `Write ${expected.slice(0, 40)}`, () =>
            editor.replace(span, expected),
          ),
        ]
  return element('li', {}, show, ' ', ...sentence, ...rule, ...write)
}

/** The sections of the rules that reasons are about: a reason names only the chapter. */
const rules: readonly (readonly [message: RegExp, section: string])[] = [
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
    const rule = rules.find(([pattern, name]) => name.startsWith(`${chapter}.`) && pattern.test(message))
    const section = rule?.[1] ?? chapter
    const link = linkTo(`dialect-${section.charAt(1)}${section.length > 2 ? `#${section.slice(1)}` : ''}`, section)
    return element('p', {}, ...withCode(message), ' ', link)
  })
  const hint = 'Move the caret before a character to see why it is what it is.'
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
  const parts = sentence.split(/(`+)(.+?)\1/g)
  // Text, the backticks, the code between them, and text again.
  return parts.flatMap((part, index): (string | Node)[] => {
    if (index % 3 === 1) return []
    return [index % 3 === 2 ? element('code', {}, part) : part]
  })
}
