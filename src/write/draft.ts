/**
 * The draft of a leaf: its source without any escape, with the marks that are meant as markup and the ranges that are
 * meant as text. This file puts it together piece by piece; `compose.ts` walks the tree.
 *
 * What is written takes the normal form of §4, and loses what no source can say: white space moves out of markers,
 * neighbours of a kind are one, `_` and `-` end before a break and begin again behind it.
 */
import { type Formatting, isBareLink, type Link } from '../tree.js'
import { starsBetweenCodes, writeCode } from './constructs.js'
import {
  BREAK,
  CLOSE,
  CODE,
  delimiters,
  HEADING_1,
  HEADING_2,
  ITEM,
  kindOf,
  LINK,
  LINK_END,
  MARK_IN_TEXT,
  MARK_SIZE,
} from './marks.js'
import { linesOf } from './space.js'

/** Why a node can not be written as it stands. */
export type Change =
  | 'adjacent'
  | 'break'
  | 'character'
  | 'edge'
  | 'empty'
  | 'info'
  | 'nested'
  | 'order'
  | 'place'
  | 'reference'
  | 'space'
  | 'url'

export type Report = (node: object, change: Change) => void

export interface Draft {
  /** The source without escapes. */
  text: string
  /** What is meant as markup, as `marks.ts` lists it; and of each mark the node that it is of. */
  readonly marks: number[]
  readonly nodes: object[]
  /** Formatting that has become one with formatting before it: each, and the first of them, in their order. */
  readonly joined: (readonly [node: object, first: object])[]
  /** Where text starts and ends. */
  readonly literals: number[]
  /** All of it that is text, in a row, with something between where a mark stands. */
  words: string
}

/** A draft that is being made. */
export interface Composer extends Draft {
  readonly leaf: object
  readonly report: Report
  readonly exceptions: LeafNode['exceptions']
  /** Where the leaf's own text starts. */
  readonly start: number
  sequence: Sequence
  /** White space that has been read and not been written: what follows says where it stands. */
  space: string
  /** A code span that has been read and not been written: the next one may join it. */
  code: string | null
  codeNode: object
  /** Links whose label has come to be their url and nothing else, so that they would be read as bare ones. */
  readonly likeBare: Link[]
}

/** One sequence of text: the leaf's, or that of a link's label. */
interface Sequence {
  /** The formatting that is open, and where it opened; the last `ended` have ended, and wait for what follows. */
  readonly open: Formatting[]
  readonly starts: number[]
  ended: number
  /** Formatting that has begun and holds nothing yet. */
  pending: Formatting[]
  /** Of a label: where it starts, its text, and the sequence that its link is in. */
  readonly start: number
  text: string
  readonly outer: Sequence | null
}

/** What a draft is of, and whether code behind code becomes one with it. */
export interface LeafNode {
  readonly type: LeafType
  readonly node: object
  readonly exceptions: { readonly joinsCode: boolean } | null
}

export type LeafType = 'paragraph' | 'heading1' | 'heading2' | 'listItem'

/** What a leaf begins with, and the kind of that mark. */
export const prefixes: Readonly<Record<LeafType, readonly [source: string, kind: number]>> = {
  paragraph: ['', HEADING_1],
  heading1: ['# ', HEADING_1],
  heading2: ['## ', HEADING_2],
  listItem: ['* ', ITEM],
}

export function startDraft({ type, node: leaf, exceptions }: LeafNode, report: Report): Composer {
  const [prefix, kind] = prefixes[type]
  const composer: Composer = {
    text: '',
    marks: [],
    nodes: [],
    joined: [],
    literals: [],
    words: '',
    leaf,
    report,
    exceptions,
    start: prefix.length,
    sequence: startSequence(0, null),
    space: '',
    code: null,
    codeNode: leaf,
    likeBare: [],
  }
  if (prefix !== '') addMark(composer, leaf, prefix, kind, 0)
  return composer
}

/** Ends the draft; null if there is nothing to be seen in it. */
export function endDraft(composer: Composer): Draft | null {
  endFormatting(composer)
  addSpace(composer, true)
  const isEmpty = composer.literals.length === 0 && (composer.marks[2] ?? HEADING_1) >= HEADING_1
  return isEmpty && composer.marks.length <= MARK_SIZE ? null : composer
}

function startSequence(start: number, outer: Sequence | null): Sequence {
  return { open: [], starts: [], ended: 0, pending: [], start, text: '', outer }
}

/** Enters formatting, unless it is inside another of its kind: whether it counts. */
export function open(composer: Composer, node: Formatting): boolean {
  const { sequence, report } = composer
  const { open, ended, pending } = sequence
  const live = open.length - ended
  for (let at = 0; at < live + pending.length; at += 1) {
    if ((at < live ? open[at] : pending[at - live])?.type !== node.type) continue
    report(node, 'nested')
    return false
  }
  if (ended > 0 && composer.space === '' && pending.length === 0 && open[live]?.type === node.type) {
    report(node, 'adjacent')
    composer.joined.push([node, open[live] ?? node])
    sequence.ended -= 1
  } else pending.push(node)
  return true
}

