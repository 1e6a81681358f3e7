/** What was meant by what a pattern has found, if it was meant at all. */
import { delimiterOf, delimiterText } from '../../delimiters.js'
import { parse } from '../../parse/index.js'
import { firstSpecial, PLAIN } from '../../parse/plain.js'
import { isSafeUrl } from '../../render/escape.js'
import type { Formatting } from '../../tree.js'
import { expression } from './expression.js'

export interface Match {
  /** The groups of the match, as the source has them. */
  readonly parts: readonly string[]
  /** The plain text, and where the match is. */
  readonly text: string
  readonly index: number
}

/** Two items in a row, or one behind a colon. A heading in place of an item does no harm. */
const NEXT_ITEM = /([-+]).*(?:[\r\n][ \t]*)+(?:\1|\uFDD0)[ \t]/y
const BEHIND_ITEM = /(?<=(?:^[ \t]*[-+\uFDD0][ \t].*|:[*_\uFDD0 \t]*)(?:[\r\n][ \t]*)+)[-+]/my
/** One item at the beginning of a paragraph; it is a few words, lest it be a remark, YAML or a line of a diff. */
const SHORT_ITEM = /(?<!\S[ \t]*(?:\r\n?|\n)[ \t]*)-(?:[ \t]+\[[ xX]\]|(?:[ \t]+[^\s:]+){1,3}[ \t]*$)/my

/** A name at the end of a message. */
const SIGNATURE = /^-[ \t]+[A-ZÀ-Þ][^\s:]*(?:[ \t]+[A-ZÀ-Þ][^\s:]*)?\s*$/
const SIGNATURE_MAX = 80

export function isItem({ text, index }: Match): boolean {
  const isAtEnd = index > 0 && text.length - index < SIGNATURE_MAX
  const isSigned = isAtEnd && SIGNATURE.test(text.slice(index))
  return [NEXT_ITEM, BEHIND_ITEM, ...(isSigned ? [] : [SHORT_ITEM])].some((pattern) => {
    pattern.lastIndex = index
    return pattern.test(text)
  })
}

/** Slack notifies people with it, or it is a date; here it is a file. */
export function isSlackID(id: string): boolean {
  return /^(?:here|channel|everyone|(?:subteam|date)\^.*)$/.test(id)
}

export function slackReferenceMeant({ parts: [, sign, id = '', label = ''] }: Match): string | null {
  // A label that would be markup is not offered as text.
  const shown = firstSpecial(label) === PLAIN ? label : ''
  if (sign === '#') return /^[CG][A-Z\d]{4,}$/.test(id) ? shown && `#${shown}` : null
  return isSlackID(id) ? (id.includes('^') ? shown : `@${id}`) : null
}

/** The id of the file that a line is. */
export function fileIDOf(line: string): string | undefined {
  const [block] = parse(line, { position: false }).children
  return block?.type === 'file' ? block.fileID : undefined
}

/** Paths, files and hosts, to which a message is at no place. */
const RELATIVE =
  /^(?:\.{0,2}\/|#)|^[^:]+\.(?:md|html?|pdf|txt|png|jpe?g|com|org|net|io|dev)(?:#|$)|^[\w.-]+\/[\w./#?=&-]+$/i

/** Only where nothing can become part of it is a url a link by itself. */
function bareOrNamed(url: string, { parts: [whole = ''], text, index }: Match): string {
  const before = text.slice(Math.max(index - 1, 0), index)
  const after = text.slice(index + whole.length, index + whole.length + 9)
  const isApart = /^[\s("'[:]?$/.test(before) && /^[?!.,:;'")\]]*(?:\s|$)/.test(after)
  return isApart ? url : `[${url}](${url})`
}

/** HTML and Slack write `&amp;` for `&` in a url. */
function withoutReferences(url: string): string {
  return url.replaceAll('&amp;', '&')
}

const REFERENCE = /&#?\w+;/

export function linkMeant(match: Match): string | null {
  const {
    parts: [whole, label = '', target = ''],
  } = match
  // A bare link that holds a bracket may go on behind the target.
  if (/[()[\]]/.test(target)) return ''
  // <url> and "title"
  const url = target
    .trim()
    .replace(/\s(?:"[^"]*"|'[^']*')$/, '')
    .trim()
    .replace(/^<(.*)>$/, '$1')
  const isWeb = /^https?:\/\//i.test(url)
  if (label.trim() === '') return isWeb ? bareOrNamed(url, match) : null
  if (/^www\./i.test(url)) return `[${label}](https://${url})`
  if (!isWeb) return RELATIVE.test(url) && !/\s/.test(url) ? '' : null
  const meant = `[${label}](${url.replace(/[\s<>]/g, encodeURIComponent)})`
  return meant === whole ? null : meant
}

/** Slack has `<url|label>`, GFM `<url>`. */
export function angleMeant(match: Match): string | null {
  const [address = '', label] = (match.parts[1] ?? '').split('|')
  const url = withoutReferences(address)
  if (/\s/.test(url)) return null
  const shown = label ?? url.replace(/^mailto:/, '')
  return shown === url || shown === '' ? bareOrNamed(url, match) : `[${shown}](${url})`
}

export function tagMeant({ parts: [, strong, emphasis, underline, strike, code, url = '', text = ''] }: Match): string {
  if (REFERENCE.test(text) || REFERENCE.test(withoutReferences(url))) return ''
  if (url) return isSafeUrl(url) ? `[${text}](${withoutReferences(url)})` : ''
  if (code && text.includes('`')) return ''
  const type = strong ? 'strong' : emphasis ? 'emphasis' : underline ? 'underline' : strike ? 'delete' : null
  if (type !== null) return formatted(type, text)
  return code ? `\`${text}\`` : text
}

/** A text with the delimiters around it that make it so. */
export function formatted(type: Formatting['type'], text: string): string {
  const mark = delimiterText(delimiterOf(type))
  return mark + text + mark
}

/**
 * An opener alone proves nothing: `**kwargs` and footnotes are typed as they are meant. It takes one at the beginning of
 * a line or before nothing but words, a closer behind white space, or others on the line that have found their partners.
 */
export function markerMeant({
  parts: [whole = '', marker = '', before = '', rest = ''],
  text,
  index,
}: Match): string | null {
  const visible = text.slice(index - before.length, index + whole.length)
  const isClosed = expression(String.raw`\s\*\*(?![\p{L}\p{N}*])`, 'u').test(visible.slice(-rest.length))
  const isKnown = (before + whole).split(marker).length > visible.split(marker).length
  const isPhrase = expression(String.raw`^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)+[.!?]?\s*$`, 'u').test(rest)
  return before.trim() === '' || isPhrase || isClosed || isKnown ? '' : null
}
