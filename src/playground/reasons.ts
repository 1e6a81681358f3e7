/** Reasons why a character is markup or text, with the sections of the dialect. */

import { fromMarkdown } from '../convert/index.js'
import { toHtml } from '../index.js'
import type { Reason } from '../lint/index.js'
import { element } from './element.js'

/** Draws the reasons of a character. */
export function drawReason(character: string, reasons: readonly Reason[]): readonly Node[] {
  if (reasons.length === 0)
    return [element('p', { class: 'quiet' }, 'Point at a character, or move the caret before it.')]
  const items = reasons.map(({ section, message }) => element('li', {}, sectionOf(section), ' ', ...withCode(message)))
  return [element('p', {}, element('code', {}, character.replace(/\n/, '↵'))), element('ul', {}, ...items)]
}

/** Draws a section's name, which opens the section's text below it. */
function sectionOf(name: string): Node {
  const text = sectionText(name.slice(1))
  if (text === undefined) return element('span', { class: 'quiet' }, name)
  const details = element('details', { class: 'section' }, element('summary', {}, name))
  details.addEventListener('toggle', () => details.append(proseOf(text), ...documentation(name)), { once: true })
  return details
}

/** Links to the chapter if this document comes from a service, which has the documentation. */
function documentation(name: string): readonly Node[] {
  const { docs } = document.body.dataset
  if (docs === undefined) return []
  return [element('a', { href: `${docs}/dialect-${name.charAt(1)}` }, `${name} in the documentation`)]
}

/** Draws prose in CommonMark with the library itself. */
export function proseOf(text: string): HTMLElement {
  const prose = element('div', { class: 'blockmark prose' })
  prose.innerHTML = toHtml(fromMarkdown(text).tree)
  return prose
}

/** Draws a sentence that has code between backticks. */
export function withCode(sentence: string): readonly (string | Node)[] {
  const parts = sentence.split(/(`+)(.+?)\1/g)
  // Text, the backticks, the code between them, and text again.
  return parts.flatMap((part, index): (string | Node)[] => {
    if (index % 3 === 1) return []
    return [index % 3 === 2 ? element('code', {}, part) : part]
  })
}

/** The text of each section, by its number; the server of the document puts it there. */
let read: Readonly<Record<string, string>> | null = null

/** Finds a section, or else the one that contains it; undefined if the document has none. */
function sectionText(number: string): string | undefined {
  read ??= JSON.parse(document.getElementById('sections')?.textContent ?? '{}') as Readonly<Record<string, string>> // the server's own JSON
  return read[number] ?? read[number.replace(/\..*/, '')]
}
