/** Finds the plain text of a source, and checks the rules that need its tree. */

import { anyDelimiter, SEPARATOR } from '../delimiters.js'
import { parse } from '../parse/index.js'
import { isEscapable } from '../parse/units.js'
import { isSafeUrl } from '../render/escape.js'
import type { AnyNode, Link } from '../tree.js'
import { isOtherUrl, isSlackID } from './replacements.js'
import type { RuleId } from './rules.js'

/** Noncharacters that replace everything except text: `HIDDEN_URL` replaces bare links, `HIDDEN` replaces the rest. */
const HIDDEN = '\uFDD0'
const HIDDEN_URL = '\uFDD1'

interface Scan {
  readonly source: string
  readonly pieces: string[]
  /** The offset up to which the source has been copied into `pieces`. */
  end: number
}

export type ReportFinding = (ruleId: RuleId, start: number, end: number, expected?: string) => void

/** Replaces everything except text and white space by as many noncharacters. Reports the findings of the rules about the tree. */
export function readText(source: string, report: ReportFinding): string {
  const scan: Scan = { source, pieces: [], end: 0 }
  visit(scan, parse(source), report)
  hide(scan, source.length, HIDDEN)
  return scan.pieces.join('')
}

function visit(scan: Scan, node: AnyNode, report: ReportFinding): void {
  const { source } = scan
  const [start, end] = rangeOf(node)
  if (node.type === 'text') show(scan, start, end, node.value.length)
  // The rule `slack-reference` searches the text, so it must contain Slack's references.
  if (node.type === 'file' && isSlackID(node.fileID)) show(scan, start, end, end - start)
  if (node.type === 'code') reportUnclosed(source, start, end, report)
  if (node.type === 'link') {
    if (source.charAt(start) !== '[') {
      hide(scan, start, HIDDEN)
      hide(scan, end, HIDDEN_URL)
      return
    }
    const ruleId = source.charAt(start - 1) === '!' ? 'image' : linkRule(node)
    if (ruleId !== undefined) report(ruleId, ruleId === 'image' ? start - 1 : start, end)
  }
  if ('children' in node) for (const child of node.children) visit(scan, child, report)
}

/** Returns the rule that reports a named link, if any. */
export function linkRule(link: Link): 'link-scheme' | 'link-text' | undefined {
  if (!isSafeUrl(link.url)) return 'link-scheme'
  return isOtherUrl(textOf(link), link.url) ? 'link-text' : undefined
}

function textOf(node: AnyNode): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ' '
}

function reportUnclosed(source: string, start: number, end: number, report: ReportFinding): void {
  const code = source.slice(start, end)
  // An unclosed fence also contains text that is added after it, so the parser returns one block.
  if (parse(`${code}\n\nx`, { position: false }).children.length > 1) return
  report('unclosed-fence', start, start + code.search(/[^`]|$/))
}

function hide(scan: Scan, end: number, replacement: string): void {
  const hiddenText = scan.source.slice(scan.end, end)
  scan.pieces.push(hiddenText.replace(/\S+/g, (run) => replacement.repeat(run.length)))
  scan.end = end
}

const DELIMITERS = /* @__PURE__ */ new RegExp(`${anyDelimiter}|${SEPARATOR}`, 'g')

/**
 * Copies the source of a text node, but hides its escapes. If the node's value is shorter than the source with resolved escapes, the
 * normal form has removed delimiters (§4.10), and all delimiters are hidden too.
 *
 * @param length - the length of the node's value
 */
function show(scan: Scan, start: number, end: number, length: number): void {
  hide(scan, start, HIDDEN)
  let sourceLength = end - start
  const source = scan.source.slice(start, end).replace(/\\+[^\\]?/g, (run) => {
    if (!isEscapable(run.charCodeAt(run.length - 1))) return run
    // Every second backslash before the last character is text.
    sourceLength -= run.length >> 1
    return HIDDEN.repeat(run.length)
  })
  scan.pieces.push(sourceLength > length ? source.replace(DELIMITERS, HIDDEN) : source)
  scan.end = end
}

/** Hides the directional isolates (UAX #9) of a text that are closed on their line. */
export function withoutIsolates(text: string): string {
  const chars = text.split('')
  let openIsolates: number[] = []
  for (const { 0: control, index } of text.matchAll(/[\u2066-\u2069\r\n]/g)) {
    if (/[\r\n]/.test(control)) openIsolates = []
    else if (control !== '\u2069') openIsolates.push(index)
    else {
      const start = openIsolates.pop()
      if (start !== undefined) chars[start] = chars[index] = HIDDEN
    }
  }
  return chars.join('')
}

/** Returns the offsets of a node that was parsed with positions. */
export function rangeOf({ position }: AnyNode): [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0]
}
