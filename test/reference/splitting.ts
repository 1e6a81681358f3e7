/**
 * Slow splitting: finds all allowed split points of a message, and chooses the split with the fewest strings, of which the
 * earlier ones are the fuller. Independent of the package's splitting; it uses only `stringify`.
 */

import { BlockmarkError, type LimitOptions, parse, stringify, type toBlocks } from '../../src/index.js'
import type { AnyNode, Block, Link, Root } from '../../src/tree.js'

/** The start and the end of a piece of a message, in characters of its row. */
interface Piece {
  start: number
  end: number
}

/** A message as a row: the text of its blocks, one character for each thing that is never cut, line endings between. */
interface Message {
  tree: Root
  row: string
  limit: number
  /** The code spans that are too long to stay whole. */
  cuttable: Set<AnyNode>
}

export interface SlowSplit {
  strings: string[]
  /** Whether a heading and the block after it were separated. */
  isCrowded: boolean
  /** Whether all formatting is kept. */
  isFaithful: boolean
}

/**
 * Splits a message.
 *
 * @param tree - the message, in the normal form
 * @param limit - the length of a string
 * @param holdsHeadings - whether a heading must not be the last in its string
 * @returns the strings; null if something does not fit
 */
export function splitSlowly(tree: Root, limit: number, holdsHeadings: boolean): SlowSplit | null {
  const message = createMessage(tree, limit)
  const whole = { start: 0, end: message.row.length }
  if (fits(message, whole)) return { strings: [write(message, whole)], isCrowded: false, isFaithful: true }
  const blocks = piecesOfBlocks(message)
  const atoms: Piece[] = []
  /** Ends of headings: only the last string may end there. */
  const heldEnds = new Set<number>()
  let isCrowded = false
  let run: Piece[] = []
  for (const [index, block] of blocks.entries()) {
    const isHeading = tree.children[index]?.type === 'heading'
    const around = holdsHeadings && !isHeading ? (run[0]?.start ?? block.start) : block.start
    const node = tree.children[index]
    if (node === undefined) throw new Error('each block is a piece')
    const pieces = cutUp(message, block, node, around) ?? cutUp(message, block, node, block.start)
    if (pieces === null) return null
    const [first] = pieces
    if (first !== undefined && !fits(message, { start: around, end: first.end })) {
      isCrowded = true
      for (const { end } of run) heldEnds.delete(end)
    }
    if (holdsHeadings && isHeading) {
      const isWhole = pieces.length === 1
      if (!isWhole || (run[0] !== undefined && !fits(message, { start: run[0].start, end: block.end }))) {
        isCrowded = true
        for (const { end } of run) heldEnds.delete(end)
      }
      heldEnds.add(block.end)
      run.push(block)
    } else run = []
    atoms.push(...pieces)
  }
  const canBe = (part: Piece): boolean => fits(message, part) || isBlank(message, part)
  const faithful = fewest(message, atoms, heldEnds, (part) => canBe(part) && isFaithful(message, part))
  const parts = faithful ?? fewest(message, atoms, heldEnds, canBe)
  return parts && { strings: parts.map((part) => write(message, part)), isCrowded, isFaithful: faithful !== null }
}

function createMessage(tree: Root, limit: number): Message {
  const message: Message = { tree, row: '', limit, cuttable: new Set() }
  const codes = nodesOf(tree).filter(({ type }) => type === 'inlineCode')
  for (const code of codes) if (lengthOf(stringify(only(tree, code))) > limit) message.cuttable.add(code)
  message.row = rowOf(message, tree)
  return message
}

/** Returns the tree with only a node and its parents. */
function only(tree: Root, kept: AnyNode): Root {
  const filter = (node: AnyNode): AnyNode[] => {
    if (node === kept) return [node]
    if (!('children' in node)) return []
    const children = node.children.flatMap(filter)
    return children.length > 0 ? [{ ...node, children } as AnyNode] : []
  }
  return filter(tree)[0] as Root
}

function nodesOf(node: AnyNode): AnyNode[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])]
}

function rowOf(message: Message, node: AnyNode): string {
  if ('children' in node && !isBare(node)) {
    const between = node.type === 'root' || node.type === 'list' ? '\n' : ''
    return node.children.map((child) => rowOf(message, child)).join(between)
  }
  if (node.type === 'break') return '\n'
  const isCuttable = node.type === 'text' || node.type === 'code' || message.cuttable.has(node)
  return isCuttable && 'value' in node && node.value !== '' ? node.value : '\uFFFC'
}

function isBare(node: AnyNode): node is Link {
  const [child] = node.type === 'link' ? node.children : []
  return node.type === 'link' && node.children.length === 1 && child?.type === 'text' && child.value === node.url
}

