/** The rules about a whole line, or about a line and the one above it. */
import type { RuleId } from './rules.js'
import type { AddFinding } from './text.js'

export interface Finding {
  ruleId: RuleId
  start: number
  end: number
  /** The replacement. */
  expected: string | undefined
}

interface Line {
  /** The offsets of the line without the white space around it. */
  readonly start: number
  readonly end: number
  /** The line without the white space around it. */
  readonly text: string
}

/** The offsets of text between fences of tildes, fences included. */
export type Range = readonly [start: number, end: number]

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let from = 0
  for (const { 0: ending, index } of text.matchAll(/\r\n?|\n|$/g)) {
    const line = text.slice(from, index)
    const trimmed = line.trim()
    const start = from + line.length - line.trimStart().length
    lines.push({ start, end: start + trimmed.length, text: trimmed })
    from = index + ending.length
  }
  return lines
}

const TILDES = /^~{3,}(?!~)/

/**
 * Reports fences of tildes that are closed, which GFM reads as fenced code.
 *
 * @param source - the message
 * @param isText - tells whether the character at an offset is text
 * @returns the ranges from fence to fence: other rules skip them, because the author meant code
 */
export function findTildeFences(source: string, isText: (offset: number) => boolean, report: AddFinding): Range[] {
  if (!source.includes('~~~')) return []
  const ranges: Range[] = []
  let opener: Line | null = null
  let hasBackticks = false
  for (const line of linesOf(source)) {
    const [tildes] = TILDES.exec(line.text) ?? []
    if (opener === null) {
      if (tildes === undefined || line.text.includes('~', tildes.length) || !isText(line.start)) continue
      opener = line
      hasBackticks = false
    } else if (tildes !== undefined && tildes === line.text && tildes.length >= tildesOf(opener)) {
      const instead = hasBackticks ? undefined : '```'
      report('tilde-fence', opener.start, opener.start + tildesOf(opener), instead)
      report('tilde-fence', line.start, line.end, instead)
      ranges.push([opener.start, line.end])
      opener = null
    } else hasBackticks ||= line.text.startsWith('```')
  }
  return ranges
}

function tildesOf({ text }: Line): number {
  return TILDES.exec(text)?.[0].length ?? 0
}

/**
 * Reports lines that are thematic breaks, underlines of headings or definitions in CommonMark.
 *
 * @param source - the message
 * @param text - its plain text (`text.ts`)
 */
export function findInLines(source: string, text: string, report: AddFinding): void {
  // In a merge conflict a line of `=` separates the two versions.
  const hasConflict = /^<{7}/m.test(source)
  const lines = linesOf(text)
  for (const [index, line] of lines.entries()) {
    if (/^(?:={3,}|-{3,})$/.test(line.text) && !(hasConflict && line.text.startsWith('='))) {
      const above = lines[index - 1]
      const isFirst = (lines[index - 2]?.text ?? '') === ''
      if (above !== undefined && isFirst && isTitle(above, line)) {
        const marker = line.text.startsWith('=') ? '# ' : '## '
        report('heading-underline', above.start, line.end, marker + source.slice(above.start, above.end))
        continue
      }
    }
    if (/^(?:---|\*\*\*|___)$/.test(line.text)) report('thematic-break', line.start, line.end)
  }
  findReferences(source, text, lines, report)
}

/** Whether a line underlines the line above. Dashes do so only if they are about as long; others separate two texts. */
function isTitle(above: Line, { text }: Line): boolean {
  if (above.text === '' || above.text.includes('|')) return false
  return text.startsWith('=') || (text.length > 3 && Math.abs(text.length - above.text.length) <= 2)
}

