/**
 * Writes each construct (§2, §3). If there are several ways to write it, these functions ask the parser which of them it reads back
 * as intended.
 */
import { BACKSLASHES, SHRUG } from '../parse/escape.js'
import { isShortID } from '../parse/mention.js'
import { read, readLeafOf } from '../parse/read.js'
import { giveBack } from '../parse/reader.js'
import { LINK } from '../parse/tape.js'
import { isEscapable, isEscapableInUrl } from '../parse/units.js'
import { isID, isLabel } from '../tree/check.js'

const FENCE_LENGTH_MIN = 3

/** Writes a code span (§3.2): with the shortest run of backticks that the value does not contain, and with padding if the value needs it. */
export function writeCode(value: string): string {
  if (!value.includes('`') && !value.startsWith(' ')) return `\`${value}\``
  const lengths = new Set(Array.from(value.matchAll(/`+/g), ([run]) => run.length))
  let length = 1
  while (lengths.has(length)) length += 1
  const backticks = '`'.repeat(length)
  const isPadded = value.startsWith(' ') && value.endsWith(' ') && /[^ ]/.test(value)
  const padding = isPadded || value.startsWith('`') || value.endsWith('`') ? ' ' : ''
  return backticks + padding + value + padding + backticks
}

/** Writes a mention (§3.3), without a pipe if it needs none; null if it cannot be a mention. */
export function writeMention(userID: string, label: string | null): string | null {
  if (!isID(userID) || !isLabel(label ?? '')) return null
  return label === null && isShortID(userID) ? `<@${userID}>` : `<@${userID}|${label ?? ''}>`
}

/** Whether a URL can be a bare link (§3.5), whatever follows its last character. */
export function isBareUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && !url.endsWith('\\')
}

/** Whether the last character of a bare link can be escaped and need not be. */
export function hasEscapableEnd(url: string): boolean {
  return !url.endsWith('<') && isEscapable(url.charCodeAt(url.length - 1))
}

/**
 * Writes a bare link (§3.5).
 *
 * @param escapesEnd - whether to escape its last character, so that this is not trimmed and does not affect delimiters after it
 */
export function writeBareLink(url: string, escapesEnd: boolean): string {
  let source = url
  if (url.includes('\\')) {
    source = url.replace(BACKSLASHES, (run, at: number) =>
      run !== SHRUG && isEscapable(url.charCodeAt(at + run.length)) ? run + run : run,
    )
  }
  if (source.includes('<')) source = source.replaceAll('<', '\\<')
  return escapesEnd ? `${source.slice(0, -1)}\\${source.slice(-1)}` : source
}

/** Maximum depth of parentheses in the URL of a named link (§3.4). */
const NESTED_BRACKETS_MAX = 32

/** Returns the URL of a named link as it is written (§3.4); null if a named link cannot have this URL. */
export function targetOf(url: string): string | null {
  if (/^https?:[\w!#$&'*+,\-./:;=?@~%]*$/i.test(url)) return url
  const target = escapeUrl(url, bracketsToEscape(url))
  return isTarget(target) ? target : null
}

/** Whether the parser reads a text as the URL of a named link. */
function isTarget(target: string): boolean {
  const reader = read(`[a](${target})`, 1)
  readLeafOf(reader, 0)
  const [type, , end] = reader.tape
  const isWhole = reader.tapeEnd > 0 && type === LINK && end === reader.length + 1
  giveBack(reader)
  return isWhole
}

/** Returns the offsets of the parentheses that have no partner, or are nested too deep. */
function bracketsToEscape(url: string): Set<number> {
  const escaped = new Set<number>()
  const open: number[] = []
  for (const { 0: bracket, index } of url.matchAll(/[()]/g)) {
    if (bracket === '(') {
      open.push(index)
      continue
    }
    const start = open.pop()
    if (start === undefined) escaped.add(index)
    else if (open.length >= NESTED_BRACKETS_MAX) escaped.add(start).add(index)
  }
  return new Set([...escaped, ...open])
}

/** Escapes the parentheses at the given offsets and each `<`, and doubles backslashes that would escape another character. */
function escapeUrl(url: string, brackets: ReadonlySet<number>): string {
  return url.replace(/\\+|[()<]/g, (part, at: number) => {
    if (part === '<' || brackets.has(at)) return `\\${part}`
    if (!part.startsWith('\\')) return part
    // The parenthesis that ends the URL comes after it.
    const end = at + part.length
    return end === url.length || isEscapableInUrl(url.charCodeAt(end)) ? part + part : part
  })
}

/** Writes fenced code (§2), with enough backticks that no line of the value closes it. */
export function writeFenced(info: string, value: string): string {
  let length = FENCE_LENGTH_MIN
  for (const line of value.includes('```') ? value.split('\n') : []) {
    const [, run = ''] = /^[ \t]*(`{3,})[ \t]*$/.exec(line) ?? []
    if (run.length >= length) length = run.length + 1
  }
  const fence = '`'.repeat(length)
  return value === '' ? `${fence}${info}\n${fence}` : `${fence}${info}\n${value}\n${fence}`
}

/** Writes a file (§2). */
export function writeFile(fileID: string, label: string | null): string {
  return `<!${fileID}|${label ?? ''}>`
}
