/** Compares how the parser reads a written leaf with the tokens of that leaf. */
import { parseBlocks } from '../parse/blocks.js'
import * as Event from '../parse/events.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock } from '../parse/events.js'
import { parseLeaf } from '../parse/inline.js'
import { type ParseState, releaseState } from '../parse/state.js'
import { isEscapable, kindOf } from '../parse/units.js'
import { firstIndex } from '../search.js'
import { offsetOf } from './spell.js'
import { TEXT, type Token } from './token.js'

/** A character of a text token. */
export interface Character {
  readonly token: Token
  readonly offset: number
}

export interface Difference {
  /** Characters of text tokens that the parser read as markup. */
  readonly misread: Character[]
  /** Tokens that the parser did not find. */
  readonly missing: Token[]
}

/** The type of the leaf's block, and the marker before its content. */
export interface LeafKind {
  readonly block: Event.BlockType
  readonly prefix: string
}

/** Compares how the parser reads a source with the tokens that were written as this source. Returns null if they agree. */
export function compare(source: string, tokens: readonly Token[], kind: LeafKind): Difference | null {
  const state = parseBlocks(source, 1)
  let difference: Difference | null
  const leaf = leafOf(state, source, kind)
  if (leaf !== null) {
    parseLeaf(state, leaf)
    difference = compareEvents(state, tokens)
  } else difference = compareBlocks(state, tokens, kind)
  releaseState(state)
  return difference
}

/** Returns the only block of a source if it is a leaf of this kind without spaces around it, else null. */
function leafOf({ blocks }: ParseState, source: string, { block: type, prefix }: LeafKind): SourceBlock | null {
  const [block] = blocks
  if (block === undefined || blocks.length > 1 || block.type !== type) return null
  const { start, contentStart, end } = block
  return start === 1 && contentStart === prefix.length + 1 && end === source.length + 1 ? block : null
}

/** Returns the characters and the delimiters at the starts of the blocks that the parser found instead of the one leaf. */
function compareBlocks(state: ParseState, tokens: readonly Token[], { prefix }: LeafKind): Difference {
  const difference: Difference = { misread: [], missing: [] }
  for (const block of state.blocks) {
    const start = Math.max(block.start - 1, prefix.length)
    if (addLiteral(difference.misread, tokens, start)) continue
    const token = tokenAt(tokens, start)
    if (token?.type === Event.OPEN || token?.type === Event.CLOSE) difference.missing.push(token)
  }
  return difference
}

/** Compares the parser's events with the tokens in one pass over both. Returns null if they agree. */
function compareEvents(state: ParseState, tokens: readonly Token[]): Difference | null {
  const { events, eventsEnd } = state
  let difference: Difference | null = null
  const isOpenerMisread: boolean[] = []
  let event = nextEvent(events, eventsEnd, -EVENT_SIZE)
  let index = nextMarkup(tokens, -1)
  while (event < eventsEnd || index < tokens.length) {
    const token = tokens[index]
    const start = event < eventsEnd ? eventStart(events, event) - 1 : Infinity
    const tokenStart = token?.start ?? Infinity
    if (token !== undefined && tokenStart === start && agrees(events, event, token)) {
      if (token.type === Event.OPEN) isOpenerMisread.push(false)
      if (token.type === Event.CLOSE) isOpenerMisread.pop()
    } else {
      difference ??= { misread: [], missing: [] }
      if (token !== undefined && tokenStart <= start) difference.missing.push(token)
      if (start <= tokenStart) addMisread(difference.misread, tokens, state, event, isOpenerMisread)
    }
    if (start <= tokenStart) event = nextEvent(events, eventsEnd, event)
    if (tokenStart <= start) index = nextMarkup(tokens, index)
  }
  return difference
}

/** Returns the next event that is markup. Other events, for example dropped backslashes, are part of text. */
function nextEvent(events: Int32Array, eventsEnd: number, from: number): number {
  let event = from + EVENT_SIZE
  while (event < eventsEnd && isTextEvent(eventType(events, event))) event += EVENT_SIZE
  return event
}

function isTextEvent(type: number): boolean {
  return type === Event.INERT || (type >= Event.LABEL_URL && type <= Event.LESS_THAN_SIGN)
}

function nextMarkup(tokens: readonly Token[], from: number): number {
  let index = from + 1
  while (tokens[index]?.type === TEXT) index += 1
  return index
}

/** Whether an event agrees with the token at the same position. */
function agrees(events: Int32Array, event: number, { type, end, delimiter }: Token): boolean {
  if (eventType(events, event) !== type || eventEnd(events, event) - 1 !== end) return false
  if (type !== Event.OPEN && type !== Event.CLOSE) return true
  return delimiter !== null && eventA(events, event) === kindOf(delimiter.char.charCodeAt(0), delimiter.length)
}

/**
 * Adds the characters of text tokens that the parser read as the markup of an event. `isOpenerMisread` has an entry for each open
 * formatting: true if its opening delimiter is such text. The closing delimiter of this formatting needs no escape.
 */
function addMisread(
  misread: Character[],
  tokens: readonly Token[],
  { events, source }: ParseState,
  event: number,
  isOpenerMisread: boolean[],
): void {
  const type = eventType(events, event)
  const start = eventStart(events, event) - 1
  switch (type) {
    case Event.OPEN:
    case Event.CLOSE:
    case Event.CANCELED: {
      let isMisread = type === Event.CLOSE && isOpenerMisread.pop() === true
      const end = isMisread ? start : eventEnd(events, event) - 1
      for (let position = start; position < end; position += 1)
        isMisread = addLiteral(misread, tokens, position) || isMisread
      if (type === Event.OPEN) isOpenerMisread.push(isMisread)
      break
    }
    case Event.BARE_LINK:
      addLiteral(misread, tokens, source.indexOf(':', start))
      break
    case Event.LINK_END:
    case Event.BREAK:
      break
    default:
      addLiteral(misread, tokens, start)
  }
}

/** Adds the character at a position if it is in a text token and can be escaped. Returns true if it was added. */
function addLiteral(characters: Character[], tokens: readonly Token[], position: number): boolean {
  const token = textTokenAt(tokens, position)
  if (token === undefined) return false
  const offset = offsetOf(token, position)
  if (!isEscapable(token.value.charCodeAt(offset))) return false
  characters.push({ token, offset })
  return true
}

/** Returns the text token at a position in the source. */
function textTokenAt(tokens: readonly Token[], position: number): Token | undefined {
  const token = tokenAt(tokens, position)
  return token?.type === TEXT && position < token.end ? token : undefined
}

/** Returns the last token that starts at or before a position in the source. */
function tokenAt(tokens: readonly Token[], position: number): Token | undefined {
  return tokens[firstIndex(tokens.length, (index) => (tokens[index]?.start ?? 0) > position) - 1]
}