/** A line that begins with `-` or `+`, and its text. */
const SIGNED_LINE = /^([ \t]*)([-+])[ \t]+(\S.*)$/
/** The sign before a number is a part of it, and `key:` after a sign is YAML. */
const AMOUNT_OR_KEY = /^(?:\p{Sc}?[ \t]*\d|["']?[\w.$-]+["']?:(?:[ \t]|$))/u

/** A run of lines with the same sign: blank lines and indented lines may be between them. */
interface Run {
  readonly sign: string
  /** Whether it is indented below a `key:`, so it may be YAML. */
  readonly isBelowKey: boolean
  readonly starts: number[]
  readonly texts: string[]
}

/**
 * Takes back findings about items. The replacement is taken back if the signs may mean something: amounts, keys, pros and cons, or a
 * run of which only a part was found. The sentences of a dialogue are not items at all.
 */
export function checkBullets(text: string, findings: readonly Finding[]): Finding[] {
  const bullets = new Set(findings.filter(({ ruleId }) => ruleId === 'bullet').map(({ start }) => start))
  if (bullets.size === 0) return [...findings]
  const runs = signedRuns(text)
  const hasBothSigns = new Set(runs.map(({ sign }) => sign)).size > 1
  const isUnsure = ({ isBelowKey, starts, texts }: Run): boolean => {
    return isBelowKey || !starts.every((start) => bullets.has(start)) || texts.some((each) => AMOUNT_OR_KEY.test(each))
  }
  const dialogue = new Set(runs.filter(isDialogue).flatMap(({ starts }) => starts))
  const unsure = new Set(runs.filter((run) => hasBothSigns || isUnsure(run)).flatMap(({ starts }) => starts))
  return findings
    .filter(({ ruleId, start }) => ruleId !== 'bullet' || !dialogue.has(start))
    .map((finding) =>
      finding.ruleId === 'bullet' && unsure.has(finding.start) ? { ...finding, expected: undefined } : finding,
    )
}

function isDialogue({ texts }: Run): boolean {
  return texts.length > 1 && texts.every((each) => /[.?!…]["'”»]?$/.test(each)) && /[?!]/.test(texts.join(''))
}

function signedRuns(text: string): Run[] {
  const runs: Run[] = []
  let isOpen = false
  let isKey = false
  for (const { 0: line, index } of text.matchAll(/.+/g)) {
    const [, indent = '', sign = '', content = ''] = SIGNED_LINE.exec(line) ?? []
    const last = runs.at(-1)
    if (sign !== '' && isOpen && last?.sign === sign) {
      last.starts.push(index + indent.length)
      last.texts.push(content.trim())
    } else if (sign !== '') {
      const isBelowKey = isKey && indent !== ''
      runs.push({ sign, isBelowKey, starts: [index + indent.length], texts: [content.trim()] })
    }
    isKey = /^[ \t]*[\w.-]+:[ \t]*$/.test(line)
    // A blank or indented line does not end a run.
    isOpen = sign !== '' || (isOpen && /^(?:[ \t]{2}|[ \t]*$)/.test(line))
  }
  return runs
}

const DEFINITION =
  /^\[([^[\]^][^[\]]*)\]:[ \t]+<?(https?:\/\/[^\s<>]+|mailto:[^\s<>]+)>?(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/i
const USE = /\[([^[\]\r\n]+)\](?:\[([^[\]\r\n]*)\])?(?![(:])/g

/** Reports definitions, `[label]: url`, and the references to them. */
function findReferences(source: string, text: string, lines: readonly Line[], report: AddFinding): void {
  if (!text.includes(']:')) return
  const urls = new Map<string, string>()
  for (const { start, end, text: visible } of lines) {
    const [, label = '', url = ''] = (visible.startsWith('[') && DEFINITION.exec(source.slice(start, end))) || []
    if (url === '') continue
    urls.set(label.toLowerCase(), url)
    report('reference-link', start, start + label.length + 3)
  }
  if (urls.size === 0) return
  for (const { 0: whole, 1: label = '', 2: name, index } of text.matchAll(USE)) {
    const url = urls.get((name || label).toLowerCase())
    if (url !== undefined) report('reference-link', index, index + whole.length, `[${label}](${url})`)
  }
}
