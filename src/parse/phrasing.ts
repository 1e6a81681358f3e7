/**
 * From the tape of a leaf to its nodes, in the normal form of §4: formatting inside another of its kind stands for its
 * children, and two of a kind side by side are one.
 *
 * Both are decided as the tape goes by. A node that ends stays open until something follows it: if that is another
 * of its kind, the end and the start cancel each other. So nothing is given away twice, and the depth is bounded by
 * the four kinds around a link and the four in its label.
 */
import { codeValue } from './code.js'
import { isEscapable, isEscapableInUrl, resolveEscapes } from './escape.js'
import { BARE_LINK, BREAK, CODE, EVENT_SIZE, LABEL_URL, type Leaf, LINK, MENTION, RUN, TEXT } from './leaf.js'
import { referenceAt } from './mention.js'
import type { Output } from './output.js'
import { STAR, UNDERSCORE } from './run.js'

/** The kinds of formatting, by the number of the counter that each has. */
const FORMATTING = ['strong', 'emphasis', 'underline', 'delete'] as const
type Kind = 0 | 1 | 2 | 3

// One set serves every leaf.
/** How often each kind is open. */
const open: [number, number, number, number] = [0, 0, 0, 0]
/** The nodes that are open, each once, and where those of them end that have ended. */
const kinds: Kind[] = [0, 0, 0, 0, 0, 0, 0, 0]
const ends: number[] = [0, 0, 0, 0, 0, 0, 0, 0]

interface Phrasing {
  readonly leaf: Leaf
  readonly output: Output
  /** How often each kind is open around here; and outside, while a label is read. */
  open: [number, number, number, number]
  openOutside: [number, number, number, number]
  /** How many of `kinds` are open; the last `ended` of them have ended, and wait for what follows. */
  depth: number
  ended: number
  /** Text that has not been given away: `value`, then the leaf's text from `sliceStart` to `sliceEnd`. */
  value: string
  sliceStart: number
  sliceEnd: number
  /** Where the source of that text begins, -1 if there is none. */
  textStart: number
}

/** Gives away what the tape holds. */
export function writePhrasing(leaf: Leaf, output: Output): void {
  const phrasing: Phrasing = {
    leaf,
    output,
    open,
    openOutside: open,
    depth: 0,
    ended: 0,
    value: '',
    sliceStart: 0,
    sliceEnd: 0,
    textStart: -1,
  }
  // A leaf ends what it begins, unless its output threw, as it does when a string becomes longer than an engine allows.
  for (let kind: Kind = 0; kind < 4; kind += 1) open[kind] = 0
  for (let event = 0; event < leaf.tapeEnd; event += EVENT_SIZE) writeEvent(phrasing, event)
  settle(phrasing)
}

function writeEvent(phrasing: Phrasing, event: number): void {
  const { leaf, output } = phrasing
  const { tape, text } = leaf
  const start = tape[event + 1] ?? 0
  const end = tape[event + 2] ?? 0
  const a = tape[event + 3] ?? 0
  const kind = tape[event]
  if (kind !== TEXT && kind !== LABEL_URL && kind !== RUN) settle(phrasing)
  switch (kind) {
    case TEXT:
      addText(phrasing, start, end, a)
      break
    case LABEL_URL:
      addText(phrasing, end, end, start)
      phrasing.value += resolveEscapes(text, start, end, isEscapable)
      break
    case RUN:
      writeRun(phrasing, event)
      break
    case CODE:
      output.inlineCode(codeValue(text.slice(start + a, end - a)), start, end)
      break
    case MENTION: {
      const { id, label } = referenceAt(text, start, end)
      output.mention(id, label, start, end)
      break
    }
    case BARE_LINK:
      output.bareLink(resolveEscapes(text, start, end, isEscapable), start, end)
      break
    case BREAK:
      output.break(start)
      break
    case LINK:
      output.open('link', start, resolveEscapes(text, a + 2, end - 1, isEscapableInUrl))
      phrasing.openOutside = phrasing.open
      phrasing.open = [0, 0, 0, 0]
      break
    default:
      output.close('link', end)
      phrasing.open = phrasing.openOutside
  }
}

/** Text from `start` to `end`, whose source begins at `sourceStart`. */
function addText(phrasing: Phrasing, start: number, end: number, sourceStart: number): void {
  if (phrasing.ended > 0) settle(phrasing)
  if (phrasing.textStart < 0) {
    phrasing.textStart = sourceStart
    phrasing.sliceStart = start
  } else if (phrasing.sliceEnd !== start) {
    phrasing.value += phrasing.leaf.text.slice(phrasing.sliceStart, phrasing.sliceEnd)
    phrasing.sliceStart = start
  }
  phrasing.sliceEnd = end
}

/** What a delimiter run ends, what of it is text, and what it starts, from left to right. */
function writeRun(phrasing: Phrasing, event: number): void {
  const { tape, text, matches } = phrasing.leaf
  let at = tape[event + 1] ?? 0
  const char = text.charCodeAt(at)
  let match = tape[event + 4] ?? 0
  for (let count = tape[event + 5] ?? 0; count > 0; count -= 1) {
    const size = matches[match] ?? 0
    at += size
    match += 2
    end(phrasing, kindOf(char, size), at)
  }
  // The newest match of an opener is its outermost, and so its leftmost.
  const newest = tape[event + 3] ?? 0
  let openStart = tape[event + 2] ?? 0
  for (match = newest; match > 0; match = matches[match + 1] ?? 0) openStart -= matches[match] ?? 0
  if (at < openStart) addText(phrasing, at, openStart, at)
  for (match = newest; match > 0; match = matches[match + 1] ?? 0) {
    const size = matches[match] ?? 0
    start(phrasing, kindOf(char, size), openStart)
    openStart += size
  }
}

function kindOf(char: number, size: number): Kind {
  if (char === STAR) return size === 2 ? 0 : 1
  return char === UNDERSCORE ? 2 : 3
}

function start(phrasing: Phrasing, kind: Kind, at: number): void {
  const { open } = phrasing
  open[kind] += 1
  if (open[kind] > 1) return
  if (phrasing.ended > 0 && kinds[phrasing.depth - phrasing.ended] === kind) {
    phrasing.ended -= 1
    return
  }
  settle(phrasing)
  kinds[phrasing.depth] = kind
  phrasing.depth += 1
  phrasing.output.open(FORMATTING[kind], at, '')
}

function end(phrasing: Phrasing, kind: Kind, at: number): void {
  const { open } = phrasing
  open[kind] -= 1
  if (open[kind] > 0) return
  phrasing.ended += 1
  ends[phrasing.depth - phrasing.ended] = at
}

/** Gives away the text, then the ends that nothing has cancelled. */
function settle(phrasing: Phrasing): void {
  const { output, textStart, sliceEnd } = phrasing
  if (textStart >= 0) {
    const slice = phrasing.leaf.text.slice(phrasing.sliceStart, sliceEnd)
    output.text(phrasing.value === '' ? slice : phrasing.value + slice, textStart, sliceEnd)
    phrasing.value = ''
    phrasing.textStart = -1
  }
  for (; phrasing.ended > 0; phrasing.ended -= 1) {
    phrasing.depth -= 1
    output.close(FORMATTING[kinds[phrasing.depth] ?? 0], ends[phrasing.depth] ?? 0)
  }
}
