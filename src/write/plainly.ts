/**
 * The first attempt to write a leaf: plain delimiters and no escapes. If the parser reads back exactly the nodes, as for most
 * messages, the leaf is in normal form, and the attempt is its source.
 */

import { delimiterOf, delimiterText, isFormatting } from '../delimiters.js'
import { parseBlocks } from '../parse/blocks.js'
import {
  BARE_LINK,
  BREAK,
  CLOSE,
  CODE,
  DROPPED,
  EVENT_SIZE,
  eventA,
  eventEnd,
  eventStart,
  eventType,
  LABEL_URL,
  LINK,
  LINK_END,
  MENTION,
  OPEN,
  type SourceBlock,
} from '../parse/events.js'
import { parseLeaf } from '../parse/inline.js'
import { type ParseState, releaseState } from '../parse/state.js'
import { kindOf } from '../parse/units.js'
import { type Formatting, isBareLink, type Link, type Phrasing, unreachable } from '../tree.js'
import { isTextEvent, type LeafKind, leafOf } from './compare.js'
import { isBareUrl, spellMention, targetOf, writeCode } from './constructs.js'

/** The events that the parser must find: four numbers each, the type, start, end and kind of formatting. Reused for every leaf. */
const meant: number[] = []
const MEANT_SIZE = 4

/** Returns the source of a leaf without escapes; null if it needs an escape or is not in normal form. */
export function writePlainly(children: readonly Phrasing[], kind: LeafKind): string | null {
  meant.length = 0
  const source = spellNodes(kind.prefix, children)
  if (source === null) return null
  const state = parseBlocks(source, 1)
  const leaf = state.source === source ? leafOf(state, source, kind) : null
  const isRight = leaf !== null && isMeant(state, leaf)
  releaseState(state)
  return isRight ? source : null
}

function isMeant(state: ParseState, leaf: SourceBlock): boolean {
  parseLeaf(state, leaf)
  const { events, eventsEnd } = state
  let next = 0
  for (let event = 0; event < eventsEnd; event += EVENT_SIZE) {
    const type = eventType(events, event) as number
    if (type === DROPPED || type === LABEL_URL) return false
    if (isTextEvent(type)) continue
    if (
      type !== meant[next] ||
      eventStart(events, event) !== meant[next + 1] ||
      eventEnd(events, event) !== meant[next + 2]
    )
      return false
    if ((type === OPEN || type === CLOSE) && eventA(events, event) !== meant[next + 3]) return false
    next += MEANT_SIZE
  }
  return next === meant.length
}

/** Appends nodes to the source so far; null if they are not in normal form. */
function spellNodes(before: string, nodes: readonly Phrasing[]): string | null {
  let source: string | null = before
  let isAfterText = false
  for (const node of nodes) {
    if (node.type === 'text' && isAfterText) return null
    isAfterText = node.type === 'text'
    source = spellNode(source, node)
    if (source === null) return null
  }
  return source
}

function spellNode(before: string, node: Phrasing): string | null {
  switch (node.type) {
    case 'text':
      return node.value === '' ? null : before + node.value
    case 'inlineCode':
      if (/[\r\n]/.test(node.value)) return null
      return spellToken(before, CODE, writeCode(node.value))
    case 'mention': {
      const { userID, label = null } = node
      return label === '' ? null : spellToken(before, MENTION, spellMention(userID, label))
    }
    case 'break':
      return spellToken(before, BREAK, '\n')
    case 'link':
      return spellLink(before, node)
    default:
      return isFormatting(node) ? spellFormatting(before, node) : unreachable(node)
  }
}

function spellToken(before: string, type: number, source: string): string {
  mean(type, before.length, before.length + source.length, 0)
  return before + source
}

/** Adds an event that the parser must find. Offsets count from 0 here, but from 1 in the parser. */
function mean(type: number, start: number, end: number, kind: number): void {
  meant.push(type, start + 1, end + 1, kind)
}

function spellLink(before: string, node: Link): string | null {
  const { url, title, children } = node
  if (typeof title === 'string') return null
  if (isBareLink(node) && isBareUrl(url)) return spellToken(before, BARE_LINK, url)
  const target = /[\\()<]/.test(url) ? targetOf(url) : url
  const event = meant.length
  mean(LINK, before.length, 0, 0)
  const label = target === null ? null : spellNodes(`${before}[`, children)
  if (label === null) return null
  const source = spellToken(label, LINK_END, `](${target})`)
  meant[event + 2] = source.length + 1
  return source
}

function spellFormatting(before: string, { type, children }: Formatting): string | null {
  const delimiter = delimiterOf(type)
  const text = delimiterText(delimiter)
  const kind = kindOf(text.charCodeAt(0), text.length)
  mean(OPEN, before.length, before.length + text.length, kind)
  const content = spellNodes(before + text, children)
  if (content === null) return null
  mean(CLOSE, content.length, content.length + text.length, kind)
  return content + text
}
