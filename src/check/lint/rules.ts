/** The rules: what each looks for, and what it says. */
import { isPlain } from '../../parse/index.js'
import { fileOf } from '../../parse/mention.js'
import { isSafeUrl } from '../../render/escape.js'

export type RuleId =
  | 'heading-depth'
  | 'bullet'
  | 'ordered-list'
  | 'quote'
  | 'table'
  | 'strikethrough'
  | 'double-underscore'
  | 'html'
  | 'image'
  | 'angle-url'
  | 'mention-id'
  | 'slack-reference'
  | 'link-target'
  | 'link-scheme'
  | 'file-alone'
  | 'unclosed-marker'
  | 'unclosed-fence'
  | 'bidirectional'
  | 'invisible'
  | 'limit'

export interface Rule {
  /** A sentence. */
  readonly reason: string
  /**
   * What looks like it in plain text, where everything else is hidden (`text.ts`); the group `at`, if there is one, is
   * the place. No pattern reads a character more than a few times, whatever it meets. Without one, the rule is asked
   * of the tree or the limits.
   */
  readonly pattern?: RegExp
  /** Whether the pattern is asked of everything. */
  readonly isEverywhere?: true
  /** What stands there instead, empty where nothing does; null where the writer has meant what is there. */
  readonly meant?: (match: Match) => string | null
  /** What stands there instead is text; else it has to be a node. */
  readonly isText?: true
}

const expressions: Map<string, RegExp> = /* @__PURE__ */ new Map()

/**
 * An expression of Unicode properties, made when it is first asked for: an engine reads those of a literal along with the
 * file, even where it never runs, and takes longer for that than for all the rest of an import.
 */
function expression(source: string, flags: string): RegExp {
  const made = expressions.get(source) ?? new RegExp(source, flags)
  expressions.set(source, made)
  return made
}

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

