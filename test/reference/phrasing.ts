/**
 * §3 and §4 from a leaf to its nodes: tokens, then bare links and emphasis in one pass, then the tree's normal form.
 */

import type { Formatting, Phrasing, PhrasingWithoutLink } from '../../src/tree.js'
import { endOfBareLink } from './bare-links.js'
import { formattingTypes } from './forced-formatting.js'
import { takeBreak, takeRun } from './matching.js'
import { readRun } from './runs.js'
import { newSequence, type Sequence, type SequenceKind } from './sequences.js'
import { positionOf, type Source, type SourceCharacter } from './source.js'
import { isUnescaped, readTokens, type Token } from './tokens.js'

export function readPhrasing(source: Source, leaf: readonly SourceCharacter[]): Phrasing[] {
  return toNormalForm(readSequence(source, readTokens(leaf), 'leaf'), [])
}

function readSequence(source: Source, tokens: readonly Token[], kind: SequenceKind): Phrasing[] {
  const sequence = newSequence(tokens, kind)
  pairSequence(sequence)
  return nodesBetween(source, sequence, 0, tokens.length)
}

/** Finds a sequence's bare links and matched pairs, from left to right: the end of a link depends on what is open. */
function pairSequence(sequence: Sequence): void {
  let at = 0
  while (at < sequence.tokens.length) {
    const linkEnd = endOfBareLink(sequence, at)
    const run = linkEnd === null ? readRun(sequence, at) : null
    if (linkEnd !== null) {
      sequence.urls.push({ start: at, end: linkEnd })
      at = linkEnd
    } else if (run !== null) {
      takeRun(sequence, run)
      at = run.end
    } else {
      if (isUnescaped(sequence.tokens[at], '\n')) takeBreak(sequence)
      at += 1
    }
  }
}

function nodesBetween(source: Source, sequence: Sequence, start: number, end: number): Phrasing[] {
  const nodes: Phrasing[] = []
  let at = start
  while (at < end) {
    const found =
      readFormatting(source, sequence, at) ?? readBareLink(source, sequence, at) ?? readToken(source, sequence, at)
    nodes.push(found.node)
    at = found.next
  }
  return nodes
}

/** A node and the index of the token after it. */
interface Found {
  node: Phrasing
  next: number
}

function tokenAt(sequence: Sequence, at: number): Token {
  const token = sequence.tokens[at]
  if (token === undefined) throw new RangeError(`no token ${at}`)
  return token
}

function readFormatting(source: Source, sequence: Sequence, at: number): Found | null {
  const match = sequence.matches.find(({ openingStart }) => openingStart === at)
  if (match === undefined) return null
  const start = tokenAt(sequence, at).start
  const end = tokenAt(sequence, match.closingEnd - 1).end
  const children = nodesBetween(source, sequence, match.openingEnd, match.closingStart)
  return { node: { type: match.type, children, position: positionOf(source, start, end) }, next: match.closingEnd }
}

/** §5: "A bare link is a link whose only child is a text equal to its url." */
function readBareLink(source: Source, sequence: Sequence, at: number): Found | null {
  // §3.5: "Inside a named link's label (in a pair there too) a URL, found in the same way, is plain text."
  const url = sequence.kind === 'label' ? undefined : sequence.urls.find(({ start }) => start === at)
  if (url === undefined) return null
  const tokens = sequence.tokens.slice(url.start, url.end)
  const value = tokens.map((token) => (token.type === 'character' ? token.value : '')).join('')
  const position = positionOf(source, tokenAt(sequence, url.start).start, tokenAt(sequence, url.end - 1).end)
  const children: PhrasingWithoutLink[] = [{ type: 'text', value, position }]
  return {
    node: { type: 'link', url: value, title: null, children, position: { ...position } },
    next: url.end,
  }
}

function readToken(source: Source, sequence: Sequence, at: number): Found {
  const token = tokenAt(sequence, at)
  const position = positionOf(source, token.start, token.end)
  const next = at + 1
  if (token.type === 'code') return { node: { type: 'inlineCode', value: token.value, position }, next }
  if (token.type === 'mention') {
    return { node: { type: 'mention', userID: token.id, label: token.label, position }, next }
  }
  if (token.type === 'link') {
    const children = readSequence(source, token.label, 'label').filter((node) => node.type !== 'link')
    return { node: { type: 'link', url: token.url, title: null, children, position }, next }
  }
  if (token.type === 'forced') {
    const kind = sequence.kind === 'label' ? 'label' : 'forced'
    const children = readSequence(source, token.content, kind)
    return { node: { type: formattingTypes[token.delimiter], children, position }, next }
  }
  // §3.8: "A line ending that is left over is a break".
  if (token.value === '\n') return { node: { type: 'break', position }, next }
  return { node: { type: 'text', value: token.value, position }, next }
}

/**
 * §4, normal form: one inside another of its kind "is replaced by its children, and two of a kind side by side are one".
 */
function toNormalForm(nodes: readonly Phrasing[], around: readonly string[]): Phrasing[] {
  const normal = nodes.flatMap((node): Phrasing[] => {
    if (node.type === 'link') {
      // "a link's label is counted afresh"
      return [{ ...node, children: toNormalForm(node.children, []).filter((child) => child.type !== 'link') }]
    }
    if (!isFormatting(node)) return [node]
    if (around.includes(node.type)) return toNormalForm(node.children, around)
    return [{ ...node, children: toNormalForm(node.children, [...around, node.type]) }]
  })
  return joinNeighbors(normal)
}

function isFormatting(node: Phrasing): node is Formatting {
  return node.type === 'strong' || node.type === 'emphasis' || node.type === 'underline' || node.type === 'delete'
}

/** §5: "Adjacent text is one text node"; §4: "the node's position runs from the first to the last of them". */
function joinNeighbors(nodes: readonly Phrasing[]): Phrasing[] {
  const joined: Phrasing[] = []
  for (const node of nodes) {
    const last = joined.at(-1)
    const both = last === undefined ? null : join(last, node)
    if (both === null) joined.push(node)
    else joined.splice(-1, 1, both)
  }
  return joined
}

function join(first: Phrasing, second: Phrasing): Phrasing | null {
  if (first.position === undefined || second.position === undefined) return null
  const position = { start: first.position.start, end: second.position.end }
  if (first.type === 'text' && second.type === 'text')
    return { type: 'text', value: first.value + second.value, position }
  if (!isFormatting(first) || !isFormatting(second) || first.type !== second.type) return null
  return { type: first.type, children: joinNeighbors([...first.children, ...second.children]), position }
}
