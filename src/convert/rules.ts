/** What a conversion may have to do to what the dialect has no construct for, as messages. */
import { type Message, printable } from '../message.js'
import type { Position } from '../tree.js'

/** One entry for each way to lose something; the README's table is made of them. */
const reasons = {
  'block-limit':
    'a text with more than 20 KB, 2,000 delimiters or 2,000 lines, or one of very many, stays as it was typed',
  'break-place': 'a heading and a cell hold one line: the line break is a space',
  'code-place': 'code in a quote or a list stands between its lines',
  'definition-unused': 'nothing refers to this definition: it is left out',
  depth: 'quotes and lists are shown sixteen deep: what is deeper stands there too',
  empty: 'there is nothing in it to show: it is left out',
  footnote: 'a footnote is its number in brackets, and its text stands at the end',
  'footnote-unused': 'nothing refers to this footnote: it is left out',
  'heading-depth': 'a heading of depth 3 to 6 is a bold paragraph',
  'heading-place': 'a heading in a quote or a list is a bold line',
  html: 'HTML that has no counterpart stays as it was typed',
  'html-comment': 'a comment is left out',
  'html-tag': 'tags that only arrange what is in them are left out',
  image: 'an image is a link with its alternative text',
  'image-in-link': 'an image in a link is its alternative text: its address is left out',
  'link-target': 'the target of a link begins with a scheme: this one stays as text behind the label',
  'link-title': 'a link has no title: it is left out',
  math: 'a formula is code: its characters stay as typed',
  mention: 'a mention in foreign text stays text, so that it notifies nobody',
  'nested-list': 'a list that holds more than one line each, or stands in a list or quote, is lines of text',
  'ordered-list': 'an ordered list is lines of text with its numbers',
  quote: 'a quote is lines of text behind >',
  'reference-late': 'this comes behind what refers to it, and that was given before: both stay as they were typed',
  rule: 'a thematic break is a line of dashes',
  'slack-block': 'a block that has no counterpart is left out, or is the text in it',
  'slack-colour': 'the colour of an attachment is a square before its first line',
  'slack-element': 'an element that has no counterpart stays as text',
  table: 'a table is code with aligned columns, or a list with an item for each row',
  tag: 'an element that `tags` names is left out',
  'task-item': 'a task is an item with a box',
  unknown: 'a node that the dialect does not know stands for what is in it',
} as const

/** The id of a message about a conversion. */
export type ConversionRule = keyof typeof reasons

/** Every rule with its reason, in the order of the alphabet. */
export const conversionRules: Readonly<Record<ConversionRule, string>> = reasons

/**
 * A message about something that was degraded.
 *
 * @param ruleId - what was done
 * @param position - where it stood in the source, if that is known
 * @param name - what it is, where the rule is about more than one thing
 */
export function messageOf(ruleId: ConversionRule, position: Position | undefined, name = ''): Message {
  const reason = name === '' ? reasons[ruleId] : `${reasons[ruleId]}: ${name}`
  const message: Message = { reason, ruleId, source: 'blockmark', fatal: false }
  if (position !== undefined) message.place = position
  return printable(message)
}
