/**
 * Where a draft can be spelled in more than one way, and in which. A run may have more stars than its nodes need, and
 * formatting may stand in another of its kind, where it is none (§4); a character that is text may be without its
 * backslash, for what it does to the markup around it.
 */
import { isLowSurrogate, LETTER, traitsAt, traitsBefore } from '../characters.js'
import { DASH, STAR, UNDERSCORE } from '../parse/run.js'
import type { Draft } from './draft.js'
import { countBelow, escapablePlaces, partsOf } from './escapes.js'
import { CLOSE, DELETE, EMPHASIS, HEADING_1, isOfStars, LINK, LINK_END, MARK_SIZE, STRONG, UNDERLINE } from './marks.js'
import type { Stars } from './sections.js'
import { SPARES_MAX } from './stars.js'

/** The ways to spell a draft: its slots, and the source before the first and behind each of them. */
export interface Ways {
  readonly slots: readonly Slot[]
  readonly lead: string
  readonly rests: readonly string[]
}

export interface Slot extends Stars {
  /** What can stand here, first what the draft has. */
  readonly choices: readonly Choice[]
  /** What is meant where the next slot begins, or null where that can not be said of the source so far. */
  readonly next: Expected | null
}

/** One way to spell what stands in a slot. */
export interface Choice {
  readonly source: string
  /** Its stars without a backslash: where they start, how many they are, and how many of them are text. */
  readonly starsAt: number
  readonly stars: number
  readonly loose: number
  /** Whether it is a character that is text and has no backslash. */
  readonly isBare: boolean
}

/** What is open of `_` and `-`, and how often formatting of them has been closed. */
export interface Expected {
  readonly isUnderlined: boolean
  readonly isDeleted: boolean
  readonly closers: number
}

// What is around a character: a bit for each kind of formatting, and one for a label, in which nothing is spelled anew.
const LABEL = 1 << LINK
const STARRED = (1 << STRONG) | (1 << EMPHASIS)
const FORMATTED = STARRED | (1 << UNDERLINE) | (1 << DELETE)

// What a character is meant as.
const MARKUP = 0
const STARS = 1
const TEXT = 2

/** A draft character by character. */
interface Outline {
  readonly meanings: Uint8Array
  /** What is around each character; a delimiter stands where it leads. */
  readonly around: Uint16Array
  /** Where markup can begin or end that has a slot beside it. */
  readonly edges: ReadonlySet<number>
  /** Where formatting of `_` or `-` ends. */
  readonly closers: readonly number[]
}

/** All the ways to spell a draft that may be worth a try. */
export function waysOf(draft: Draft): Ways {
  const { text } = draft
  const outline = outlineOf(draft)
  const escapable = new Set(escapablePlaces(draft))
  const places: Omit<Slot, 'next'>[] = []
  for (let at = 0; at < text.length; ) {
    const run = runAt(draft, outline, at)
    if (run !== null) places.push(run)
    else {
      addGap(places, draft, outline, at)
      if (escapable.has(at) && !isInLabel(outline, at)) places.push(literalAt(draft, outline, at))
    }
    at = run === null ? at + 1 : run.end
  }
  const source = partsOf(draft)
  const slots = places.map((place, index) => {
    return { ...place, next: expectedAt(draft, outline, places[index + 1]?.start ?? text.length) }
  })
  return {
    slots,
    lead: source(0, slots[0]?.start ?? text.length),
    rests: slots.map(({ end }, index) => source(end, slots[index + 1]?.start ?? text.length)),
  }
}

function outlineOf({ text, marks, literals }: Draft): Outline {
  const meanings = new Uint8Array(text.length).fill(STARS)
  for (let at = 0; at < literals.length; at += 2) meanings.fill(TEXT, literals[at], literals[at + 1])
  const around = new Uint16Array(text.length)
  const edges = new Set<number>()
  const closers: number[] = []
  let open = 0
  let at = 0
  for (let mark = 0; mark < marks.length; mark += MARK_SIZE) {
    const [start = 0, end = 0, kind = 0] = marks.slice(mark, mark + MARK_SIZE)
    around.fill(open, at, end)
    // What is neither text nor a mark is the url of a link, or spare stars.
    if (kind === LINK_END) meanings.fill(MARKUP, at, start)
    if (!(kind < LINK && isOfStars(kind))) meanings.fill(MARKUP, start, end)
    at = end
    if ((open & LABEL) !== 0 && kind !== LINK_END) continue
    if (kind < CLOSE) open |= 1 << kind
    else if (kind < LINK) open &= ~(1 << (kind - CLOSE))
    around.fill(open, start, end)
    if (kind === LINK) open |= LABEL
    else if (kind === LINK_END) open &= ~LABEL
    if (kind < LINK && !isOfStars(kind)) {
      edges.add(kind < CLOSE ? end : start)
      if (kind >= CLOSE) closers.push(start)
    } else if (kind >= LINK && kind < HEADING_1 && kind !== LINK_END) edges.add(start).add(end)
  }
  around.fill(open, at)
  return { meanings, around, edges, closers }
}

function isInLabel({ around }: Outline, at: number): boolean {
  return ((around[at] ?? 0) & LABEL) !== 0
}

/** Whether the character is a star that is not part of other markup. */
function isStar({ text }: Draft, outline: Outline, at: number): boolean {
  return text.charCodeAt(at) === STAR && outline.meanings[at] !== MARKUP && !isInLabel(outline, at)
}

