/**
 * What is done before Markdown is parsed, so that no input takes longer than a reader would wait: the parser's time grows
 * with the square of a block's delimiters and of a line's quote marks. What is too much is disguised as letters, by
 * characters of Unicode's private use, and gets its own characters back in the tree; its place in the source stays.
 */
import type { Nodes, Root } from 'mdast'
import type { Position } from '../tree.js'

/** A leaf block with more characters, or with more delimiters, is plain text. */
const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
/** What all blocks together may take: four of the worst, each with the square of its delimiters. */
const WORK_MAX: number = 4 * DELIMITERS_MAX ** 2
/** Markers in front of one line; far more than are shown. */
const MARKERS_MAX = 64

export interface Bounded {
  /** The same, of the same length; what is disguised in it is none of Markdown's. */
  readonly markdown: string
  /** The blocks that are plain text. */
  readonly plain: readonly Position[]
  /** Gives a parsed tree its own characters back. */
  readonly restore: (tree: Root) => void
}

/**
 * Disguises what would take too long.
 *
 * @param markdown - any string
 * @param parseBlocks - parses blocks and leaves what is in them text, which takes linear time
 * @returns null where no character is left to disguise with
 */
export function bound(markdown: string, parseBlocks: (markdown: string) => Root): Bounded | null {
  const harmless: Bounded = { markdown, plain: [], restore: () => undefined }
  const hasMarkers = markerRunsOf(markdown).length > 0
  if (!hasMarkers && isHarmless(markdown)) return harmless
  const base = freeBase(markdown)
  if (base === null) return null
  const shallow = hasMarkers ? markdown.replace(MARKERS, (markers) => capMarkers(markers, base)) : markdown
  const plain = isHarmless(shallow) ? [] : leavesOf(parseBlocks(shallow)).filter(exceeding(shallow))
  return { markdown: hideAll(shallow, plain, base), plain, restore: (tree) => restoreAll(tree, base) }
}

/** Blocks that contain others begin with them: `> - 1. > text`. */
const MARKERS = /^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm
const MARKER = />|[*+-]|\d{1,9}[.)]/g

function markerRunsOf(markdown: string): string[] {
  const runs = markdown.match(MARKERS) ?? []
  return runs.filter((markers) => markers.length > MARKERS_MAX && (markers.match(MARKER)?.length ?? 0) > MARKERS_MAX)
}

function capMarkers(markers: string, base: number): string {
  let count = 0
  return markers.replace(MARKER, (marker) => {
    count += 1
    return count > MARKERS_MAX ? hide(marker, base) : marker
  })
}

/** Looks at lines between blank lines, each of which holds one leaf block or several. */
function isHarmless(markdown: string): boolean {
  const exceeds = exceedingText()
  let [start, end] = [0, 0]
  for (const { 0: ending, index } of markdown.matchAll(/(?:\r\n|\n|\r)(?=[ \t]*(?:[\r\n]|$))|$/g)) {
    end = index
    if (exceeds(markdown.slice(start, end))) return false
    start = end + ending.length
  }
  return true
}

/** Whether a leaf block is too much, those before it considered. */
function exceeding(markdown: string): (leaf: Position) => boolean {
  const exceeds = exceedingText()
  return ({ start, end }) => exceeds(markdown.slice(start.offset, end.offset))
}

function exceedingText(): (text: string) => boolean {
  let work = 0
  return (text) => {
    const delimiterCount = text.match(/[*_~[\]<`]/g)?.length ?? 0
    if (text.length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX) return true
    if (work + delimiterCount ** 2 > WORK_MAX) return true
    work += delimiterCount ** 2
    return false
  }
}

/** The blocks that hold phrasing, in the order of the source; a table is one of them as long as it is not parsed. */
function leavesOf(tree: Root): Position[] {
  const leaves: Position[] = []
  const open: Nodes[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isLeaf = node.type === 'paragraph' || node.type === 'heading'
    if (isLeaf && node.position !== undefined) leaves.push(node.position)
    else if ('children' in node) for (const child of node.children.toReversed()) open.push(child)
  }
  return leaves
}

function hideAll(markdown: string, plain: readonly Position[], base: number): string {
  let hidden = ''
  let at = 0
  for (const { start, end } of plain) {
    hidden += markdown.slice(at, start.offset) + hide(markdown.slice(start.offset, end.offset), base)
    at = end.offset ?? at
  }
  return hidden + markdown.slice(at)
}

/** ASCII punctuation, and white space where it would mean an indentation or a break. */
function hide(text: string, base: number): string {
  const hidden = /[!-/:-@[-`{-~]|^[ \t]+|[ \t]+$/gm
  return text.replace(hidden, (part) => part.replace(/./g, (char) => String.fromCharCode(base + char.charCodeAt(0))))
}

/** The first of 128 characters of private use in a row that do not occur. */
function freeBase(markdown: string): number | null {
  const taken = new Set<number>()
  for (const [character] of markdown.matchAll(/[\uE000-\uF8FF]/g)) taken.add((character.charCodeAt(0) - 0xe000) >> 7)
  for (let block = 0; block < 50; block += 1) if (!taken.has(block)) return 0xe000 + (block << 7)
  return null
}

function restoreAll(tree: Root, base: number): void {
  const hidden = new RegExp(`[${String.fromCharCode(base)}-${String.fromCharCode(base + 127)}]`, 'g')
  const shown = (text: string): string =>
    text.replace(hidden, (character) => String.fromCharCode(character.charCodeAt(0) - base))
  const open: Nodes[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === 'string' && name !== 'type') Reflect.set(node, name, shown(value))
    }
    if ('children' in node) open.push(...node.children)
  }
}
