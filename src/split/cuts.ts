/** Finds split points in the text of blocks, and ranks them. */
import {
  ALPHANUMERIC,
  lengthBefore,
  PUNCTUATION,
  traitsAt,
  traitsBefore,
  UNSPACED,
  WHITE_SPACE,
} from '../characters.js'
import { type FlatText, indexAt, type Range } from './flat-text.js'

/** A split point: the part before it ends at `end`, the part after it begins at `start`, and only white space is between. */
export interface Cut extends Range {
  readonly rank: number
}

/** Ranks, from the best split points to the worst. */
export const BLOCK = 0
const LINE = 1
const SENTENCE = 2
const WORD = 3
/** The rank of split points between words of a script without spaces. */
export const UNSPACED_WORD = 4
export const GRAPHEME = 5
/** Split points after or inside a heading, if a string must not end with a heading: between words, and between graphemes. */
export const HEADING = 6
export const HEADING_GRAPHEME = 7
/** The rank of split points between code points, used only inside a grapheme that is too long. */
export const CODE_POINT = 8

/** Returns the split points between blocks, lines or items, sentences and words, in order. */
export function cutsOf(flat: FlatText, holdsHeadings: boolean): Cut[] {
  const cuts: Cut[] = []
  let [last, rank] = [0, BLOCK]
  for (const block of flat.blocks) {
    const { start, end } = trimmedRange(flat.text, block)
    cuts.push({ end: last, start, rank })
    const first = cuts.length
    if (block.node.type === 'code') addCodeCuts(cuts, flat.text, { start, end })
    else addTextCuts(cuts, flat.text, { start, end })
    last = end
    rank = holdsHeadings && block.node.type === 'heading' ? HEADING : BLOCK
    if (rank === HEADING) cuts.push(...cuts.splice(first).map((cut) => ({ ...cut, rank })))
  }
  return [...cuts, { end: last, start: flat.text.length, rank }]
}

/** Returns the range of a block without the white space at its ends. In code, white space is content. */
function trimmedRange(text: string, { start, end, node }: FlatText['blocks'][number]): Range {
  let [from, to] = [start, end]
  if (node.type !== 'code') {
    while (from < to && isWhiteSpace(text, from)) from += 1
    while (from < to && isWhiteSpace(text, to - 1)) to -= 1
  }
  return from < to && isBoundary(text, from) ? { start: from, end: to } : { start, end }
}

function isWhiteSpace(text: string, at: number): boolean {
  return (traitsAt(text, at) & WHITE_SPACE) !== 0
}

const SENTENCE_ENDS = '.!?…。！？'
/** Characters that end a sentence without a space after it. */
const WIDE_ENDS = '。！？'
/** Characters after the end of a sentence that belong to it. */
const CLOSERS = '"\')]}’”»›」』）】》〉'

function addTextCuts(cuts: Cut[], text: string, { start, end }: Range): void {
  // `\s` matches every character that `isWhiteSpace` accepts.
  const candidates = /[\s。！？]/g
  for (let at = start; at < end; ) {
    candidates.lastIndex = at
    const from = candidates.exec(text)?.index ?? end
    let rank = WORD
    for (at = from; at < end && isWhiteSpace(text, at); at += 1) if (text[at] === '\n') rank = LINE
    if (at > from) {
      if (rank === WORD && endsSentence(text, start, from)) rank = SENTENCE
      if (from > start && at < end && isBoundary(text, at)) cuts.push({ end: from, start: at, rank })
      continue
    }
    at += 1
    if (!isOneOf(WIDE_ENDS, text, from)) continue
    while (at < end && (isOneOf(SENTENCE_ENDS, text, at) || isOneOf(CLOSERS, text, at))) at += 1
    if (at < end && !isWhiteSpace(text, at) && isBoundary(text, at)) cuts.push({ end: at, start: at, rank: SENTENCE })
  }
}

function endsSentence(text: string, start: number, end: number): boolean {
  let at = end - 1
  while (at > start && isOneOf(CLOSERS, text, at)) at -= 1
  return isOneOf(SENTENCE_ENDS, text, at)
}

function isOneOf(set: string, text: string, at: number): boolean {
  return set.includes(text.charAt(at))
}

