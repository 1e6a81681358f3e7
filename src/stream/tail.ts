/** The rest of a message that is still being written, as it would look if it ended well. */
import { backticksOf } from '../parse/blocks.js'
import { parse, read } from '../parse/index.js'
import { EVENT_SIZE, type Leaf, LINK, LINK_END } from '../parse/leaf.js'
import { createLines, endPoint, LINE_SIZE, readLine } from '../parse/lines.js'
import { writePhrasing } from '../parse/phrasing.js'
import { TreeOutput } from '../parse/tree-output.js'
import type { AnyNode, Point, Root } from '../tree.js'
import { type Completion, complete } from './complete.js'
import { LeafFinder } from './leaf-finder.js'
import { eachPosition, type Origin, offsetOf, place } from './place.js'
import { offsetWithin, without, withSpaces } from './text.js'

/** What has not settled. */
export interface Rest {
  /** Where it begins. */
  readonly origin: Origin
  /** The lines of the open block that have ended, and the one that has not. */
  readonly lines: string
  readonly line: string
  /** How many backticks the fence has that is open, 0 without one. */
  readonly fence: number
}

/** A source that was changed so that it ends well, and what leads back to the one that was given. */
interface Ended {
  readonly source: string
  /** Behind here it is made up. */
  readonly end: number
  /** Offsets in what was given that were left out. */
  readonly hidden: readonly number[]
  /** Whether the last link is made up: only its label shows. */
  readonly makesLink: boolean
}

/** What a mention, a file, a heading or an item may go on with; shown are those that need no other line to be known. */
const BLOCK_RESTS: readonly string[] = [' x', 'x', '>', '|>', '1|>', '!1|>']

/** The tree of the rest. Its nodes stand where they do in the whole source; what waits for its end ends where the source does. */
export function readTail(rest: Rest): Root {
  const given = rest.lines + rest.line
  const source = isHalfTyped(rest) ? rest.lines : given
  const ways = (rest.fence > 0 ? [plain(source)] : endWell(source, rest)).map((ended) => ({
    ended,
    tree: treeOf(ended),
  }))
  const best = ways.reduce((best, way) => (marksIn(way.tree) < marksIn(best.tree) ? way : best))
  return put(best.tree, best.ended, given, rest.origin)
}

function treeOf(ended: Ended): Root {
  const tree = parse(ended.source)
  if (ended.makesLink) unlink(tree, ended)
  cut(tree, ended.end)
  return tree
}

/** How many marks show as text. */
function marksIn(tree: Root): number {
  let count = 0
  const open: AnyNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'text') count += node.value.match(/[*_-]/g)?.length ?? 0
    if ('children' in node) for (const child of node.children) open.push(child)
  }
  return count
}

function plain(source: string): Ended {
  return { source, end: source.length, hidden: [], makesLink: false }
}

/** Whether the last line is the beginning of one that is no text, and not yet enough of it. */
function isHalfTyped({ line, fence }: Rest): boolean {
  const lines = createLines(line)
  if (!readLine(lines) || lines.textStart === lines.textEnd) return false
  if (fence > 0) return backticksOf(lines) > 0 && backticksOf(lines) < fence
  const text = line.slice(lines.textStart, lines.textEnd)
  // All but a file is so short; most lines are not even asked about.
  if (!text.startsWith('<') && text.replace(/[ \t]+/g, '').length > 2) return false
  return typeOf(text) === 'paragraph' && BLOCK_RESTS.some((rest) => typeOf(text + rest) !== 'paragraph')
}

function typeOf(line: string): string | undefined {
  return parse(line, { position: false }).children[0]?.type
}

/** Ends the leaf at the end of the source, if it has not ended; the ways in which it may. */
function endWell(source: string, { lines }: Rest): Ended[] {
  const finder = new LeafFinder()
  read(source, finder)
  const { leaf, type } = finder
  // A heading and an item end with their line.
  if (leaf === null || (type !== 'paragraph' && (leaf.lines[0] ?? 0) < lines.length)) return [plain(source)]
  const text = leaf.text.slice(leaf.start, leaf.end)
  const completions = complete(text, source.slice(sourceEnds(leaf, [text.length])[0]))
  return completions.map((completion) => endAs(completion, source, leaf, finder))
}

function endAs(
  { end, hidden, spaced, ending, makesLink }: Completion,
  source: string,
  leaf: Leaf,
  finder: LeafFinder,
): Ended {
  if (end === 0) return plain(source.slice(0, leaf.lines[0]))
  const offsetsOf = (all: readonly number[]): number[] => {
    const lengths = all.filter((at) => at < end).map((at) => at + 1)
    return sourceEnds(leaf, lengths).map((at) => at - 1)
  }
  const hiddenInSource = offsetsOf(hidden)
  const shownSource = withSpaces(source.slice(0, sourceEnds(leaf, [end])[0]), offsetsOf(spaced))
  const shown = without(shownSource, hiddenInSource)
  const ended = { source: shown + ending, end: shown.length, hidden: hiddenInSource, makesLink }
  // Without what is left out, a line may be another block's: `[# a`.
  const isWhole = end === leaf.end - leaf.start && hidden.length + spaced.length === 0
  return isWhole || finder.isAlike(ended.source) ? ended : plain(source)
}

