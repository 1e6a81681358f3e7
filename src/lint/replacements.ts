/** Functions that return the replacement of a match of a rule: '' for no replacement, null if nothing is wrong. */

import { delimiterOf, delimiterText } from '../delimiters.js'
import { parse } from '../index.js'
import { firstSpecial, PLAIN } from '../parse/blocks.js'
import { encodeUrl, isSafeUrl } from '../render/escape.js'
import type { Formatting } from '../tree.js'

export interface Match {
  /** The source text of the whole match, and of each group. */
  readonly parts: readonly string[]
  /** The plain text in which the pattern was found, and the index of the match. */
  readonly text: string
  readonly index: number
}

/** Checks that a numbered line is followed by another one. A single line is not a list: `1. FC Köln won`. */
export function replaceNumber({ text, index }: Match): string | null {
  return /[\r\n][ \t]*[12][.)][ \t]+\S/.test(text.slice(index, index + NEXT_NUMBER_MAX)) ? '' : null
}

/** Maximum distance of the next number. Without it, many lines that begin with `1.` would take quadratic time. */
const NEXT_NUMBER_MAX = 2_000

const MARKUP_WORD = /\b(?:tags?|balises?|etiquetas?|html|xml|elements?|markdown|markup|gfm|syntax)\b/i
const ADVICE_WORD =
  /\b(?:us(?:e|es|ing)|typ(?:e|ing)|writ(?:e|ing)|wrap|put|insert|enter|replace|supports?|allows?|called)\b[^.!?]*$|["'“„«‘][ \t]*$/i
const CONTEXT_LENGTH = 200

/** Whether a sentence is about the markup in it, so that the markup must stay: `type <b>x</b> for bold text`. */
export function isAboutMarkup({ parts: [whole = ''], text, index }: Match): boolean {
  const before = text.slice(Math.max(index - CONTEXT_LENGTH, 0), index).replace(/^.*[\r\n]/s, '')
  const after = text.slice(index + whole.length, index + whole.length + CONTEXT_LENGTH).replace(/[\r\n].*$/s, '')
  return ADVICE_WORD.test(before) || MARKUP_WORD.test(before) || MARKUP_WORD.test(after)
}

/**
 * Checks that a pair of `_` or `-` was meant as formatting: it has words, and would format if white space were around it. A sign
 * directly before the pair is a slip: `Note:_see below_`. Before a sign like `&`, only several words count: one word may be a name.
 */
export function replacePair({ parts: [whole = '', mark], text, index }: Match): string | null {
  const [before, after] = [text.charAt(index - 1), text.charAt(index + whole.length)]
  const isSlip = (mark === '_' ? /[:;,!?…¡¿€£]/ : /[,!?…¡¿]/).test(before)
  const isPhrase = mark === '_' && /\s/.test(whole) && /^\s?$/.test(before) && /[€£$=+&“„«¿¡(]/.test(after)
  if (!isSlip && !isPhrase) return null
  const [block] = parse(`x ${whole} x`, { position: false }).children
  const isPair = block?.type === 'paragraph' && block.children.length === 3 && block.children[1]?.type !== 'text'
  return isPair ? '' : null
}

/** Whether Slack notifies people or writes a date with this id, for example `here`. In the dialect, a file could have the same id. */
export function isSlackID(id: string): boolean {
  return /^(?:here|channel|everyone|(?:subteam|date)\^.*)$/.test(id)
}

export function replaceSlackReference({ parts: [, sign, id = '', label = ''] }: Match): string | null {
  // A label that contains markup is not offered, because it would not be text.
  const plainLabel = firstSpecial(label) === PLAIN ? label : ''
  if (sign === '#') return /^[CG][A-Z\d]{4,}$/.test(id) ? plainLabel && `#${plainLabel}` : null
  return isSlackID(id) ? (id.includes('^') ? plainLabel : `@${id}`) : null
}

/** Relative URLs: paths, file names and hosts. They cannot be resolved, because a message has no base URL. */
const RELATIVE_URL =
  /^(?:\.{0,2}\/|#)|^[^:]+\.(?:md|html?|pdf|txt|png|jpe?g|com|org|net|io|dev)(?:#|$)|^[\w.-]+\/[\w./#?=&-]+$/i

/** Replaces `&amp;`, which HTML and Slack write for `&` in a URL. */
function withoutReferences(url: string): string {
  return url.replaceAll('&amp;', '&')
}

const CHARACTER_REFERENCE = /&#?\w+;/

export function replaceLink({ parts: [whole, label = '', target = ''] }: Match): string | null {
  // A URL that contains a bracket may continue after the match, so no replacement is offered.
  if (/[()[\]]/.test(target)) return ''
  // The title and the angle brackets of `<url> "title"` are removed.
  const url = target
    .trim()
    .replace(/\s(?:"[^"]*"|'[^']*')$/, '')
    .trim()
    .replace(/^<(.*)>$/, '$1')
  const isHttp = /^https?:\/\//i.test(url)
  if (label.trim() === '') return isHttp ? url : null
  if (/^www\./i.test(url)) return `[${label}](https://${url})`
  if (!isHttp) return RELATIVE_URL.test(url) && !/\s/.test(url) ? '' : null
  const replacement = `[${label}](${url.replace(/[\s<>]/g, encodeURIComponent)})`
  return replacement === whole ? null : replacement
}

/** Replaces `<url|label>` of Slack and `<url>` of GFM. */
export function replaceAngleUrl({ parts }: Match): string | null {
  const [encodedUrl = '', label] = (parts[1] ?? '').split('|')
  const url = withoutReferences(encodedUrl)
  if (/\s/.test(url)) return null
  const linkText = label ?? url.replace(/^mailto:/, '')
  return linkText === url || linkText === '' ? url : `[${linkText}](${url})`
}

export function replaceTag({
  parts: [, strong, emphasis, underline, strike, code, url = '', text = ''],
}: Match): string {
  if (CHARACTER_REFERENCE.test(text) || CHARACTER_REFERENCE.test(withoutReferences(url))) return ''
  if (url) return isSafeUrl(url) ? `[${text}](${withoutReferences(url)})` : ''
  if (code && text.includes('`')) return ''
  const type = strong ? 'strong' : emphasis ? 'emphasis' : underline ? 'underline' : strike ? 'delete' : null
  if (type !== null) return withDelimiters(type, text)
  return code ? `\`${text}\`` : text
}

/** Returns the text between the delimiters of a kind of formatting. */
export function withDelimiters(type: Formatting['type'], text: string): string {
  const mark = delimiterText(delimiterOf(type))
  return mark + text + mark
}

/**
 * Decides whether an unclosed delimiter is a mistake, unlike `**kwargs` or the star of a footnote. It is a mistake if it starts a
 * line, if only words follow it, if white space precedes a closer, or if its line has delimiters that are closed.
 */
export function replaceMarker({
  parts: [whole = '', marker = '', before = '', rest = ''],
  text,
  index,
}: Match): string | null {
  const visibleText = text.slice(index - before.length, index + whole.length)
  const isClosed = /\s\*\*(?![\p{L}\p{N}*])/u.test(visibleText.slice(-rest.length))
  const hasClosedMarkers = (before + whole).split(marker).length > visibleText.split(marker).length
  const isPhrase = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)+[.!?]?\s*$/u.test(rest)
  return before.trim() === '' || isPhrase || isClosed || hasClosedMarkers ? '' : null
}

/** Whether the text of a link is a URL that is not the start of the link's own URL. */
export function isOtherUrl(label: string, url: string): boolean {
  const text = label.trim()
  if (!/^(?:(?:https?:\/\/|www\.)\S+|[\w.-]+\.(?:com|org|net|edu|gov)(?:[/?#]\S*)?)$/i.test(text)) return false
  const [textUrl = '', linkUrl = ''] = [text.replace(/(?:…|\.{3}).*$/s, ''), url].map((each) => {
    return encodeUrl(each)
      .replace(/^(?:https?:\/\/)?(?:www\.)?/i, '')
      .replace(/\/$/, '')
      .toLowerCase()
  })
  const isShortened = /…|\.{3}/.test(text) && textUrl.includes('/')
  return !linkUrl.startsWith(textUrl) || !(isShortened || /^(?:[/?#]|$)/.test(linkUrl.slice(textUrl.length)))
}

/** Maximum number of characters of a quotation in a reason. */
const QUOTED_LENGTH_MAX = 24

/** Returns the text in backticks if it is short and ASCII, so that columns of reports stay aligned. Else returns `otherwise`. */
export function inBackticks(text: string, otherwise = 'This'): string {
  return /^[\x20-\x5f\x61-\x7e]+$/.test(text) && text.length <= QUOTED_LENGTH_MAX ? `\`${text}\`` : otherwise
}
