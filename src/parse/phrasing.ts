/**
 * From the tape of a leaf to the nodes of §5, in the normal form of §4: formatting inside another of its kind stands
 * for its children, and two of a kind side by side are one.
 *
 * Both are decided as the tape goes by. A node that ends stays open until something follows it: if that is another
 * of its kind, the end and the start cancel each other. So nothing is built twice, and the depth is bounded by the
 * four kinds around a link and the four in its label.
 */
import type { Phrasing, PhrasingWithoutLink, Point, Position } from '../tree.js'
import { codeValue } from './code.js'
import { resolveEscapes, resolveEscapesInUrl } from './escape.js'
import type { Inline } from './inline.js'
import { BARE_LINK, BREAK, CODE, EVENT_SIZE, LABEL_URL, LINK, LINK_END, MENTION, TEXT } from './leaf.js'
import { endOfID, labelOf } from './mention.js'
import { lineEndingOf, type Places, pointOf, positionOf } from './places.js'
import { STAR, UNDERSCORE } from './run.js'

const FORMATTING = ['strong', 'emphasis', 'underline', 'delete'] as const
const LINK_FRAME = 4

/** A node that is open: what it will be, its children so far from `base` of the pile on, and where it stands. */
interface Frame {
  kind: number
  base: number
  start: Point | null
  url: string
  end: number
}

/** What is being built. One object serves every leaf. */
export interface Builder {
  text: string
  /** Null where positions are switched off. */
  places: Places | null
  /** The nodes whose parent is still open, the innermost parent's last. */
  pile: Phrasing[]
  pileEnd: number
  frames: Frame[]
  depth: number
  /** How many of the innermost frames have ended, and wait for what follows. */
  ended: number
  /** How often each kind of formatting is open around here; and outside while a label is read. */
  open: Int32Array
  openOutside: Int32Array
  /** Text that is no node yet: `value`, then the leaf's text from `sliceStart` to `sliceEnd`. */
  value: string
  sliceStart: number
  sliceEnd: number
  /** Where the source of that text begins, -1 if there is none. */
  textStart: number
}

export function createBuilder(): Builder {
  return {
    text: '',
    places: null,
    pile: [],
    pileEnd: 0,
    frames: [],
    depth: 0,
    ended: 0,
    open: new Int32Array(4),
    openOutside: new Int32Array(4),
    value: '',
    sliceStart: 0,
    sliceEnd: 0,
    textStart: -1,
  }
}

/** The nodes of the leaf that was read last. */
export function buildPhrasing(builder: Builder, inline: Inline): Phrasing[] {
  const { tape, tapeEnd, text } = inline.leaf
  builder.text = text
  if (builder.places !== null) builder.places.line = 0
  for (let at = 0; at < tapeEnd; at += EVENT_SIZE) {
    const start = tape[at + 1] ?? 0
    const end = tape[at + 2] ?? 0
    switch (tape[at]) {
      case TEXT:
        addText(builder, start, end, tape[at + 3] ?? 0)
        break
      case CODE:
        addCode(builder, start, end, tape[at + 3] ?? 0)
        break
      case MENTION:
        addMention(builder, start, end)
        break
      case BARE_LINK:
        addBareLink(builder, start, end)
        break
      case LABEL_URL:
        addValue(builder, resolveEscapes(text, start, end), start, end)
        break
      case LINK:
        startLink(builder, start, end, tape[at + 3] ?? 0)
        break
      case LINK_END:
        endLink(builder, end)
        break
      case BREAK:
        addBreak(builder, start)
        break
      default:
        addRun(builder, inline, at)
    }
  }
  settle(builder)
  const children = take(builder, 0)
  builder.text = ''
  return children
}

/** Text from `start` to `end`, whose source begins at `sourceStart`. */
function addText(builder: Builder, start: number, end: number, sourceStart: number): void {
  if (builder.ended > 0) settle(builder)
  if (builder.textStart < 0) {
    builder.textStart = sourceStart
    builder.sliceStart = start
  } else if (builder.sliceEnd !== start) {
    builder.value += builder.text.slice(builder.sliceStart, builder.sliceEnd)
    builder.sliceStart = start
  }
  builder.sliceEnd = end
}

/** Text that is not a slice of the leaf. */
function addValue(builder: Builder, value: string, start: number, end: number): void {
  addText(builder, end, end, start)
  builder.value += value
}

function addNode(builder: Builder, node: Phrasing): void {
  builder.pile[builder.pileEnd] = node
  builder.pileEnd += 1
}

function endText(builder: Builder): void {
  const { textStart, sliceEnd, places } = builder
  if (textStart < 0) return
  const slice = builder.text.slice(builder.sliceStart, sliceEnd)
  const value = builder.value === '' ? slice : builder.value + slice
  builder.value = ''
  builder.textStart = -1
  addNode(
    builder,
    places === null
      ? { type: 'text', value }
      : { type: 'text', value, position: positionOf(places, textStart, sliceEnd) },
  )
}

function addCode(builder: Builder, start: number, end: number, backticks: number): void {
  settle(builder)
  const value = codeValue(builder.text.slice(start + backticks, end - backticks))
  const { places } = builder
  addNode(
    builder,
    places === null
      ? { type: 'inlineCode', value }
      : { type: 'inlineCode', value, position: positionOf(places, start, end) },
  )
}

function addMention(builder: Builder, start: number, end: number): void {
  settle(builder)
  const { text, places } = builder
  const idEnd = endOfID(text, start + 2)
  const userID = text.slice(start + 2, idEnd)
  const label = labelOf(text, idEnd, end)
  addNode(
    builder,
    places === null
      ? { type: 'mention', userID, label }
      : { type: 'mention', userID, label, position: positionOf(places, start, end) },
  )
}

