/** Control sequences of mrkdwn, from `<` to `>`: links, and references to people, channels, groups and dates. */
import type { PhrasingContent } from 'mdast'
import { note, type SlackReading, unescapeText } from './reading.js'

/** A control sequence without its brackets, and its offset. */
interface Control {
  readonly control: string
  readonly reading: SlackReading
  readonly start: number
  /** Reads the label from an offset in the sequence, with its formatting. */
  readonly labelOf: (from: number) => PhrasingContent[]
}

/** The nodes of a control sequence. */
export function elementOf({ control, reading, start, labelOf }: Control): PhrasingContent[] {
  const end = start + control.length + 2
  const bar = control.indexOf('|')
  const target = bar < 0 ? control : control.slice(0, bar)
  const label = bar < 0 ? '' : unescapeText(control.slice(bar + 1))
  const rest = target.slice(1)
  switch (target[0]) {
    case '@':
      return mentionOf(rest, label, reading, start, end)
    case '#':
      note(reading, 'slack-element', start, end)
      return text(`#${label || rest}`)
    case '!':
      note(reading, 'slack-element', start, end)
      return special(rest, label)
    default:
      return linkOf(unescapeText(target), bar < 0 || label === '' ? [] : labelOf(bar + 1), control)
  }
}

/** A mention; a user who may not be mentioned is text. */
export function mentionOf(
  id: string,
  label: string,
  reading: SlackReading,
  start: number,
  end: number,
): PhrasingContent[] {
  if (reading.mentions.has(id)) return [{ type: 'mention', userID: id, label: label || null }]
  note(reading, 'mention', start, end)
  return text(`@${(label || id).replace(/^@/, '')}`)
}

/** The visible text of `here`, `channel`, `everyone`, `subteam^ID` and `date^TIME^FORMAT^URL`. */
function special(name: string, label: string): PhrasingContent[] {
  const [kind = '', first = '', , url] = name.split('^')
  if (kind === 'date') {
    return url === undefined ? text(label || first) : linkOf(unescapeText(url), text(label || first), name)
  }
  const shown = label || (kind === 'subteam' ? first : kind)
  return text(shown.startsWith('@') ? shown : `@${shown}`)
}

function linkOf(url: string, label: PhrasingContent[], control: string): PhrasingContent[] {
  if (!/^[A-Za-z][A-Za-z0-9+.-]+:/.test(url)) return text(`<${unescapeText(control)}>`)
  return [{ type: 'link', url, children: label.length > 0 ? label : text(url) }]
}

function text(value: string): PhrasingContent[] {
  return [{ type: 'text', value }]
}
