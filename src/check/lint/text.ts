/** What of a source is plain text, and what its tree shows. */
import { endOfBackticks } from '../../parse/code.js'
import { isEscapable } from '../../parse/escape.js'
import { parse } from '../../parse/index.js'
import { isSafeUrl } from '../../render/escape.js'
import type { AnyNode } from '../../tree.js'
import { closingFence } from '../fence.js'
import { rangeOf } from '../positions.js'
import { isSlackID, type RuleId } from './rules.js'

/** Stand for all other characters, and for those of a bare link: neither white space nor letters, and typed by nobody. */
const HIDDEN = '\uFDD0'
const HIDDEN_URL = '\uFDD1'

interface Reading {
  readonly source: string
  readonly pieces: string[]
  /** Where the pieces end. */
  end: number
}

export type Report = (ruleId: RuleId, start: number, end: number, expected?: string) => void

/** The source with everything hidden but text, white space and line endings: code, markers, urls, what is escaped. */
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
    report('unclosed-fence', start, endOfBackticks(source, start))
  }
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

function hide(reading: Reading, end: number, stand: string): void {
  const hidden = reading.source.slice(reading.end, end)
  reading.pieces.push(hidden.replace(/\S+/g, (run) => stand.repeat(run.length)))
  reading.end = end
}

/** Shows a text but for its escapes and, where the normal form has dropped markers (§4.10), for its markers. */
function show(reading: Reading, start: number, end: number, length: number): void {
  hide(reading, start, HIDDEN)
  const source = reading.source.slice(start, end)
  const shown = source.replace(/\\+[^\\]?/g, (run) => {
    return isEscapable(run.charCodeAt(run.length - 1)) ? HIDDEN.repeat(run.length) : run
  })
  reading.pieces.push(shown === source && source.length > length ? source.replace(/[*_-]/g, HIDDEN) : shown)
  reading.end = end
}
