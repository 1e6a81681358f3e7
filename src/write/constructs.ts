/**
 * Writes each construct (§2, §3). If a construct can be written in several ways, these functions choose one that the parser
 * reads as intended.
 */
import { LETTER, traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { needsNoPipe } from '../parse/constructs.js'
import { parse } from '../parse/index.js'
import { IN_URL, isEscapable } from '../parse/units.js'
import { isID, isLabel } from '../tree/check.js'

const FENCE = '```'

/** Writes a code span (§3.2), with the shortest run of backticks that the value does not contain, and with padding if needed. */
export function writeCode(value: string, lengthMin = 1): string {
  if (lengthMin === 1 && !value.includes('`') && !value.startsWith(' ')) return `\`${value}\``
  const lengths = new Set(Array.from(value.matchAll(/`+/g), ([run]) => run.length))
  let length = lengthMin
  while (lengths.has(length)) length += 1
  const backticks = '`'.repeat(length)
  const isPadded = value.startsWith(' ') && value.endsWith(' ') && /[^ ]/.test(value)
  const padding = isPadded || value.startsWith('`') || value.endsWith('`') ? ' ' : ''
  return backticks + padding + value + padding + backticks
}

/** Writes a code span between two texts, with two backticks if one would be an apostrophe (§3.2). */
export function writeCodeBetween(before: string, value: string, after: string): string {
  const code = writeCode(value)
  if (code.startsWith('``') || (traitsBefore(before, before.length) & LETTER) === 0) return code
  const isSpaced = ((traitsAt(code, 1) | traitsBefore(code, code.length - 1)) & WHITE_SPACE) !== 0
  return isSpaced || (traitsAt(after, 0) & LETTER) !== 0 ? writeCode(value, 2) : code
}

/** Writes a mention (§3.3), without a pipe if the id needs none; null if the id or the label is not valid. */
export function writeMention(userID: string, label: string | null): string | null {
  if (!isID(userID) || !isLabel(label ?? '')) return null
  return label === null && needsNoPipe(userID) ? `<@${userID}>` : `<@${userID}|${label ?? ''}>`
}

/** Whether a bare link with this URL needs no escape, except perhaps before its last character (§3.5). */
export function isBareUrl(url: string): boolean {
  return /^https?:\/\/(?:[^\\<]|\\[a-z\d])*$/i.test(url)
}

/** Returns the URL of a named link with the escapes that it needs (§3.4); null if a named link cannot have this URL. */
export function linkTarget(url: string): string | null {
  if (/^https?:[\w!#$&'*+,\-./:;=?@~%]*$/i.test(url)) return url
  const target = url.replace(/\\+|</g, (part, at: number) => {
    // Backslashes are doubled if they would escape the next character, which may be the parenthesis after the URL.
    const end = at + part.length
    return part === '<' ? '\\<' : end === url.length || isEscapable(url.charCodeAt(end), IN_URL) ? part + part : part
  })
  return [target, target.replace(/[()]/g, '\\$&')].find((candidate) => isLinkTarget(candidate, url)) ?? null
}

/** Whether the parser reads a text in parentheses as this URL of a named link. */
function isLinkTarget(target: string, url: string): boolean {
  const [block] = parse(`[a](${target})`, { position: false }).children
  const [link, ...others] = block?.type === 'paragraph' ? block.children : []
  return link?.type === 'link' && link.url === url && others.length === 0
}

/** Writes fenced code (§2), with enough backticks that no line of the value closes it. */
export function writeFenced(lang: string, value: string): string {
  const source = spellFenced(FENCE, lang, value)
  if (!value.includes(FENCE) || parse(source, { position: false }).children.length === 1) return source
  // Only backticks at the end of a line can close fenced code, so no others are counted.
  const runs = Array.from(value.matchAll(/`+(?=[ \t]*$)/gm), ([run]) => run.length)
  return spellFenced('`'.repeat(Math.max(...runs) + 1), lang, value)
}

function spellFenced(fence: string, lang: string, value: string): string {
  return value === '' ? `${fence}${lang}\n${fence}` : `${fence}${lang}\n${value}\n${fence}`
}

/** Writes a file (§2). */
export function writeFile(fileID: string, label: string | null): string {
  return `<!${fileID}|${label ?? ''}>`
}
