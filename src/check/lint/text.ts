/** What of a source is plain text, and what its tree shows. */
import { anyDelimiter, SEPARATOR } from '../../delimiters.js'
import { parse } from '../../parse/index.js'
import { isEscapable } from '../../parse/units.js'
import { isSafeUrl } from '../../render/escape.js'
import type { AnyNode, Delete, List } from '../../tree.js'
import { closingFence, endOfFence } from '../fence.js'
import { rangeOf } from '../positions.js'
import { isSlackID } from './meant.js'
import type { RuleId } from './rule-ids.js'

/** Stand for all other characters, and for those of a bare link: neither white space nor letters, and typed by nobody. */
export const HIDDEN = '\uFDD0'
const HIDDEN_URL = '\uFDD1'

interface Reading {
  readonly source: string
  readonly pieces: string[]
  /** Where the pieces end. */
  end: number
}

export type Report = (ruleId: RuleId, start: number, end: number, expected?: string) => void

/** Reads a source: everything hidden but text, white space and line endings. Reports what its tree shows. */
export function readText(source: string, report: Report): string {
  const reading: Reading = { source, pieces: [], end: 0 }
  visit(reading, parse(source), report)
  hide(reading, source.length, HIDDEN)
  return reading.pieces.join('').replace(PARAGRAPH, hideSigns)
}

const PARAGRAPH = /(?:^.*\S.*(?:\r\n?|\n)?)+/gm

/** Lines with a `+` and lines with a `-` are a diff, and no lists. */
function hideSigns(paragraph: string): string {
  return /^\+/m.test(paragraph) && /^-/m.test(paragraph) ? paragraph.replace(/^[-+]/gm, HIDDEN) : paragraph
}

/** The depth of a parsed tree is bounded. */
function visit(reading: Reading, node: AnyNode, report: Report): void {
  const { source } = reading
  const [start, end] = rangeOf(node)
  if (node.type === 'text') show(reading, start, end, node.value.length)
  // Slack's references are looked for in the text.
  if (node.type === 'file' && isSlackID(node.fileID)) show(reading, start, end, end - start)
  if (node.type === 'code' && closingFence(source, start, end) < 0) {
    report('unclosed-fence', start, endOfFence(source, start))
  }
  if (node.type === 'list') reportNested(node, source, report)
  if (node.type === 'delete') reportFlag(node, source, report)
  if (node.type === 'link') {
    if (source.charAt(start) !== '[') {
      hide(reading, start, HIDDEN)
      hide(reading, end, HIDDEN_URL)
      // The link has taken the tildes at its end.
      if (source.startsWith('~~', start - 2) && node.url.endsWith('~~')) report('strikethrough', start - 2, end)
      return
    }
    if (source.charAt(start - 1) === '!') report('image', start - 1, end)
    else if (!isSafeUrl(node.url)) report('link-scheme', start, end)
  }
  if ('children' in node) for (const child of node.children) visit(reading, child, report)
}

/** Items that stand further in than the first: elsewhere they would be inside the one above. */
function reportNested({ children }: List, source: string, report: Report): void {
  // A list has an item.
  const least = Math.min(...children.slice(0, 1).map((item) => columnOf(source, rangeOf(item)[0])))
  for (const item of children) {
    const [start] = rangeOf(item)
    if (columnOf(source, start) > least + 1) report('nested-list', start, start + 1)
  }
}

/** How far in something stands that has nothing but white space before it; a tab goes to the next column of four. */
function columnOf(source: string, start: number): number {
  let column = 0
  const before = /[ \t]*$/.exec(source.slice(Math.max(start - INDENT_MAX, 0), start))?.[0] ?? ''
  for (const char of before) column += char === '\t' ? 4 - (column % 4) : 1
  return column
}

const INDENT_MAX = 100

/** A letter that is no word, or a few without a vowel, and its argument: `-v foo-`, `-rf build-`, `-Dkey=value-`. */
const FLAG = /^-(?:[b-hj-zB-HJ-NP-Z]|[b-df-hj-np-tv-xz]{2,5}|[A-Za-z]\d+)[ =](?=\S)|^-[A-Za-z][\w.]*=(?=\S)/

function reportFlag(node: Delete, source: string, report: Report): void {
  const [start, end] = rangeOf(node)
  const flag = FLAG.exec(source.slice(start, end))?.[0].slice(0, -1)
  if (flag !== undefined) report('flag', start, start + flag.length, `\\${flag}`)
}

function hide(reading: Reading, end: number, stand: string): void {
  const hidden = reading.source.slice(reading.end, end)
  reading.pieces.push(hidden.replace(/\S+/g, (run) => stand.repeat(run.length)))
  reading.end = end
}

const MARKERS = /* @__PURE__ */ new RegExp(`${anyDelimiter}|${SEPARATOR}`, 'g')

/** Shows a text but for its escapes and, where the normal form has dropped markers (§4.10), for its markers. */
function show(reading: Reading, start: number, end: number, length: number): void {
  hide(reading, start, HIDDEN)
  const source = reading.source.slice(start, end)
  const shown = source.replace(/\\+[^\\]?/g, (run) => {
    return isEscapable(run.charCodeAt(run.length - 1)) ? HIDDEN.repeat(run.length) : run
  })
  reading.pieces.push(shown === source && source.length > length ? source.replace(MARKERS, HIDDEN) : shown)
  reading.end = end
}