export function close(composer: Composer, node: Formatting): void {
  const { sequence, space, report } = composer
  if (sequence.pending.pop() !== undefined) report(node, 'empty')
  else {
    if (space !== '') report(node, 'space')
    sequence.ended += 1
  }
}

export function openLink(composer: Composer, node: Link): void {
  flush(composer)
  const start = composer.text.length
  addMark(composer, node, '[', LINK, start)
  composer.sequence = startSequence(start, composer.sequence)
}

export function closeLink(composer: Composer, node: Link, target: string): void {
  const { sequence } = composer
  const { start, outer } = sequence
  endFormatting(composer)
  addSpace(composer)
  const isUrl = composer.marks.at(-2) === LINK && sequence.text === node.url
  if (isUrl && !isBareLink(node)) composer.likeBare.push(node)
  composer.text += `](${target}`
  addMark(composer, node, ')', LINK_END, start)
  composer.sequence = outer ?? composer.sequence
}

/** White space that belongs where what follows it stands. */
export function addWhiteSpace(composer: Composer, node: object, space: string): void {
  if (composer.sequence.pending.length > 0) composer.report(node, 'space')
  composer.space += space
}

/** Text without white space at its ends and without line endings. */
export function addText(composer: Composer, value: string): void {
  flush(composer)
  addLiteral(composer, value)
}

export function addCode(composer: Composer, node: object, value: string): void {
  const { code, space, sequence } = composer
  if (code !== null && space === '' && sequence.ended === 0 && sequence.pending.length === 0) {
    const stars = composer.exceptions?.joinsCode ? '' : starsBetweenCodes(sequence.open)
    if (stars === '') {
      composer.report(node, 'adjacent')
      composer.code = code + value
      return
    }
    composer.text += stars
    endCode(composer)
    composer.text += stars
  }
  flush(composer)
  composer.code = value
  composer.codeNode = node
}

/** A mention or a bare link. */
export function addAtom(composer: Composer, node: object, source: string, kind: number): void {
  flush(composer)
  addMark(composer, node, source, kind, composer.text.length)
}

/** Writes what waits for what follows: ends, white space, beginnings. */
function flush(composer: Composer): void {
  endFormatting(composer)
  const { sequence, space, report } = composer
  const { open, pending } = sequence
  if (space !== '') {
    const at = space.includes('\n') ? open.findIndex(({ type }) => type === 'underline' || type === 'delete') : -1
    if (at >= 0) {
      // `_` and `-` never match across a break (§4).
      const split = open.slice(at)
      for (const node of split) report(node, 'break')
      sequence.ended = split.length
      endFormatting(composer)
      sequence.pending = [...split, ...pending]
    }
    addSpace(composer)
  }
  for (const node of sequence.pending) {
    const start = composer.text.length
    addMark(composer, node, delimiters[node.type], kindOf(node.type), start)
    open.push(node)
    sequence.starts.push(start)
  }
  sequence.pending.length = 0
}

function endFormatting(composer: Composer): void {
  endCode(composer)
  const { sequence } = composer
  const { open, starts } = sequence
  for (; sequence.ended > 0; sequence.ended -= 1) {
    const node = open.pop()
    if (node === undefined) return
    addMark(composer, node, delimiters[node.type], CLOSE + kindOf(node.type), starts.pop() ?? 0)
  }
}

function endCode(composer: Composer): void {
  const { code, codeNode } = composer
  if (code === null) return
  composer.code = null
  addMark(composer, codeNode, writeCode(code), CODE, composer.text.length)
}

/** Writes the white space that waits; none where a line begins or ends. */
function addSpace(composer: Composer, isEnd = false): void {
  const { space, text } = composer
  if (space === '') return
  composer.space = ''
  const isStart = text.length === composer.start
  if (!isStart && !isEnd && !space.includes('\n')) {
    addLiteral(composer, space)
    return
  }
  const lines = linesOf(space, isStart, isEnd)
  if (lines.join('\n') !== space) composer.report(composer.leaf, 'space')
  for (const [index, line] of lines.entries()) {
    if (index > 0) addMark(composer, composer.leaf, '\n', BREAK, composer.text.length)
    addLiteral(composer, line)
  }
}

function addLiteral(composer: Composer, value: string): void {
  if (value === '') return
  const { literals, text, sequence } = composer
  composer.text = text + value
  // Of its own, since an engine copies all of a text that grows each time it is read.
  if (sequence.outer !== null) sequence.text += value
  composer.words += value
  if (literals.at(-1) === text.length) literals[literals.length - 1] = composer.text.length
  else literals.push(text.length, composer.text.length)
}

function addMark(composer: Composer, node: object, source: string, kind: number, partner: number): void {
  composer.text += source
  composer.marks.push(composer.text.length - source.length, composer.text.length, kind, partner)
  composer.nodes.push(node)
  composer.words += MARK_IN_TEXT
}
