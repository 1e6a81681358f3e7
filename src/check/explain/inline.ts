/** Why a character of a leaf is what it is (§3, §4). */
import { isSpace, traitsAt, URL_STOP } from '../../characters.js'
import { isEscapable, isEscaped } from '../../parse/escape.js'
import { BARE_LINK, BREAK, CODE, LABEL_URL, LINK, LINK_END, MENTION, RUN, TEXT } from '../../parse/leaf.js'
import { examineRun, type Run, STAR, UNDERSCORE } from '../../parse/run.js'
import type { AnyNode } from '../../tree.js'
import { rangeOf } from '../positions.js'
import { explainBeside } from './beside.js'
import { SPACES } from './block.js'
import { atOf, type Event, offsetOf, type ReadLeaf, type Told } from './leaf.js'
import { explainPartner } from './partner.js'

/** `read` is the leaf that holds the offset, and `path` the nodes around it. */
export function explainInline(input: string, offset: number, read: ReadLeaf, path: readonly AnyNode[]): Told[] {
  const { leaf, events } = read
  const at = atOf(leaf, offset)
  // A text's event holds the backslashes that were dropped before it, a link's its first bracket.
  const event = events.find(([kind, start, end, a]) => {
    return (kind === TEXT ? a : start) <= at && at < (kind === LINK ? start + 1 : end)
  })
  if (event === undefined) return []
  if (event[0] === BREAK && isSpace(input.charCodeAt(offset))) return [['§1', SPACES, offset, offset + 1]]
  return explainEvent(read, at, event, path).map(([section, message, start, end]) => {
    return [section, message, offsetOf(leaf, start), offsetOf(leaf, end)]
  })
}

type Words = readonly [section: string, message: string]

const WORDS: ReadonlyMap<number, Words> = /* @__PURE__ */ new Map<number, Words>([
  [BREAK, ['§3.7', 'A break.']],
  [CODE, ['§3.2', 'Inline code: nothing in it is read.']],
  [MENTION, ['§3.3', 'A mention: nothing in it is read.']],
  [BARE_LINK, ['§3.5', 'A bare link: markers in it are its own.']],
  [LABEL_URL, ['§3.5', 'Text: a url in the label of a link.']],
  [LINK, ['§3.4', 'Begins the label of a link.']],
  [LINK_END, ['§3.4', 'Ends the label of a link, before its url.']],
])

function explainEvent(read: ReadLeaf, at: number, event: Event, path: readonly AnyNode[]): Told[] {
  const [kind, start, end] = event
  const words = WORDS.get(kind)
  if (words !== undefined) return [[...words, start, end]]
  return kind === RUN ? explainRun(read, at, event, path) : explainText(read, at, event)
}

/** What of a run closes stands at its start, what opens at its end. */
function explainRun(read: ReadLeaf, at: number, event: Event, path: readonly AnyNode[]): Told[] {
  const [, start, end, a, b, count] = event
  if (a + count === 0) return explainPartner(read, event)
  const { leaf, matches } = read
  const run = examineRun(leaf.text, start, { start: 0, end: 0, after: 0 })
  let edge = start
  for (let match = b; match < b + 2 * count; match += 2) {
    const from = edge
    edge += matches[match] ?? 0
    if (at < edge) return explainMarker(read, run, from, edge, false, path)
  }
  // The newest match of an opener is its outermost, and so its leftmost.
  const sizes: number[] = []
  for (let match = a; match > 0; match = matches[match + 1] ?? 0) sizes.unshift(matches[match] ?? 0)
  edge = end
  for (const size of sizes) {
    edge -= size
    if (at >= edge) return explainMarker(read, run, edge, edge + size, true, path)
  }
  return [['§4', 'Left over: the rest of its run has found partners.', start, end]]
}

function explainMarker(
  { leaf }: ReadLeaf,
  { char, closes }: Run,
  start: number,
  end: number,
  opens: boolean,
  path: readonly AnyNode[],
): Told[] {
  const type = char === STAR ? (end - start > 1 ? 'strong' : 'emphasis') : char === UNDERSCORE ? 'underline' : 'delete'
  const verdict: Told = ['§4', opens ? `Opens ${type}.` : `Closes ${type}${closes ? '' : ', late'}.`, start, end]
  const edge = offsetOf(leaf, opens ? start : end)
  const isNode = path.some((node) => node.type === type && rangeOf(node)[opens ? 0 : 1] === edge)
  return isNode ? [verdict] : [verdict, ['§4', `Is one with the ${type} around or beside it.`, start, end]]
}

/** A character that belongs to no construct. */
function explainText({ leaf, events }: ReadLeaf, at: number, event: Event): Told[] {
  const { text } = leaf
  const char = text.charAt(at)
  const told = (section: string, message: string): Told[] => [[section, message, at, at + 1]]
  if (char === '\\') {
    return told('§3.1', 'Before `` ` * _ - [ ] < # : `` two are one, and one escapes; before others all are text.')
  }
  // A shrug is as if it were escaped.
  if (isEscapable(text.charCodeAt(at)) && isEscaped(text, at)) return told('§3.1', 'Text: it is escaped.')
  const link = events[events.indexOf(event) - 1]
  if (link?.[0] === BARE_LINK && !hasStop(text, link[2], at + 1)) return told('§3.5', 'Trimmed from the end of a url.')
  if ('*_-'.includes(char)) return explainBeside(leaf, at)
  if (char === '`') return told('§3.2', 'Text: no run of as many is left for it.')
  if ('[]'.includes(char)) {
    return told('§3.4', 'Text: a link is `[label](url)`; its label is not blank, its url has a scheme and no space.')
  }
  if (char === '<') {
    return told('§3.3', 'Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.')
  }
  const isUrl = /^https?:\/\//i.test(text.slice(at, at + 8))
  return isUrl ? told('§3.5', 'Text: a url begins behind no letter or number, and its host with one.') : []
}

/** Whether a character between the two ends a url. */
function hasStop(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((traitsAt(text, at) & URL_STOP) !== 0) return true
  return false
}
