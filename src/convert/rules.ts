/** The diagnostics of conversions: what the dialect lacks, and what becomes of it. */
import { type Diagnostic, printable } from '../diagnostic.js'
import type { Position } from '../tree.js'

/** The reason for each kind of loss. The table in the README is generated from it. */
const reasons = {
  'block-limit':
    'a text with more than 20 KB, 2,000 delimiters or 2,000 lines stays as typed, as do too many closed containers',
  'break-place': 'a heading or a cell has only one line: the line break becomes a space',
  'code-place': 'code in a quote or a list becomes a block between the lines',
  empty: 'it has no visible content: it is left out',
  footnote: 'a footnote becomes its number in brackets, with its text at the end',
  'heading-depth': 'a heading of depth 3 to 6 becomes a bold paragraph',
  'heading-place': 'a heading in a quote or a list becomes a bold line',
  html: 'HTML without a counterpart stays as typed',
  'html-comment': 'a comment is left out',
  'html-tag': 'tags that only arrange their content are left out',
  image: 'an image becomes a link with its alternative text',
  'image-in-link': 'an image in a link becomes its alternative text: its URL is left out',
  'link-target': 'the URL of a link begins with a scheme: this one becomes text after the link text',
  'link-title': 'a link has no title: it is left out',
  math: 'a formula becomes code: its characters stay as typed',
  mention: 'a mention of a user who is not in `mentions` stays text, so that it does not notify anyone',
  'nested-list': 'a list with items of several lines, or inside a list or quote, becomes lines of text',
  'ordered-list': 'an ordered list becomes lines of text with its numbers',
  quote: 'a quote becomes lines of text that start with >',
  'reference-late': 'this definition came after its reference, which had already been returned: both stay as typed',
  rule: 'a thematic break becomes a line of dashes',
  'slack-block': 'a block without a counterpart is left out, or replaced by its text',
  'slack-color': 'the color of an attachment becomes a square before its first line',
  'slack-element': 'an element without a counterpart stays text',
  'slack-file': 'a file becomes a link to Slack',
  table: 'a table becomes code with aligned columns, or a list with an item for each row',
  tag: 'an element that `tags` names is left out',
  'task-item': 'a task becomes an item with a box',
  unknown: 'an unknown node is replaced by its content',
} as const

/** The id of a kind of loss. */
export type ConversionRule = keyof typeof reasons

/** Every rule with its reason, in alphabetical order. */
export const conversionRules: Readonly<Record<ConversionRule, string>> = reasons

/**
 * Returns a diagnostic about a construct that was degraded.
 *
 * @param ruleId - the rule
 * @param position - the position in the source, if known
 * @param name - the kind of node, if the rule is about several
 */
export function diagnosticOf(ruleId: ConversionRule, position: Position | undefined, name = ''): Diagnostic {
  const reason = name === '' ? reasons[ruleId] : `${reasons[ruleId]}: ${name}`
  const message: Diagnostic = { reason, ruleId, source: 'blockmark', fatal: false }
  if (position !== undefined) message.place = position
  return printable(message)
}
