/** A report of warnings in the layout of vfile-reporter, which editors and people know. */

import type { LintMessage } from '../lint/index.js'

/** A file that was looked at. */
export interface Linted {
  /** Its path; the report says `<stdin>` where there is none. */
  readonly path: string | undefined
  readonly messages: readonly LintMessage[]
  /** Whether it was written. */
  readonly isWritten: boolean
}

/** Place, label, reason, rule, source. */
type Row = readonly string[]

/**
 * Makes a report.
 *
 * @param files - what was looked at
 * @param hasColors - whether a terminal shows it
 * @returns the report, with a line ending at its end
 */
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

function compare(a: LintMessage, b: LintMessage): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || a.ruleId.localeCompare(b.ruleId)
}

function placeOf({ place }: LintMessage): string {
  if (place === undefined) return ''
  const points = 'start' in place ? [place.start, place.end] : [place]
  return points.map(({ line, column }) => `${line}:${column}`).join('-')
}

/** Aligns the columns of the rows that have some. */
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

/** Reasons hold no other characters than those of one column. */
function widthOf(cell: string): number {
  return cell.replace(/\u001B\[\d+m/g, '').length
}
