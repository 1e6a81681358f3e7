/** What stands between `<` and `>` in mrkdwn: links, and mentions of people, channels, groups and dates. */
import type { PhrasingContent } from 'mdast'
import { note, type Reading, unescapeText } from './reading.js'

/** The nodes of a control sequence, without its brackets. */
export function elementOf(control: string, reading: Reading, start: number, end: number): PhrasingContent[] {
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
      return linkOf(unescapeText(target), label, control)
  }
}

/** A mention of somebody; who may not be mentioned stays text. */
export function mentionOf(id: string, label: string, reading: Reading, start: number, end: number): PhrasingContent[] {
  if (reading.mentions.has(id)) return [{ type: 'mention', userID: id, label: label || null }]
  note(reading, 'mention', start, end)
  return text(`@${(label || id).replace(/^@/, '')}`)
}

/** `here`, `channel`, `everyone`, `subteam^ID`, `date^TIME^FORMAT^URL`: what is shown of them. */
function special(name: string, label: string): PhrasingContent[] {
  const [kind = '', first = '', , url] = name.split('^')
  if (kind === 'date') return url === undefined ? text(label || first) : linkOf(unescapeText(url), label || first, name)
  const shown = label || (kind === 'subteam' ? first : kind)
  return text(shown.startsWith('@') ? shown : `@${shown}`)
}

function linkOf(url: string, label: string, control: string): PhrasingContent[] {
  if (!/^[A-Za-z][A-Za-z0-9+.-]+:/.test(url)) return text(`<${unescapeText(control)}>`)
  return [{ type: 'link', url, children: [{ type: 'text', value: label || url }] }]
}

function text(value: string): PhrasingContent[] {
  return [{ type: 'text', value }]
}