function addBareLink(builder: Builder, start: number, end: number): void {
  settle(builder)
  const { places } = builder
  const url = resolveEscapes(builder.text, start, end)
  if (places === null) {
    addNode(builder, { type: 'link', url, title: null, children: [{ type: 'text', value: url }] })
    return
  }
  const position = positionOf(places, start, end)
  const inner = { start: { ...position.start }, end: { ...position.end } }
  addNode(builder, {
    type: 'link',
    url,
    title: null,
    children: [{ type: 'text', value: url, position: inner }],
    position,
  })
}

function addBreak(builder: Builder, start: number): void {
  settle(builder)
  const { places } = builder
  addNode(builder, places === null ? { type: 'break' } : { type: 'break', position: lineEndingOf(places, start) })
}

/** What a delimiter run ends, what of it is text, and what it starts, from left to right. */
function addRun(builder: Builder, inline: Inline, event: number): void {
  const { tape } = inline.leaf
  const { matches } = inline.delimiters
  const char = builder.text.charCodeAt(tape[event + 1] ?? 0)
  let at = tape[event + 1] ?? 0
  let match = tape[event + 4] ?? 0
  for (let count = tape[event + 5] ?? 0; count > 0; count -= 1) {
    const size = matches[match] ?? 0
    at += size
    match += 2
    endFormatting(builder, kindOf(char, size), at)
  }
  // The newest match of an opener is its outermost, and so its leftmost.
  const newest = tape[event + 3] ?? 0
  let openStart = tape[event + 2] ?? 0
  for (match = newest; match > 0; match = matches[match + 1] ?? 0) openStart -= matches[match] ?? 0
  if (at < openStart) addText(builder, at, openStart, at)
  for (match = newest; match > 0; match = matches[match + 1] ?? 0) {
    const size = matches[match] ?? 0
    startFormatting(builder, kindOf(char, size), openStart)
    openStart += size
  }
}

function kindOf(char: number, size: number): number {
  if (char === STAR) return size === 2 ? 0 : 1
  return char === UNDERSCORE ? 2 : 3
}

function startFormatting(builder: Builder, kind: number, start: number): void {
  const count = builder.open[kind] ?? 0
  builder.open[kind] = count + 1
  if (count > 0) return
  if (builder.ended > 0 && builder.frames[builder.depth - builder.ended]?.kind === kind) {
    builder.ended -= 1
    return
  }
  settle(builder)
  startFrame(builder, kind, start)
}

function endFormatting(builder: Builder, kind: number, end: number): void {
  const count = (builder.open[kind] ?? 0) - 1
  builder.open[kind] = count
  if (count > 0) return
  builder.ended += 1
  const frame = builder.frames[builder.depth - builder.ended]
  if (frame !== undefined) frame.end = end
}

function startLink(builder: Builder, start: number, end: number, labelEnd: number): void {
  settle(builder)
  const frame = startFrame(builder, LINK_FRAME, start)
  frame.url = resolveEscapesInUrl(builder.text, labelEnd + 2, end - 1)
  builder.openOutside.set(builder.open)
  builder.open.fill(0)
}

function endLink(builder: Builder, end: number): void {
  settle(builder)
  builder.open.set(builder.openOutside)
  endFrame(builder, end)
}

function startFrame(builder: Builder, kind: number, start: number): Frame {
  const { frames, depth, places } = builder
  let frame = frames[depth]
  if (frame === undefined) {
    frame = { kind: 0, base: 0, start: null, url: '', end: 0 }
    frames[depth] = frame
  }
  frame.kind = kind
  frame.base = builder.pileEnd
  frame.start = places === null ? null : pointOf(places, start)
  builder.depth = depth + 1
  return frame
}

/** Makes a node of the innermost frame. */
function endFrame(builder: Builder, end: number): void {
  builder.depth -= 1
  const frame = builder.frames[builder.depth]
  if (frame === undefined) return
  const { places } = builder
  const children = take(builder, frame.base)
  if (places === null || frame.start === null) addNode(builder, nodeOf(frame, children))
  else addNode(builder, placedNodeOf(frame, children, { start: frame.start, end: pointOf(places, end) }))
}

function nodeOf(frame: Frame, children: Phrasing[]): Phrasing {
  const type = FORMATTING[frame.kind]
  if (type !== undefined) return { type, children }
  return { type: 'link', url: frame.url, title: null, children: withoutLinks(children) }
}

function placedNodeOf(frame: Frame, children: Phrasing[], position: Position): Phrasing {
  const type = FORMATTING[frame.kind]
  if (type !== undefined) return { type, children, position }
  return { type: 'link', url: frame.url, title: null, children: withoutLinks(children), position }
}

/** No link stands in a label: `link.ts` does not pair the brackets around one. */
function withoutLinks(children: Phrasing[]): PhrasingWithoutLink[] {
  return children as PhrasingWithoutLink[]
}

/** Ends the text and the nodes that have ended. */
function settle(builder: Builder): void {
  endText(builder)
  for (; builder.ended > 0; builder.ended -= 1) {
    endFrame(builder, builder.frames[builder.depth - 1]?.end ?? 0)
  }
}

/** Takes the nodes from `base` on off the pile. */
function take(builder: Builder, base: number): Phrasing[] {
  const { pile, pileEnd } = builder
  builder.pileEnd = base
  return pile.slice(base, pileEnd)
}
