/** The diagnostics of a text: a list whose entries lead to their positions and apply corrections. */

import { OWN } from './dialects.js'
import { button, element } from './element.js'
import { proseOf, withCode } from './reasons.js'
import type { Remark } from './remarks.js'
import { type Actions, type Frame, type Shown, unexpected } from './shown.js'

/** Draws the diagnostics, one list for each piece. */
export function frameChecks({ dialect, text, remarkCount }: Shown, actions: Actions): Frame {
  const result = element('div')
  if (remarkCount === 0) {
    result.append(element('p', {}, dialect === OWN ? 'Nothing looks unintended.' : 'Nothing is lost.'))
  }
  return {
    nodes: [result],
    add: (piece) => {
      if (piece.kind === 'fixed') {
        const fix = (): void => actions.replace({ start: 0, end: text.length }, piece.text)
        result.append(element('p', {}, button('Fix all that is sure', fix)))
      } else if (piece.kind === 'remarks') {
        result.append(element('ul', { class: 'checks piece' }, ...piece.remarks.map((remark) => item(remark, actions))))
      } else unexpected(piece)
    },
  }
}

function item({ reason, ruleId, note, place, expected }: Remark, actions: Actions): Node {
  const act =
    place === null
      ? []
      : [
          button('Show', () => actions.select(place.span)),
          // An empty replacement deletes the text.
          ...(expected === null ? [] : [button(labelOf(expected), () => actions.replace(place.span, expected))]),
        ]
  const where = place === null ? '' : ` (line ${place.line})`
  const rule = note === null ? element('code', {}, ruleId) : ruleOf(ruleId, note)
  return element('li', {}, ...withCode(reason), `${where} `, rule, element('br'), ...act)
}

/** Draws a rule's name, which opens the rule's text below it. */
function ruleOf(ruleId: string, note: string): Node {
  const details = element('details', { class: 'section' }, element('summary', {}, ruleId))
  details.addEventListener('toggle', () => details.append(proseOf(note)), { once: true })
  return details
}

const REPLACEMENT_LENGTH_MAX = 40

function labelOf(replacement: string): string {
  if (replacement === '') return 'Delete it'
  const isLong = replacement.length > REPLACEMENT_LENGTH_MAX
  return `Write ${isLong ? `${replacement.slice(0, REPLACEMENT_LENGTH_MAX)}…` : replacement}`
}