/** Where the parts of the leaf's text end in the source that have these lengths, which rise from more than 0. */
function sourceEnds({ start, lines, linesEnd }: Leaf, lengths: readonly number[]): number[] {
  const ends: number[] = []
  let line = 0
  // The text of a heading or an item stands behind the start of its line's.
  let textStart = linesEnd === LINE_SIZE ? Math.max(start, lines[1] ?? 0) : (lines[1] ?? 0)
  let before = 0
  for (const length of lengths) {
    for (let lineEnd = lines[line + 2] ?? 0; length - before > lineEnd - textStart; lineEnd = lines[line + 2] ?? 0) {
      before += lineEnd - textStart + 1
      line += LINE_SIZE
      textStart = lines[line + 1] ?? 0
    }
    ends.push(textStart + length - before)
  }
  return ends
}

/** Puts what a made-up link holds where the link stands, in normal form (§4): the parser does so, if it finds no link. */
function unlink(tree: Root, { source, end }: Ended): void {
  const finder = new LeafFinder()
  read(source, finder)
  const { leaf, type } = finder
  if (leaf === null || type === null || type === 'file' || type === 'code') return
  if (!dropLink(leaf, leaf.end - (source.length - end))) return
  const output = new TreeOutput(true)
  output.enter(leaf)
  output.open(type, leaf.start, '')
  writePhrasing(leaf, output)
  output.close(type, leaf.end)
  const [made] = output.root({ line: 1, column: 1, offset: 0 }).children
  const last = tree.children.at(-1)
  const block = last?.type === 'list' ? last.children.at(-1)?.children[0] : last
  if (block?.type === 'paragraph' && made?.type === 'paragraph') block.children = made.children
  if (block?.type === 'heading' && made?.type === 'heading') block.children = made.children
}

/** Takes the link off the tape that ends behind `end`, and leaves what its label holds. Whether there is one. */
function dropLink(leaf: Leaf, end: number): boolean {
  const { tape, tapeEnd } = leaf
  const lastOf = (kind: number): number => {
    let event = tapeEnd - EVENT_SIZE
    while (event >= 0 && tape[event] !== kind) event -= EVENT_SIZE
    return event
  }
  const [start, stop] = [lastOf(LINK), lastOf(LINK_END)]
  if (stop < 0 || (tape[stop + 2] ?? 0) <= end) return false
  tape.copyWithin(stop, stop + EVENT_SIZE, tapeEnd)
  tape.copyWithin(start, start + EVENT_SIZE, tapeEnd - EVENT_SIZE)
  leaf.tapeEnd -= 2 * EVENT_SIZE
  return true
}

/** Takes away what was made of the text behind `end`, and what holds nothing then. */
function cut(tree: Root, end: number): void {
  const path: AnyNode[] = [tree]
  for (let node: AnyNode | undefined = tree; node !== undefined; ) {
    const children: AnyNode[] = 'children' in node ? node.children : []
    while (startOf(children.at(-1)) >= end) children.pop()
    node = children.at(-1)
    if (node !== undefined) path.push(node)
  }
  const last = path.at(-1)
  const surplus = offsetOf(last?.position?.end) - end
  if (last?.type === 'text' && surplus > 0) last.value = last.value.slice(0, -surplus)
  for (let depth = path.length - 1; depth > 0; depth -= 1) {
    const [parent, node] = [path[depth - 1], path[depth]]
    if (parent !== undefined && 'children' in parent && node !== undefined && isEmpty(node)) parent.children.pop()
  }
}

function startOf(node: AnyNode | undefined): number {
  return node === undefined ? -1 : offsetOf(node.position?.start)
}

function isEmpty(node: AnyNode): boolean {
  return 'children' in node ? node.children.length === 0 : node.type === 'text' && node.value === ''
}

/** Gives the nodes the places that they have in the whole source. */
function put(tree: Root, { end, hidden }: Ended, given: string, origin: Origin): Root {
  const lines = createLines(given)
  const lineStarts: number[] = []
  while (readLine(lines)) lineStarts.push(lines.start)
  const endOffset = offsetWithin(hidden, end - 1) + 1
  let endLine = lineStarts.length
  while (endLine > 1 && (lineStarts[endLine - 1] ?? 0) >= endOffset) endLine -= 1
  const putPoint = (point: Point, line: number, offset: number): void => {
    const column = offset - (lineStarts[line - 1] ?? 0) + 1
    place(point, line + origin.line - 1, column, offset + origin.offset)
  }
  for (const block of tree.children) {
    eachPosition(block, (position) => {
      const [start, stop] = [offsetOf(position.start), offsetOf(position.end)]
      putPoint(position.start, position.start.line, offsetWithin(hidden, start))
      if (stop < end) putPoint(position.end, position.end.line, offsetWithin(hidden, stop - 1) + 1)
      else putPoint(position.end, endLine, endOffset)
    })
  }
  const rootEnd = endPoint(lines)
  place(rootEnd, rootEnd.line + origin.line - 1, rootEnd.column, given.length + origin.offset)
  return { type: 'root', children: tree.children, position: { start: { ...origin, column: 1 }, end: rootEnd } }
}
