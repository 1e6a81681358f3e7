/** The plain text of a source, and the rules that are checked on its tree. */

import { anyDelimiter, SEPARATOR } from '../delimiters.js'
import { parse } from '../parse/index.js'
import { isEscapable } from '../parse/units.js'
import { isSafeUrl } from '../render/escape.js'
import type { AnyNode, Delete, List } from '../tree.js'
import { isOtherUrl, isSlackID } from './replacements.js'
import type { RuleId } from './rules.js'

/** Noncharacters that replace what is not text: one for bare links, one for everything else. */
export const HIDDEN = '\uFDD0'
const HIDDEN_URL = '\uFDD1'

interface Scan {
  readonly source: string
  readonly pieces: string[]
  /** The offset up to which the source has been copied into `pieces`. */
  end: number
}

export type AddFinding = (ruleId: RuleId, start: number, end: number, expected?: string) => void

/** Returns the source with everything hidden except text, white space and line endings. Reports what the tree shows. */
export function readText(source: string, report: AddFinding): string {
  const scan: Scan = { source, pieces: [], end: 0 }
  visit(scan, parse(source), report)
  hide(scan, source.length, HIDDEN)
  return scan.pieces.join('').replace(PARAGRAPH, hideSigns)
}

const PARAGRAPH = /(?:^.*\S.*(?:\r\n?|\n)?)+/gm

/** Lines with a `+` next to lines with a `-` are a diff, not a list. */
function hideSigns(paragraph: string): string {
  return /^\+/m.test(paragraph) && /^-/m.test(paragraph) ? paragraph.replace(/^[-+]/gm, HIDDEN) : paragraph
}

function visit(scan: Scan, node: AnyNode, report: AddFinding): void {
  const { source } = scan
  const [start, end] = rangeOf(node)
  if (node.type === 'text') show(scan, start, end, node.value.length)
  // A rule searches the text for Slack's references.
  if (node.type === 'file' && isSlackID(node.fileID)) show(scan, start, end, end - start)
  if (node.type === 'code' && closingFence(source, start, end) < 0) {
    report('unclosed-fence', start, endOfFence(source, start))
  }
  if (node.type === 'list') reportNested(node, source, report)
  if (node.type === 'delete') reportFlag(node, source, report)
  if (node.type === 'link') {
    if (source.charAt(start) !== '[') {
      hide(scan, start, HIDDEN)
      hide(scan, end, HIDDEN_URL)
      // The tildes at the end became part of the link.
      if (source.startsWith('~~', start - 2) && node.url.endsWith('~~')) report('strikethrough', start - 2, end)
      return
    }
    if (source.charAt(start - 1) === '!') report('image', start - 1, end)
    else if (!isSafeUrl(node.url)) report('link-scheme', start, end)
    else if (isOtherUrl(textOf(node), node.url)) report('link-text', start, end)
  }
  if ('children' in node) for (const child of node.children) visit(scan, child, report)
}

/** Returns the text of a node, without its formatting. */
export function textOf(node: AnyNode): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ' '
}

/** Reports items that are indented more than the first: in CommonMark they would be nested. */
function reportNested({ children }: List, source: string, report: AddFinding): void {
  // The first item, which every list has.
  const least = Math.min(...children.slice(0, 1).map((item) => columnOf(source, rangeOf(item)[0])))
  for (const item of children) {
    const [start] = rangeOf(item)
    if (columnOf(source, start) > least + 1) report('nested-list', start, start + 1)
  }
}

/** The width of the white space before an offset; a tab advances to the next multiple of four. */
function columnOf(source: string, start: number): number {
  let column = 0
  const before = /[ \t]*$/.exec(source.slice(Math.max(start - INDENT_MAX, 0), start))?.[0] ?? ''
  for (const char of before) column += char === '\t' ? 4 - (column % 4) : 1
  return column
}

const INDENT_MAX = 100

/** A letter that is not a word, or a few consonants, and an argument: `-v foo-`, `-rf build-`, `-Dkey=value-`. */
const FLAG = /^-(?:[b-hj-zB-HJ-NP-Z]|[b-df-hj-np-tv-xz]{2,5}|[A-Za-z]\d+)[ =](?=\S)|^-[A-Za-z][\w.]*=(?=\S)/
/** Words that look like a flag are struck text, for example `-v úterý-`, unless the name of a program is before them. */
const PROGRAM =
  /\b(?:awk|cat|chmod|cp|curl|docker|g?cc|git|grep|head|jq|kubectl|ls|make|mv|node|npm|npx|perl|ps|psql|python3?|rg|rm|rsync|scp|sed|sort|ssh|sudo|tail|tar|tee|wget|xargs|zip)[ \t][^.!?\r\n]*$/
const LINE_MAX = 300

function reportFlag(node: Delete, source: string, report: AddFinding): void {
  const [start, end] = rangeOf(node)
  if (!PROGRAM.test(source.slice(Math.max(start - LINE_MAX, 0), start))) return
  const flag = FLAG.exec(source.slice(start, end))?.[0].slice(0, -1)
  if (flag !== undefined) report('flag', start, start + flag.length, `\\${flag}`)
}

function hide(scan: Scan, end: number, replacement: string): void {
  const hidden = scan.source.slice(scan.end, end)
  scan.pieces.push(hidden.replace(/\S+/g, (run) => replacement.repeat(run.length)))
  scan.end = end
}

const DELIMITERS = /* @__PURE__ */ new RegExp(`${anyDelimiter}|${SEPARATOR}`, 'g')

/** Copies a text, but hides its escapes and, if the normal form removed delimiters (§4.10), its delimiters. */
function show(scan: Scan, start: number, end: number, length: number): void {
  hide(scan, start, HIDDEN)
  const source = scan.source.slice(start, end)
  const shown = source.replace(/\\+[^\\]?/g, (run) => {
    return isEscapable(run.charCodeAt(run.length - 1)) ? HIDDEN.repeat(run.length) : run
  })
  scan.pieces.push(shown === source && source.length > length ? source.replace(DELIMITERS, HIDDEN) : shown)
  scan.end = end
}

/** Returns a text with the isolates (UAX #9) hidden that are closed on their line. */
export function withoutIsolates(text: string): string {
  if (!/[\u2066-\u2068]/.test(text)) return text
  const chars = text.split('')
  let open: number[] = []
  for (const { 0: control, index } of text.matchAll(/[\u2066-\u2069\r\n]/g)) {
    if (/[\r\n]/.test(control)) open = []
    else if (control !== '\u2069') open.push(index)
    else {
      const start = open.pop()
      if (start !== undefined) chars[start] = chars[index] = HIDDEN
    }
  }
  return chars.join('')
}

/** Returns the offsets of a node that was parsed with positions. */
export function rangeOf({ position }: AnyNode): [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0]
}

/** Returns the end of the opening fence that starts at `start` (§2.6). */
export function endOfFence(source: string, start: number): number {
  let end = start
  while (source.charAt(end) === '`') end += 1
  return end
}

/** Returns the offset of the closing fence of the fenced code from `start` to `end`; -1 if it has none. */
export function closingFence(source: string, start: number, end: number): number {
  const code = source.slice(start, end)
  // A fence that is not closed also contains what follows it.
  const isClosed = parse(`${code}\n\nx`, { position: false }).children.length > 1
  return isClosed ? start + code.search(/`+$/) : -1
}
