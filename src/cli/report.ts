/** The formats in which warnings are printed. */

import type { Diagnostic } from '../diagnostic.js'
import { type RuleId, ruleIds } from '../lint/index.js'
import { rules } from '../lint/rules.js'

export interface Linted {
  /** The path; undefined for standard input. */
  readonly path: string | undefined
  readonly messages: readonly Diagnostic<RuleId>[]
  /** True if `--fix` changed the file. */
  readonly isWritten: boolean
}

export const formatNames = ['text', 'json', 'github', 'sarif'] as const

type Format = (files: readonly Linted[], hasColors: boolean) => string

/** Each format, as a function that gives the whole output. */
export const formats: Readonly<Record<(typeof formatNames)[number], Format>> = {
  text: (files, hasColors) => (files.length > 0 ? report(files, hasColors) : ''),
  json: (files) =>
    `${JSON.stringify(
      files.map(({ path, messages }) => ({ path: path ?? null, messages })),
      null,
      2,
    )}\n`,
  github: (files) =>
    files.flatMap(({ path, messages }) => messages.map((message) => commandOf(path, message))).join(''),
  sarif: (files) => `${JSON.stringify(logOf(files), null, 2)}\n`,
}

/**
 * A workflow command, with which GitHub Actions shows a warning at its line.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
function commandOf(path: string | undefined, { reason, ruleId, place }: Diagnostic<RuleId>): string {
  const { start, end } = rangeOf(place)
  const file = path === undefined ? [] : [`file=${property(path)}`]
  const region = start && [
    `line=${start.line}`,
    `endLine=${end?.line}`,
    `col=${start.column}`,
    `endColumn=${end?.column}`,
  ]
  return `::warning ${[...file, ...(region ?? []), `title=${ruleId}`].join()}::${escaped(reason)}\n`
}

function escaped(text: string): string {
  return text.replace(/[%\r\n]/g, encodeURIComponent)
}

function property(text: string): string {
  return text.replace(/[%\r\n:,]/g, encodeURIComponent)
}

/** A SARIF log (OASIS SARIF 2.1.0), which code scanning services read. */
function logOf(files: readonly Linted[]): object {
  const results = files.flatMap(({ path, messages }) =>
    messages.map(({ reason, ruleId, place }) => {
      const { start, end } = rangeOf(place)
      const region = start && {
        region: { startLine: start.line, startColumn: start.column, endLine: end?.line, endColumn: end?.column },
      }
      const artifactLocation = { uri: path === undefined ? 'stdin' : encodeURI(path) }
      const locations = [{ physicalLocation: { artifactLocation, ...region } }]
      return { ruleId, ruleIndex: ruleIds.indexOf(ruleId), level: 'warning', message: { text: reason }, locations }
    }),
  )
  const driver = { name: 'blockmark', rules: ruleIds.map((id) => ({ id, fullDescription: { text: rules[id].note } })) }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  }
}

function rangeOf(place: Diagnostic<RuleId>['place']): { start?: Point; end?: Point } {
  return place === undefined ? {} : 'start' in place ? place : { start: place, end: place }
}

interface Point {
  line: number
  column: number
}

/** Returns the note of a rule, and whether `--fix` applies its corrections. */
export function explainRule(ruleId: RuleId): string {
  const { note, isCertain } = rules[ruleId]
  const correction = isCertain ? '--fix corrects it if the result is certain.' : '--fix leaves it as it is.'
  return `${ruleId}: ${note}\n${correction}\n`
}

/** One line: position, label, reason, rule, source. */
type Row = readonly string[]

/** A report in the layout of vfile-reporter. */
export function report(files: readonly Linted[], hasColors: boolean): string {
  const paint = (text: string, start: number, end: number) =>
    hasColors ? `\u001B[${start}m${text}\u001B[${end}m` : text
  const yellow = (text: string) => paint(text, 33, 39)
  const sorted = [...files].sort((a, b) => (a.path ?? '').localeCompare(b.path ?? ''))
  const rows = sorted.flatMap(({ path, messages, isWritten }, index): (string | Row)[] => {
    const name = paint(
      paint((path ?? '<stdin>').replace(/\p{Cc}/gu, '\uFFFD'), messages.length > 0 ? 33 : 32, 39),
      4,
      24,
    )
    const state = isWritten ? `: ${yellow('written')}` : messages.length > 0 ? '' : ': no issues found'
    const isSeparate = (sorted[index - 1]?.messages.length ?? 0) > 0
    const warnings = [...messages].sort(compare).map((message) => [
      placeOf(message),
      yellow('warning'),
      paint(
        message.reason.replace(/`[^`]+`/g, (code) => paint(code, 36, 39)),
        1,
        22,
      ),
      message.ruleId,
      message.source,
    ])
    return [...(isSeparate ? [''] : []), name + state, ...warnings]
  })
  const count = files.reduce((sum, { messages }) => sum + messages.length, 0)
  if (count > 0) rows.push('', `${yellow('⚠')} ${count} ${count === 1 ? 'warning' : 'warnings'}`)
  return `${layOut(rows).join('\n')}\n`
}

function compare(a: Diagnostic<RuleId>, b: Diagnostic<RuleId>): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || a.ruleId.localeCompare(b.ruleId)
}

function placeOf({ place }: Diagnostic<RuleId>): string {
  const { start, end } = rangeOf(place)
  return [...new Set([start, end])].flatMap((point) => (point ? `${point.line}:${point.column}` : [])).join('-')
}

/** Aligns the columns of the rows. */
function layOut(rows: readonly (string | Row)[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    if (typeof row === 'string') continue
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))
  }
  return rows.map((row) => {
    if (typeof row === 'string') return row
    return row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) + 1 - widthOf(cell)))
      .join('')
      .trimEnd()
  })
}

/** Counts characters without color codes: all characters of reasons are one column wide. */
function widthOf(cell: string): number {
  return cell.replace(/\u001B\[\d+m/g, '').length
}
