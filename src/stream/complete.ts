/**
 * How a leaf that is still being typed would go on if it ended well (§3, §4): what of it is left out as half typed, and
 * what has to follow so that everything that is open ends. All is asked of the parser, by showing it the leaf with
 * different endings.
 */
import { isEscaped } from '../parse/escape.js'
import { delimitersAtEnd } from '../parse/inline.js'
import { EVENT_SIZE, type Leaf, RUN, TEXT } from '../parse/leaf.js'
import { findBrackets } from '../parse/link.js'
import { leafOf } from '../parse/part.js'
import { type Run, STAR } from '../parse/run.js'
import { breakOff, type Parts } from './break-off.js'
import { offsetWithin, trimEnd, without, withSpaces } from './text.js'

/** What shows of a leaf's text, and what is to be written behind it. */
export interface Completion {
  /** The text shows up to here. */
  end: number
  /** Brackets before `end` that wait for the rest of their link, and those of them that a space has to stand for. */
  hidden: readonly number[]
  spaced: readonly number[]
  /** Ends all that is open; of what this makes itself nothing is to be shown. */
  ending: string
  /** Whether it makes the last bracket a link's: only the label shows, as if no link were around it. */
  makesLink: boolean
}

/** Stands before a closing delimiter: whatever is before it, behind a mention it can close, and a word is there. */
const WORD = '<@1>'

/**
 * Completes a leaf.
 *
 * @param text - its text, without spaces at its end
 * @param behind - the spaces and the line ending between it and what comes next
 * @returns how it would go on; a second way if a bracket is open, of which nobody knows yet whether it begins a link
 */
