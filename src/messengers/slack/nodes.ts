/** Creates mdast nodes for Slack's readers. */
import type { BlockContent, Paragraph, PhrasingContent } from 'mdast'
import { withBreaks } from '../../convert/lines.js'
import { describe } from '../../describe.js'
import { resolveMention } from '../../render/options.js'
import type { Position } from '../../tree.js'
import { reportLoss, type SlackReading } from './reading.js'

/** Maximum depth of lists, arrays and objects. Slack's own are less deep: a carousel, its cards, their buttons. */
export const DEPTH_MAX = 12

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

/** Returns the result of a callback. Throws TypeError if the result is neither a string nor undefined. */
export function nameFrom(callback: string, result: unknown): string | undefined {
  if (result === undefined || typeof result === 'string') return result
  throw new TypeError(`fromSlack: ${callback}: expected a string, received ${describe(result)}`)
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
