/** Finds list items of CommonMark: lines that begin with `-` or `+`. */
import type { ReportFinding } from './text.js'

/** A line that begins with `-` or `+`, followed by a text that is not another marker. */
const SIGNED_LINE = /^([ \t]*)([-+])[ \t]{1,3}(?!\*[ \t]|(?:[-+*_][ \t]*)+$)(\S.*)$/

/** A text that starts with a number or `key:`. The sign before it may be a minus or part of YAML, not a bullet. */
const AMOUNT_OR_KEY = /^(?:\p{Sc}?[ \t]*\d|["']?[\w.$-]+["']?:(?:[ \t]|$))/u

/** A checkbox, or a text of at most three words. A longer single line is a remark, YAML or a line of a diff. */
const FEW_WORDS = /^(?:\[[ xX]\]|[^\s:]+(?:[ \t]+[^\s:]+){0,2}[ \t]*$)/

/** One or two capitalized words at the end of a message, which may be the author's name. */
const SIGNATURE = /^[A-ZÀ-Þ][^\s:]*(?:[ \t]+[A-ZÀ-Þ][^\s:]*)?\s*$/

/** A run of lines that begin with the same sign. Blank lines and indented lines may be between these lines. */
interface Run {
  readonly sign: string
  readonly starts: number[]
  readonly texts: string[]
  /** Whether the run is at the start of a paragraph. */
  readonly isFirst: boolean
  /** Whether the line before the run ends with a colon. */
  readonly isAfterColon: boolean
  /** Whether the run is indented below a `key:`, so that it may be YAML. */
  readonly isBelowKey: boolean
  /** Whether a line with the other sign is next to the run. */
  isDiff: boolean
}

/**
 * Reports the lines of each run that looks like a list. No replacement is offered if the signs may not be bullets: a minus before an
 * amount, a dash before a key of YAML, or `+` and `-` for pros and cons. `text` is the plain text of a message (`text.ts`).
 */
export function findBullets(text: string, report: ReportFinding): void {
  const runs = runsOf(text)
  const hasBothSigns = new Set(runs.map(({ sign }) => sign)).size > 1
  for (const run of runs) {
    if (!looksLikeList(run, text)) continue
    const isCertain = !hasBothSigns && !run.isBelowKey && !run.texts.some((each) => AMOUNT_OR_KEY.test(each))
    for (const start of run.starts) report('bullet', start, start + 1, isCertain ? '*' : undefined)
  }
}

function looksLikeList(
  { sign, starts: [start = 0, ...others], texts, isFirst, isAfterColon, isDiff }: Run,
  text: string,
): boolean {
  if (isDiff || isDialogue(texts)) return false
  if (others.length > 0 || isAfterColon) return true
  const isSignature = start > 0 && SIGNATURE.test(text.slice(start + 1).trimStart())
  return sign === '-' && isFirst && FEW_WORDS.test(texts.join('')) && !isSignature
}

function isDialogue(texts: readonly string[]): boolean {
  return texts.length > 1 && texts.every((each) => /[.?!…]["'”»]?$/.test(each)) && /[?!]/.test(texts.join(''))
}

function runsOf(text: string): Run[] {
  const runs: Run[] = []
  let [isOpen, isFirst, before] = [false, true, '']
  for (const { 1: line = '', index } of text.matchAll(/(.*)(?:\r\n?|\n|$)/g)) {
    const [, indent = '', sign = '', content = ''] = SIGNED_LINE.exec(line) ?? []
    const last = runs.at(-1)
    if (sign !== '' && isOpen && last?.sign === sign) {
      last.starts.push(index + indent.length)
      last.texts.push(content.trim())
    } else if (sign !== '') {
      const isDiff = isOpen && !isFirst && last !== undefined
      if (isDiff) last.isDiff = true
      const isAfterColon = /:[*_\uFDD0 \t]*$/.test(before)
      const isBelowKey = indent !== '' && /^[ \t]*[\w.-]+:[ \t]*$/.test(before)
      const [starts, texts] = [[index + indent.length], [content.trim()]]
      runs.push({ sign, starts, texts, isFirst, isAfterColon, isBelowKey, isDiff })
    }
    isFirst = line.trim() === ''
    if (!isFirst) before = line
    // A blank or indented line does not end the run.
    isOpen = sign !== '' || (isOpen && /^(?:[ \t]{2}|[ \t]*$)/.test(line))
  }
  return runs
}