/**
 * Adds the split points in code. A split between lines removes only the line ending, because the closing fence adds one. Spaces
 * between words and at the start of a line stay.
 */
function addCodeCuts(cuts: Cut[], text: string, { start, end }: Range): void {
  const gaps = /\n|(?<=\S)[^\S\n]+/g
  for (const { 0: gap, index } of text.slice(start, end).matchAll(gaps)) {
    const cut = { start: start + index + gap.length, end: start + index }
    if (cut.start === end || index === 0 || !isBoundary(text, cut.start)) continue
    if (gap === '\n') cuts.push({ ...cut, rank: LINE })
    else cuts.push({ ...cut, end: cut.start, rank: WORD })
  }
}

/** The character that represents a node that is never cut. It is always a separate grapheme. */
export const UNSPLIT_NODE = '\uFFFC'

/** Whether a grapheme begins at `at`. A combining mark, for example, belongs to the character before it. */
function isBoundary(text: string, at: number): boolean {
  if (text[at] === UNSPLIT_NODE || (traitsAt(text, at) & (ALPHANUMERIC | PUNCTUATION)) !== 0) return true
  return at === 0 || graphemesOf(text.slice(at - 1, at + 2)).containing(1)?.index === 1
}

let segmenter: Intl.Segmenter | undefined

export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und')
  return segmenter.segment(text)
}

/** Maximum number of split points up to `at` that `graphemeCuts` returns. */
const CUTS_BEFORE_MAX = 3

/** Returns the split points between graphemes in a range: the last ones up to `at`, and the next one or `end`. */
export function graphemeCuts({ text }: FlatText, { start, end }: Range, at: number): Cut[] {
  const segments = graphemesOf(text.slice(start, end))
  const cuts: Cut[] = []
  let segment = segments.containing(at - start)
  if (segment !== undefined) cuts.push(cutAt(start + segment.index + segment.segment.length, GRAPHEME))
  for (let count = 0; segment !== undefined && segment.index > 0 && count < CUTS_BEFORE_MAX; count += 1) {
    cuts.unshift(cutAt(start + segment.index, GRAPHEME))
    segment = segments.containing(segment.index - 1)
  }
  return cuts
}

/** Whether a text has characters from the ranges in which scripts without spaces are. */
export function mayBeUnspaced(text: string): boolean {
  return /[\u0E00-\u1FFF\u2E80-\uD7FF\uD840-\uD8BF\uF900-\uFFDC]/.test(text)
}

let wordSegmenter: Intl.Segmenter | undefined
/** Number of code units before and after an offset in which words are searched for. */
const WORD_SEARCH_LENGTH = 64

/** Returns the split points near `at`, in a range, between words of a script without spaces; none before a comma or a period. */
export function unspacedCuts({ text }: Pick<FlatText, 'text'>, { start, end }: Range, at: number): Cut[] {
  const from = Math.max(start, at - WORD_SEARCH_LENGTH)
  const textAround = text.slice(from, Math.min(end, at + WORD_SEARCH_LENGTH))
  if (!mayBeUnspaced(textAround)) return []
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return Array.from(wordSegmenter.segment(textAround)).flatMap(({ index, isWordLike }): Cut[] => {
    const cut = from + index
    const isUnspaced = ((traitsBefore(text, cut) | traitsAt(text, cut)) & UNSPACED) !== 0
    const isBetween = index > 0 && isWordLike === true && !isWhiteSpace(text, cut - 1) && isUnspaced
    return isBetween && isBoundary(text, cut) ? [cutAt(cut, UNSPACED_WORD)] : []
  })
}

/** Returns the split points between code points in a range, except inside nodes that are never cut. */
export function codePointCuts({ text, spans }: FlatText, { start, end }: Range): Cut[] {
  const cuts: Cut[] = []
  for (let at = start + 1; at < end; at += 1) {
    const span = spans[indexAt(spans, at - 1)]
    if (lengthBefore(text, at + 1) === 1 && !(span?.isWhole && at < span.end)) cuts.push(cutAt(at, CODE_POINT))
  }
  return cuts
}

function cutAt(at: number, rank: number): Cut {
  return { end: at, start: at, rank }
}
