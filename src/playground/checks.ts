/** What is remarked about a text: in a list whose entries lead to their places, and put right what can be. */

import { fix, type Message } from '../index.js'
import { OWN } from './dialects.js'
import type { Span } from './editor.js'
import { button, element } from './element.js'
import { proseOf, withCode } from './reasons.js'
import type { Actions, Shown } from './shown.js'

/**
 * Says where in the text a remark belongs.
 *
 * @param remark - the remark
 * @returns the part of the text, or null where the remark is about no part of it
 */
export function spanOf({ place }: Message): Span | null {
  if (place === undefined) return null
  const [start, end] = 'start' in place ? [place.start.offset, place.end.offset] : [place.offset, place.offset]
  return start === undefined || end === undefined ? null : { start, end }
}

/** Draws the remarks. */
export function drawChecks({ dialect, text, remarks }: Shown, actions: Actions): readonly Node[] {
  const nothing = dialect === OWN ? 'Nothing looks unintended.' : 'Nothing is lost.'
  if (remarks.length === 0) return [element('p', {}, nothing)]
  const items = remarks.map((remark) => {
    const span = spanOf(remark)
    const [first] = remark.expected ?? []
    const act = [
      ...(span === null ? [] : [button('Show', () => actions.select(span))]),
      // What is to be put there may be nothing, which takes it away.
      ...(span === null || first === undefined ? [] : [button(labelOf(first), () => actions.replace(span, first))]),
    ]
    const place = span === null ? '' : ` (line ${lineOf(text, span.start)})`
    const rule = remark.note === undefined ? element('code', {}, remark.ruleId) : ruleOf(remark.ruleId, remark.note)
    return element('li', {}, ...withCode(remark.reason), `${place} `, rule, element('br'), ...act)
  })
  const fixed = dialect === OWN ? fix(text) : text
  const all = { start: 0, end: text.length }
  const fixing =
    fixed === text
      ? []
      : [
          element(
            'p',
            {},
            button('Fix all that is sure', () => actions.replace(all, fixed)),
          ),
        ]
  return [...fixing, element('ul', { class: 'checks' }, ...items)]
}

/** A rule's name, which shows what it says where it stands. */
function ruleOf(ruleId: string, note: string): Node {
  const details = element('details', { class: 'section' }, element('summary', {}, ruleId))
  details.addEventListener('toggle', () => details.append(proseOf(note)), { once: true })
  return details
}

const REPLACEMENT_LENGTH_MAX = 40

function labelOf(replacement: string): string {
  if (replacement === '') return 'Take it away'
  const isLong = replacement.length > REPLACEMENT_LENGTH_MAX
  return `Write ${isLong ? `${replacement.slice(0, REPLACEMENT_LENGTH_MAX)}…` : replacement}`
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n?|\n/).length
}