function isItem({ text, index }: Match): boolean {
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

function slackReferenceMeant({ parts: [, sign, id = '', label = ''] }: Match): string | null {
  // A label that would be markup is not offered as text.
  const shown = isPlain(label) ? label : ''
  if (sign === '#') return /^[CG][A-Z\d]{4,}$/.test(id) ? shown && `#${shown}` : null
  return isSlackID(id) ? (id.includes('^') ? shown : `@${id}`) : null
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

function linkMeant(match: Match): string | null {
  const {
    parts: [whole, label = '', target = ''],
  } = match
  // A bare link that holds a bracket may go on behind the target.
  if (/[()[\]]/.test(target)) return ''
  // <url> and "title"
  const url = target
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
function angleMeant(match: Match): string | null {
  const [address = '', label] = (match.parts[1] ?? '').split('|')
  const url = withoutReferences(address)
  if (/\s/.test(url)) return null
  const shown = label ?? url.replace(/^mailto:/, '')
  return shown === url || shown === '' ? bareOrNamed(url, match) : `[${shown}](${url})`
}

function tagMeant({ parts: [, strong, emphasis, underline, strike, code, url, text = ''] }: Match): string {
  if (REFERENCE.test(text) || REFERENCE.test(withoutReferences(url ?? ''))) return ''
  if (url) return isSafeUrl(url) ? `[${text}](${withoutReferences(url)})` : ''
  if (code && text.includes('`')) return ''
  const marker = strong ? '**' : emphasis ? '*' : underline ? '_' : strike ? '-' : code ? '`' : ''
  return marker + text + marker
}

/**
 * An opener alone proves nothing: `**kwargs` and footnotes are typed as they are meant. It takes one at the beginning of
 * a line or before nothing but words, a closer behind white space, or others on the line that have found their partners.
 */
function markerMeant({ parts: [whole = '', marker = '', before = '', rest = ''], text, index }: Match): string | null {
  const visible = text.slice(index - before.length, index + whole.length)
  const isClosed = expression(String.raw`\s\*\*(?![\p{L}\p{N}*])`, 'u').test(visible.slice(-rest.length))
  const isKnown = (before + whole).split(marker).length > visible.split(marker).length
  const isPhrase = expression(String.raw`^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)+[.!?]?\s*$`, 'u').test(rest)
  return before.trim() === '' || isPhrase || isClosed || isKnown ? '' : null
}

export const rules: Readonly<Record<RuleId, Rule>> = {
  'heading-depth': {
    reason: 'Probably a heading: it has `#` or `##`.',
    pattern: /#{3,6}(?<=^[ \t]*#{3,6})(?=[ \t]+\S)/gm,
    meant: () => '##',
    isText: true,
  },
  bullet: {
    reason: 'Probably a list: `* ` begins an item.',
    // Not what is a rule to CommonMark, nor what would be no item.
    pattern: /[-+](?<=^[ \t]*.)(?=[ \t]{1,3}\S)(?!(?:[ \t]*[-+*_])+[ \t]*$|[ \t]+\*[ \t])/gm,
    meant: (match) => (isItem(match) ? '*' : null),
    isText: true,
  },
  'ordered-list': {
    reason: 'Probably a numbered list: there are none, the numbers stay as typed.',
    // Not 1. e4 e5 2. Nf3
    pattern: /1[.)](?<=^[ \t]*..)(?=[ \t]+\S)(?!.*[ \t]2[.)][ \t])/gm,
  },
  quote: {
    reason: 'Probably a quotation: there are none, the `>` stays as typed.',
    // Not > 90% of them
    pattern: />(?<=^[ \t]*.)(?=[ \t]+[^\s\d])(?<!^[ \t]*>.*(?:\r\n?|\n)[ \t]*>)/gm,
  },
  table: {
    reason: 'Probably a table: there are none, but fenced code keeps columns.',
    pattern: /^(?<=\|.*(?:\r\n?|\n))[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/gm,
  },
  strikethrough: {
    reason: 'Probably struck text: it is `-x-`.',
    pattern: /~~(?<![~\\]..)(?![~\s])([^~\r\n]*[^~\s])~~(?!~)/dg,
    meant: ({ parts }) => `-${parts[1]}-`,
  },
  'double-underscore': {
    reason: 'Probably bold text: it is `**x**`.',
    get pattern() {
      return expression(String.raw`__(?<![\p{L}\p{N}_]..)(?![_\s])([^_\r\n]*[^_\s])__(?![\p{L}\p{N}_])`, 'dgu')
    },
    // __init__ and __(really)__ are names.
    meant: ({ parts: [, text = ''] }) =>
      expression(String.raw`^\(?(?:[a-z]\w+|[A-Z][A-Z\d_]+)\)?$|^[^\p{L}\p{N}]*$`, 'u').test(text)
        ? null
        : `**${text}**`,
  },
  html: {
    reason: 'Probably HTML: there is none, tags stay as typed.',
    get pattern() {
      return expression(
        String.raw`<(?:(b|strong)|(i|em)|(u|ins)|(s|del|strike)|(code)|a href=["']([^"'<>\s]*)["'])>([^<\r\n]*)<\/[a-z]+>|<br ?\/?>(?<=\S<[^<]*)|<(?:(?:b|strong|em)|(?:img|a) \w+=[^<>\r\n]*)>(?<![\p{L}\p{N}]<[^<]*)`,
        'dgiu',
      )
    },
    meant: tagMeant,
  },
  image: {
    reason: 'Probably an image: upload it; `<!id|>` alone on a line shows it.',
    pattern: /!\[[^[\]\r\n]*\]\([^()\r\n]*\)/g,
  },
  'angle-url': {
    reason: 'Probably a link: it is the url alone, or `[label](url)`.',
    pattern: /<(?<!\]\(.)((?:\uFDD1|mailto:)[^<>\r\n]*)>/dg,
    meant: angleMeant,
  },
  'mention-id': {
    reason: 'Probably a mention: an id without a digit needs a `|` behind it.',
    get pattern() {
      return expression(String.raw`<@(?<![\p{L}\p{N}]..)([\w.-]{1,128})>`, 'dgu')
    },
    meant: ({ parts }) => `<@${parts[1]}|>`,
  },
  'slack-reference': {
    reason: "Probably Slack's: it notifies nobody and leads nowhere.",
    pattern: /<([!#])([^<>|\r\n]+)(?:\|([^<>|\r\n]*))?>/dg,
    meant: slackReferenceMeant,
    isText: true,
  },
  'link-target': {
    reason: 'Probably a link: its url has a scheme, no space and no title, its label is not blank.',
    // handlers[event](payload.md) is a call.
    get pattern() {
      return expression(String.raw`\[(?<![\p{L}\p{N}\])}!].)([^[\]\r\n]*)\]\(([^()\r\n]*)\)`, 'dgu')
    },
    meant: linkMeant,
  },
  'link-scheme': { reason: 'Not shown as a link: only http, https and mailto are.' },
  'file-alone': {
    reason: 'Probably a file: it stands alone on its line.',
    pattern: /<![^<>|\r\n]+\|[^<>|\r\n]*>/dg,
    meant: ({ parts: [line = ''] }) => (isSlackID(fileOf(line)?.id ?? 'here') ? null : ''),
  },
  'unclosed-marker': {
    reason: 'Nothing closes this marker: it is text.',
    get pattern() {
      return expression(
        String.raw`(?<at>(?<!\*)\*\*+(?!\*)|\x60)(?<![\p{L}\p{N}*_/\\\x60]\1)(?=[\p{L}\p{N}\uFDD0\uFDD1])(?!kw)(?<=^(.*)\1)(.*)`,
        'dgmu',
      )
    },
    meant: markerMeant,
  },
  'unclosed-fence': { reason: 'Nothing closes this fence: all behind it is code.' },
  bidirectional: {
    reason: 'This reorders the text as it is shown.',
    // Not the marks U+200E, U+200F and U+061C, which texts of both directions need.
    pattern: /[\u202A-\u202E\u2066-\u2069]+/g,
    isEverywhere: true,
    meant: () => '',
  },
  invisible: {
    reason: 'Nobody can see this.',
    // Not joiners, variation selectors and tags: scripts and emoji need them.
    get pattern() {
      return expression(
        String.raw`[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F\xAD\u115F\u1160\u180E\u200B\u2060-\u2064\u3164\uFEFF\uFFA0\p{Cs}]+`,
        'gu',
      )
    },
    isEverywhere: true,
    meant: () => '',
  },
  limit: { reason: 'The service takes' },
}
