/** GitHub's alerts: quotes whose first line is `[!NOTE]`, for example. */
import type { Blockquote, Paragraph, PhrasingContent } from 'mdast'

/** Returns the blocks of a quote; the mark of an alert becomes a bold word. */
export function withAlert(nodes: Blockquote['children']): Blockquote['children'] {
  const [paragraph, ...blocks] = nodes
  if (paragraph?.type !== 'paragraph') return nodes
  const known = alerts.get(paragraph)
  if (known !== undefined) return [known, ...blocks]
  const [first, ...phrasing] = paragraph.children
  const [mark, kind = ''] = first?.type === 'text' ? (ALERT.exec(first.value) ?? []) : []
  // The line of an alert's mark contains nothing else.
  const isAlone = phrasing.length === 0 || /[\r\n]/.test(mark ?? '')
  if (first?.type !== 'text' || mark === undefined || !isAlone) return nodes
  const label = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  const name: PhrasingContent = { type: 'strong', children: [{ type: 'text', value: label }] }
  const rest = { ...first, value: first.value.slice(mark.length) }
  const following = rest.value === '' ? phrasing : [rest, ...phrasing]
  const body: PhrasingContent[] = following.length === 0 ? [] : [{ type: 'break' }, ...following]
  const alert = { ...paragraph, children: [name, ...body] }
  alerts.set(paragraph, alert)
  return [alert, ...blocks]
}

/** The first paragraphs of alerts, kept so that a repeated conversion returns the same node. */
const alerts = new WeakMap<Paragraph, Paragraph>()

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r\n?|\n|$)/i