export function complete(text: string, behind: string): Completion[] {
  if (!/[*_\-`\\[<]/.test(text)) return [{ end: text.length, hidden: [], spaced: [], ending: '', makesLink: false }]
  const parts = breakOff(text, behind)
  const label = parts.target === '' ? findLabel(text, parts) : { start: -1, parts }
  const asText = completeText(text, label.parts)
  return label.start < 0 ? [asText] : [completeLabel(text, label), asText]
}

function completeText(text: string, { textEnd, end, ending, target, isBroken }: Parts): Completion {
  const before = text.slice(0, textEnd)
  const next = ending === '' ? target : '`'
  const { hidden, spaced } = waitingBrackets(before, next)
  const rest = without(withSpaces(before, spaced), hidden)
  const isCode = textEnd < end
  const shown = isCode ? rest : shownOf(rest, isBroken)
  const closers = closersOf(openersOf(shown, next), target === '' && !isCode && endsInMark(shown))
  const textShows = shown === '' ? 0 : offsetWithin(hidden, shown.length)
  return { end: isCode ? end : textShows, hidden, spaced, ending: ending + target + closers, makesLink: false }
}

interface Label {
  /** Where the bracket stands that it would begin with, -1 if there is none. */
  start: number
  /** The leaf, without what stands behind the label. */
  parts: Parts
}

/** The label that the text breaks off in if the last open bracket with more than marks behind it begins one. */
function findLabel(text: string, parts: Parts): Label {
  const { open, dead } = findBrackets(leafOf(text.slice(0, parts.textEnd), parts.ending))
  let label = parts
  for (const start of open.slice(dead).reverse()) {
    if (label.ending !== '' || /[^*_\-\s]/.test(text.slice(start + 1, label.textEnd))) return { start, parts: label }
    label = { ...label, textEnd: start, end: start, isBroken: true }
  }
  return { start: -1, parts: label }
}

/** As if the label and its link ended well. Its delimiters are its own (§4). */
function completeLabel(text: string, { start, parts }: Label): Completion {
  const { textEnd, end, ending, isBroken } = parts
  const { hidden, spaced } = waitingBrackets(text.slice(0, start), '[')
  const outside = without(withSpaces(text.slice(0, start), spaced), hidden)
  const label = text.slice(start, textEnd)
  const isCode = textEnd < end
  const shown = isCode ? label : shownOf(label, isBroken)
  const closers = closersOf(openersOf(shown, isCode ? '`' : ''), !isCode && endsInMark(shown))
  const outerClosers = closersOf(openersOf(outside, '['), false)
  return {
    end: isCode ? end : start + shown.length,
    hidden,
    spaced,
    ending: `${ending}${closers}](xx:)${outerClosers}`,
    makesLink: true,
  }
}

/** What of a text shows at whose end marks may be half typed, and then those before them: `_**`. */
function shownOf(text: string, isBroken: boolean): string {
  let end = text.length
  for (let looks = isBroken ? 2 : 0; looks > 0; looks -= 1) end = startOfMarkers(text.slice(0, end))
  return trimEnd(text.slice(0, end))
}

function endsInMark(text: string): boolean {
  return /[*_\-\\]$/.test(text)
}

/** The brackets that may still become a link's, where `rest` stands behind the text: it counts for the last of them. */
function waitingBrackets(text: string, rest: string): Pick<Completion, 'hidden' | 'spaced'> {
  const { open, dead } = findBrackets(leafOf(text, rest))
  const all = text + rest
  const [hidden, spaced]: [number[], number[]] = [[], []]
  let start = -1
  for (const [i, at] of open.entries()) {
    if (i < dead) continue
    if (all[at - 1] !== '[' || open[i - 1] !== at - 1 || start < 0) start = at
    // Without the last of them, what stands on both sides would be one run.
    const [before, behind] = [all[start - 1] ?? '', all[at + 1]]
    if (before === behind && '*_-`'.includes(before)) spaced.push(at)
    else hidden.push(at)
  }
  return { hidden, spaced }
}

/** Where the delimiters begin at the end of the text that what follows may make markup of. */
function startOfMarkers(text: string): number {
  let start = text.length
  while (start > 0 && '*_-'.includes(text[start - 1] ?? ' ')) start -= 1
  if (start === text.length) return start
  if (isEscaped(text, start)) start += 1
  // As it is where a word follows.
  const leaf = leafOf(text, 'a')
  const open = new Set(openersOfLeaf(leaf).map(({ char }) => char))
  const last = leaf.tapeEnd - EVENT_SIZE
  const isText = leaf.tape[last] === TEXT || leaf.tape[last] === RUN
  if (!isText && (leaf.tape[last + 2] ?? 0) > start) return text.length
  while (start < text.length) {
    const char = text.charCodeAt(start)
    let end = start + 1
    while (text.charCodeAt(end) === char) end += 1
    // Longer runs of `_` and `-` are text.
    if (char === STAR || (end - start === 1 && open.has(char))) return start
    start = end
  }
  return start
}

/** The runs that are open at the end of a text that `next` follows, the outermost first. */
function openersOf(text: string, next: string): readonly Run[] {
  return openersOfLeaf(leafOf(text, next))
}

function openersOfLeaf(leaf: Leaf): readonly Run[] {
  const runs: Run[] = []
  for (const head of delimitersAtEnd(leaf)?.heads ?? []) {
    for (let run = head; run !== null; run = run.below) runs.push(run)
  }
  return runs.sort((one, other) => one.event - other.event)
}

/** What closes the runs, the innermost first. Before a bracket no run opens, and no white space parts it from a word (§4). */
function closersOf(openers: readonly Run[], isSpaced: boolean): string {
  if (openers.length === 0) return ''
  return (
    (isSpaced ? ' ' : '') +
    openers
      .map((run) => WORD + closerOf(run))
      .reverse()
      .join(')')
  )
}

function closerOf({ char, length, remaining, isInWord, closes }: Run): string {
  let count = isInWord ? remaining & ~1 : remaining
  // The rule of three (§4.8).
  if (closes && count % 3 > 0 && (length + count) % 3 === 0) count += 1
  return String.fromCharCode(char).repeat(count)
}