/** Returns the part of the tree in a piece. */
function partOf(message: Message, { start, end }: Piece): Root {
  let at = 0
  const take = (node: AnyNode): AnyNode[] => {
    if ('children' in node && !isBare(node)) {
      const isSeparated = node.type === 'root' || node.type === 'list'
      const children = node.children.flatMap((child, index) => {
        if (isSeparated && index > 0) at += 1
        return take(child)
      })
      return children.length > 0 ? [{ ...node, children } as AnyNode] : []
    }
    const from = at
    at += rowOf(message, node).length
    if (at <= start || from >= end) return []
    if (!('value' in node) || (from >= start && at <= end)) return [node]
    return [{ ...node, value: node.value.slice(Math.max(start - from, 0), end - from) }]
  }
  const [root] = take(message.tree)
  return root?.type === 'root' ? root : { type: 'root', children: [] }
}

function write(message: Message, piece: Piece): string {
  return stringify(partOf(message, piece)).replace(/[\0\p{Surrogate}]/gu, '\uFFFD')
}

function lengthOf(text: string): number {
  return [...text].length
}

function fits(message: Message, piece: Piece): boolean {
  return !isBlank(message, piece) && lengthOf(write(message, piece)) <= message.limit
}

/** Whether a piece shows something; other pieces are not sent. */
function isBlank(message: Message, piece: Piece): boolean {
  return !/[^\p{Z}\t\n\f\r]/u.test(write(message, piece))
}

/** Whether every character has the same formatting in the string as in the message. */
function isFaithful(message: Message, piece: Piece): boolean {
  const part = partOf(message, piece)
  return JSON.stringify(looksOf(part)) === JSON.stringify(looksOf(parse(stringify(part), { position: false })))
}

/** A visible character: not white space and not U+2063. */
export interface Look {
  /** The character, and its node, link and block. */
  what: string
  /** The formatting around the character. */
  formats: string
}

/** Returns the appearance of every character of a tree. */
export function looksOf(root: Root): Look[] {
  const looks: Look[] = []
  const look = (node: AnyNode, around: readonly string[], formats: readonly string[]): void => {
    if ('children' in node) {
      const isFormat = ['strong', 'emphasis', 'underline', 'delete'].includes(node.type)
      const field = node.type === 'link' ? node.url : node.type === 'heading' ? node.depth : ''
      for (const child of node.children) {
        if (isFormat) look(child, around, [...formats, node.type].sort())
        else look(child, [...around, `${node.type}${field}`], formats)
      }
      return
    }
    const fields = JSON.stringify({ ...node, value: '', position: undefined })
    for (const character of charactersOf(node)) {
      const what = `${character} ${fields} ${around.join(' ')}`.replace(
        /\\u0000|\\ud[89a-f][\da-f]{2}|[\0\p{Surrogate}]/gu,
        '\uFFFD',
      )
      looks.push({ what, formats: formats.join(' ') })
    }
  }
  look(root, [], [])
  return looks
}

function charactersOf(node: AnyNode): string[] {
  if (!('value' in node)) return node.type === 'break' ? [] : ['']
  // Split into characters first: otherwise two surrogates from different nodes would become one character.
  return [...node.value].filter((character) => !/[\p{Z}\s\u2063]/u.test(character))
}

/** Returns the pieces of the blocks, without white space at the ends of a text, unless the text is only white space. */
function piecesOfBlocks(message: Message): Piece[] {
  let at = 0
  return message.tree.children.map((block) => {
    const start = at
    at += rowOf(message, block).length + 1
    const end = at - 1
    if (block.type === 'code') return { start, end }
    const text = message.row.slice(start, end)
    const from = start + (/^[\p{Z}\t\n\f\r]*/u.exec(text)?.[0].length ?? 0)
    const to = start + (/[\p{Z}\t\n\f\r]*$/u.exec(text)?.index ?? 0)
    return from < to && isBoundary(message.row, from) ? { start: from, end: to } : { start, end }
  })
}

/**
 * Returns the pieces of a block. A piece that does not fit alone is cut into smaller ones; null if something never fits.
 *
 * @param around - the start of the headings that must fit together with its first piece
 */
function cutUp(message: Message, block: Piece, node: Block, around: number): Piece[] | null {
  const cut = (piece: Piece, rank: number): Piece[] | null => {
    const start = piece.start === block.start ? around : piece.start
    if (fits(message, { start, end: piece.end }) || isBlank(message, piece)) return [piece]
    const divide = ranks[rank]
    if (divide === undefined) return null
    // A grapheme is cut if it is too long, but not for a heading.
    if (rank === ranks.length - 1 && fits(message, piece)) return null
    const all: Piece[] = []
    for (const part of divide(message, piece, node)) {
      const pieces = cut(part, rank + 1)
      if (pieces === null) return null
      all.push(...pieces)
    }
    return all
  }
  return cut(block, 0)
}

type Divide = (message: Message, piece: Piece, block: Block) => Piece[]