/** Stars side by side, of markup and of text. */
function runAt(draft: Draft, outline: Outline, start: number): Omit<Slot, 'next'> | null {
  const { meanings, around } = outline
  let end = start
  let needed = 0
  for (; isStar(draft, outline, end); end += 1) if (meanings[end] === STARS) needed += 1
  if (end === start) return null
  const loose = end - start - needed
  const inside = (around[start - 1] ?? 0) & (around[end - 1] ?? 0)
  const choices =
    needed === 0 ? waysOfText(loose, inside) : waysOfRun(needed, textAround(meanings, start, loose), inside)
  return { start, end, ...starsAround(around[end - 1] ?? 0), choices }
}

/** How many stars of text stand before a run, and how many behind it. */
function textAround(meanings: Uint8Array, start: number, loose: number): readonly [before: number, behind: number] {
  let before = 0
  while (before < loose && meanings[start + before] === TEXT) before += 1
  return [before, loose - before]
}

/** Stars that are text: with backslashes, without, and beside stars that do nothing. */
function waysOfText(loose: number, inside: number): Choice[] {
  const choices = [starsChoice(loose, '', 0), starsChoice(0, '*'.repeat(loose), 0, loose)]
  if (loose > 1) choices.push(starsChoice(1, '*'.repeat(loose - 1), 0, loose - 1))
  for (const more of sparesIn(inside)) {
    choices.push(starsChoice(0, '*'.repeat(more), loose), starsChoice(loose, '*'.repeat(more), 0))
    choices.push(starsChoice(0, '*'.repeat(loose + more), 0, loose))
  }
  return choices
}

/** A run: with more stars, with a delimiter beside it that does nothing, and with the text around it among its stars. */
function waysOfRun(needed: number, [before, behind]: readonly [number, number], inside: number): Choice[] {
  const run = '*'.repeat(needed)
  const more = Array.from({ length: SPARES_MAX + 1 }, (_, count) => run + '*'.repeat(count))
  const choices = more.map((stars) => starsChoice(before, stars, behind))
  for (const delimiter of redundant(inside)) {
    choices.push(starsChoice(before, delimiter + run, behind), starsChoice(before, run + delimiter, behind))
  }
  const loose = before + behind
  if (loose > 0) for (const stars of more) choices.push(starsChoice(0, stars + '*'.repeat(loose), 0, loose))
  return choices
}

/**
 * A run with escaped stars on both sides.
 *
 * @param loose - how many stars of the run are text
 */
function starsChoice(before: number, run: string, behind: number, loose = 0): Choice {
  return {
    source: '\\*'.repeat(before) + run + '\\*'.repeat(behind),
    starsAt: before * 2 + Math.max(run.indexOf('*'), 0),
    stars: run.replaceAll(/[^*]/g, '').length,
    loose,
    isBare: false,
  }
}

/** A place in formatting where more of it can begin or end: beside markup, and in text where not both sides are letters. */
function addGap(places: Omit<Slot, 'next'>[], draft: Draft, outline: Outline, at: number): void {
  const { text } = draft
  const { meanings, around, edges } = outline
  const inside = (around[at - 1] ?? 0) & (around[at] ?? 0)
  if ((inside & FORMATTED) === 0 || isInLabel(outline, at - 1) || isInLabel(outline, at)) return
  if (isStar(draft, outline, at - 1)) return
  const isInText =
    meanings[at - 1] === TEXT &&
    meanings[at] === TEXT &&
    (traitsBefore(text, at) & traitsAt(text, at) & LETTER) === 0 &&
    !isLowSurrogate(text.charCodeAt(at))
  if (!isInText && !edges.has(at)) return
  const spares = [0, ...sparesIn(inside)].map((stars) => '*'.repeat(stars))
  const choices = [...spares, ...redundant(inside)].map((run) => starsChoice(0, run, 0))
  places.push({ start: at, end: at, ...starsAround(inside), choices })
}

/** How many stars can stand in formatting and change nothing; strong takes two. */
function sparesIn(inside: number): readonly number[] {
  switch (inside & STARRED) {
    case 0:
      return []
    case 1 << STRONG:
      return [2, 4, 6]
    case 1 << EMPHASIS:
      return [1, 2, 3]
    default:
      return [1, 2, 3, 4, 5, 6]
  }
}

function redundant(inside: number): readonly string[] {
  const delimiters: string[] = []
  if ((inside & (1 << UNDERLINE)) !== 0) delimiters.push('_')
  if ((inside & (1 << DELETE)) !== 0) delimiters.push('-')
  return delimiters
}

/** A character that is text, and that an escape could keep from being markup. */
function literalAt({ text }: Draft, { around }: Outline, at: number): Omit<Slot, 'next'> {
  const char = text.charAt(at)
  const bare: Choice = { source: char, starsAt: 0, stars: 0, loose: 0, isBare: true }
  const escaped: Choice = { ...bare, source: `\\${char}`, isBare: false }
  return { start: at, end: at + 1, ...starsAround(around[at] ?? 0), choices: [escaped, bare] }
}

function starsAround(around: number): { isStrong: boolean; isEmphasis: boolean } {
  return { isStrong: (around & (1 << STRONG)) !== 0, isEmphasis: (around & (1 << EMPHASIS)) !== 0 }
}

/** What is meant at a place; null in a label, and behind a delimiter, which what follows decides about. */
function expectedAt({ text }: Draft, { meanings, around, closers }: Outline, at: number): Expected | null {
  const open = around[at - 1] ?? 0
  const code = text.charCodeAt(at - 1)
  const isOpenEnded = meanings[at - 1] !== TEXT && (code === UNDERSCORE || code === DASH || code === STAR)
  if ((open & LABEL) !== 0 || isOpenEnded) return null
  return {
    isUnderlined: (open & (1 << UNDERLINE)) !== 0,
    isDeleted: (open & (1 << DELETE)) !== 0,
    closers: countBelow(closers, at),
  }
}
