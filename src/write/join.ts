/** What stands side by side, in normal form (§8): texts and formatting of a kind are one, and so is code; lines begin and end with something. */
import { isSpace } from '../characters.js'
import { BREAK, CLOSE, CODE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import type { Report } from './change.js'
import { guardLines } from './guard.js'
import { trimSpaces } from './space.js'
import { createGuard, TEXT, type Token } from './token.js'

interface Joining {
  readonly joined: Token[]
  /** Whether spaces or blank lines in formatting need a guard. */
  needsGuards: boolean
  readonly report: Report
  /** The formatting that is open, in a label afresh. */
  open: Token[]
  outerOpen: Token[]
}

/** The tokens of a leaf with what belongs together in one. */
export function joinTokens(tokens: Token[], report: Report): Token[] {
  if (isJoined(tokens)) return tokens
  const joining: Joining = { joined: [], needsGuards: false, report, open: [], outerOpen: [] }
  for (const token of tokens) addToken(joining, token)
  endLine(joining)
  // A break at the end, and spaces before it.
  const { joined } = joining
  for (let last = joined.at(-1); last?.type === BREAK; last = joined.at(-1)) {
    report(last.node, 'space')
    joined.pop()
    endLine(joining)
  }
  return joining.needsGuards ? guardLines(joined, report) : joined
}

/** Whether nothing is to be done, as in most leaves: the same tokens would come out. */
function isJoined(tokens: readonly Token[]): boolean {
  let last: Token | undefined
  for (const token of tokens) {
    const { type } = token
    if (type === TEXT) {
      if (last?.type === TEXT) return false
      if ((last === undefined || last.type === BREAK) && isSpace(token.value.charCodeAt(0))) return false
    } else if (type === BREAK) {
      if (last === undefined || last.type === BREAK || endsInSpace(last)) return false
    } else if ((type === CODE && last?.type === CODE) || (type === OPEN && last?.type === CLOSE)) return false
    last = token
  }
  return last === undefined || (last.type !== BREAK && !endsInSpace(last))
}

function endsInSpace({ type, value }: Token): boolean {
  return type === TEXT && isSpace(value.charCodeAt(value.length - 1))
}

function addToken(joining: Joining, token: Token): void {
  const { joined } = joining
  switch (token.type) {
    case TEXT:
      addText(joining, token)
      return
    case BREAK:
      addBreak(joining, token)
      return
    case OPEN:
      addOpener(joining, token)
      return
    case CODE:
      addCode(joining, token)
      return
    case CLOSE:
      joining.open.pop()
      break
    case LINK:
      joining.outerOpen = joining.open
      joining.open = []
      break
    case LINK_END:
      joining.open = joining.outerOpen
  }
  joined.push(token)
}

/** Spaces at a line's beginning are none of its text (§1), unless a guard stands before them. */
function addText(joining: Joining, token: Token): void {
  const { joined } = joining
  const last = joined.at(-1)
  if (last?.type === TEXT) {
    last.value += token.value
    return
  }
  const isFirst = last === undefined || last.type === BREAK
  trim(joining, token, isFirst, false)
  if (token.value !== '') joined.push(token)
}

function trim(joining: Joining, token: Token, atStart: boolean, atEnd: boolean): void {
  const value = trimSpaces(token.value, atStart, atEnd)
  if (value === token.value) return
  if (joining.open.length > 0) joining.needsGuards = true
  else {
    joining.report(token.node, 'space')
    token.value = value
  }
}

/** No line is blank. */
function addBreak(joining: Joining, token: Token): void {
  const { joined, report } = joining
  endLine(joining)
  const last = joined.at(-1)
  const isBlank = last === undefined || last.type === BREAK
  if (isBlank && joining.open.length > 0) joining.needsGuards = true
  if (isBlank && joining.open.length === 0) report(token.node, 'space')
  else joined.push(token)
}

/** Nor are the spaces at its end. */
function endLine(joining: Joining): void {
  const { joined } = joining
  const last = joined.at(-1)
  if (last?.type !== TEXT) return
  trim(joining, last, false, true)
  if (last.value === '') joined.pop()
}

/** Two of a kind side by side are one: the end of the first and the beginning of the second go. */
function addOpener({ joined, open, report }: Joining, token: Token): void {
  const last = joined.at(-1)
  if (last?.type !== CLOSE || last.delimiter !== token.delimiter || last.partner === null) {
    joined.push(token)
    open.push(token)
    return
  }
  const opener = last.partner
  const closer = token.partner
  joined.pop()
  open.push(opener)
  opener.partner = closer
  if (closer !== null) closer.partner = opener
  report(token.node, 'adjacent')
}

/**
 * Code directly behind code would be one run of backticks. In formatting a guard keeps the two apart; elsewhere they are one.
 */
function addCode({ joined, open, report }: Joining, token: Token): void {
  const last = joined.at(-1)
  const around = open.at(-1)?.delimiter
  if (last?.type !== CODE) joined.push(token)
  else if (around !== undefined && around !== null) {
    const [start, end] = createGuard(around, token.node)
    joined.push(start, token, end)
  } else {
    last.value += token.value
    report(token.node, 'adjacent')
  }
}