const betweenLines = /[\p{Z}\t\n\f\r]*\n[\p{Z}\t\n\f\r]*/gu
const behindSentences =
  /(?<=[.!?…。！？]["')\]}’”»›」』）】》〉]*)[\p{Z}\t\n\f\r]+|(?<=[。！？][.!?…。！？"')\]}’”»›」』）】》〉]*)(?![.!?…。！？"')\]}’”»›」』）】》〉\p{Z}\t\n\f\r])/gu
const betweenWords = /[\p{Z}\t\n\f\r]+/gu
const betweenCodeWords = /(?<=\S[^\S\n]+)(?=\S)/g

/** The kinds of cuts, best first. */
const ranks: Divide[] = [
  (message, piece, { type }) => (type === 'code' ? linesOf(message, piece) : divide(message, piece, betweenLines)),
  (message, piece, { type }) => (type === 'code' ? [piece] : divide(message, piece, behindSentences)),
  (message, piece, { type }) => divide(message, piece, type === 'code' ? betweenCodeWords : betweenWords),
  (message, piece) => {
    const text = message.row.slice(piece.start, piece.end)
    const starts = Array.from(new Intl.Segmenter('en').segment(text), ({ index }) => piece.start + index)
    return starts.map((start, index) => ({ start, end: starts[index + 1] ?? piece.end }))
  },
  (message, piece) => {
    const pieces: Piece[] = []
    for (const char of message.row.slice(piece.start, piece.end)) {
      const start = pieces.at(-1)?.end ?? piece.start
      pieces.push({ start, end: start + char.length })
    }
    return pieces
  },
]

/** Returns the pieces between the matches. */
function divide({ row }: Message, piece: Piece, between: RegExp): Piece[] {
  const pieces: Piece[] = []
  let { start } = piece
  for (const { 0: gap, index } of row.slice(piece.start, piece.end).matchAll(between)) {
    const at = piece.start + index
    const next = at + gap.length
    if (at <= start || next >= piece.end || !isBoundary(row, next)) continue
    pieces.push({ start, end: at })
    start = next
  }
  return [...pieces, { start, end: piece.end }]
}

/** Returns the lines of code, empty ones too. The first and the last one have at least one character. */
function linesOf({ row }: Message, { start, end }: Piece): Piece[] {
  const lines: Piece[] = []
  let from = start
  for (let at = start + 1; at < end - 1; at += 1) {
    if (row[at] !== '\n' || !isBoundary(row, at + 1)) continue
    lines.push({ start: from, end: at })
    from = at + 1
  }
  return [...lines, { start: from, end }]
}

/** A combining mark is not separated from the white space before it. */
function isBoundary(row: string, at: number): boolean {
  const segments = Array.from(new Intl.Segmenter('en').segment(row.slice(Math.max(at - 1, 0))), ({ index }) => index)
  return at === 0 || segments.includes(1)
}

/** Finds the way to put the pieces into the fewest strings; among equals, the one whose earlier strings are fuller. */
function fewest(
  message: Message,
  pieces: readonly Piece[],
  heldEnds: ReadonlySet<number>,
  canBe: (string: Piece) => boolean,
): Piece[] | null {
  /** For each piece: the number of strings from it on, and the piece at the end of the first one. */
  const best: { count: number; last: number }[] = []
  best[pieces.length] = { count: 0, last: -1 }
  for (let first = pieces.length - 1; first >= 0; first -= 1) {
    best[first] = { count: Infinity, last: -1 }
    for (let last = first; last < pieces.length; last += 1) {
      const isHeld = last < pieces.length - 1 && heldEnds.has(pieces[last]?.end ?? -1)
      const string = { start: pieces[first]?.start ?? 0, end: pieces[last]?.end ?? 0 }
      const count = (isBlank(message, string) ? 0 : 1) + (best[last + 1]?.count ?? 0)
      const isSomething = string.end > string.start
      if (count <= (best[first]?.count ?? 0) && !isHeld && isSomething && canBe(string)) best[first] = { count, last }
    }
  }
  if (best[0]?.count === Infinity) return null
  const strings: Piece[] = []
  for (let first = 0; first < pieces.length; first = (best[first]?.last ?? 0) + 1) {
    const string = { start: pieces[first]?.start ?? 0, end: pieces[best[first]?.last ?? 0]?.end ?? 0 }
    if (!isBlank(message, string)) strings.push(string)
  }
  return strings
}

/** Splits a message with the package; returns null if it cannot fit and the error says so. */
export function attempt(split: typeof toBlocks, input: string, limits: LimitOptions): string[] | null {
  try {
    return split(input, limits)
  } catch (error) {
    if (error instanceof BlockmarkError && /^(?:blocks|body)\/(?:count|blank|too-long)$/.test(error.code)) return null
    throw error
  }
}
