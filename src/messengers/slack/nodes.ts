/** Creates mdast nodes for Slack's readers. */
import type { BlockContent, List, Paragraph, PhrasingContent } from 'mdast'
import { withBreaks } from '../../convert/lines.js'
import { describe } from '../../describe.js'
import { resolveMention } from '../../render/options.js'
import type { Position } from '../../tree.js'
import { reportLoss, type SlackReading } from './reading.js'

export function text(value: string): PhrasingContent {
  return { type: 'text', value }
}

/** Returns a link, or text if the URL is empty. */
export function linkTo(url: string, label: string): PhrasingContent {
  return url === '' ? text(label) : { type: 'link', url, children: [text(label)] }
}

/** Returns a mention. If the caller's callback returns no id for the user, returns text or a link to the user's page. */
export function mentionOf(id: string, label: string, reading: SlackReading, position?: Position): PhrasingContent {
  const { name, href, resolved } = resolveMention(id, label.replace(/^@/, '') || null, reading.options)
  if (resolved?.id !== undefined)
    return { type: 'mention', userID: resolved.id, label: name === resolved.id ? null : name }
  reportLoss(reading, 'mention', position, id)
  return linkTo(href ?? '', `@${name}`)
}

/** Returns the name of a channel, without `#`. */
export function channelName(id: string, label: string, reading: SlackReading): string {
  return nameFrom('channel', reading.options.channel?.(id, label || null)) ?? (label || id)
}

/** Returns the result of a callback. Throws TypeError if it is not a string or undefined. */
export function nameFrom(callback: string, result: unknown): string | undefined {
  if (result === undefined || typeof result === 'string') return result
  throw new TypeError(`fromSlack: ${callback}: expected a string, received ${describe(result)}`)
}

export function strong(...children: PhrasingContent[]): PhrasingContent {
  return { type: 'strong', children }
}

export function paragraph(...children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children }
}

/** Splits phrasing into paragraphs at its blank lines. */
export function paragraphsOf(nodes: readonly PhrasingContent[]): BlockContent[] {
  const groups: PhrasingContent[][] = [[]]
  for (const [index, node] of nodes.entries()) {
    const isBlank = node.type === 'break' && nodes[index - 1]?.type === 'break'
    if (isBlank) groups.push([])
    else groups.at(-1)?.push(node)
  }
  return groups
    .filter((group) => group.some(({ type }) => type !== 'break'))
    .map((children) => ({ type: 'paragraph', children }))
}

export function plainParagraphs(value: string): BlockContent[] {
  return paragraphsOf(withBreaks(value))
}

/** One line of a list. */
export interface ListLine {
  readonly depth: number
  readonly isOrdered: boolean
  /** The number, if it is given: another number than the next one begins a new list. */
  readonly number: number | undefined
  readonly children: PhrasingContent[]
  readonly position?: Position | undefined
}

/** Maximum depth of a list; Slack's own lists are less deep. */
const DEPTH_MAX = 9

/** Returns the lists of some lines: a deeper line belongs to the line before it. */
export function listsOf(lines: readonly ListLine[]): List[] {
  const lists: List[] = []
  const open: List[] = []
  for (const { depth, isOrdered, number, children, position } of lines) {
    const level = Math.min(depth, DEPTH_MAX, open.length)
    open.length = Math.min(open.length, level + 1)
    const before = open[level]
    const next = (before?.start ?? 1) + (before?.children.length ?? 0)
    if (before?.ordered !== isOrdered || (number ?? next) !== next) {
      const start = isOrdered ? (number ?? 1) : null
      const list: List = { type: 'list', ordered: isOrdered, start, children: [], ...(position && { position }) }
      const siblings = open[level - 1]?.children.at(-1)?.children ?? lists
      siblings.push(list)
      open[level] = list
    }
    open[level]?.children.push({ type: 'listItem', spread: false, children: [{ type: 'paragraph', children }] })
  }
  return lists
}
