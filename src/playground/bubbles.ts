/**
 * Draws messages as messengers show them, from the data that a bot sends: Telegram's text and entities, Slack's blocks, the Markdown
 * of Discord and WhatsApp. The HTML has only elements of formatting; `safe-html.ts` would remove any other.
 */

import type { TelegramEntity, TelegramMessage } from '../messengers/index.js'
import { escapeAttribute, escapeText } from '../render/escape.js'

/** The HTML elements for the types of Telegram's entities. */
const entityElements: Readonly<Record<string, string>> = {
  ...{ bold: 'b', italic: 'i', underline: 'u', strikethrough: 's', spoiler: 's', code: 'code', pre: 'pre' },
  ...{ blockquote: 'blockquote', expandable_blockquote: 'blockquote', text_mention: 'b' },
}

/** Draws a message of Telegram: slices its text at the entities, and wraps each slice. */
export function telegramBubble({ text, entities }: Pick<TelegramMessage, 'text' | 'entities'>): string {
  // Outer entities are sorted before inner entities.
  const remaining = entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length)
  const drawTo = (start: number, end: number): string => {
    let [html, at] = ['', start]
    for (let entity = remaining[0]; entity !== undefined && entity.offset < end; entity = remaining[0]) {
      remaining.shift()
      const close = Math.min(entity.offset + entity.length, end)
      html += escapeText(text.slice(at, entity.offset)) + wrapEntity(entity, drawTo(entity.offset, close))
      at = close
    }
    return html + escapeText(text.slice(at, end))
  }
  return withoutBlankLines(drawTo(0, text.length))
}

function wrapEntity(entity: TelegramEntity, html: string): string {
  if (entity.type === 'text_link') return linkHtml(entity.url, html)
  const name = entityElements[entity.type]
  return name === undefined ? html : `<${name}>${html}</${name}>`
}

/** An element of Slack's rich text: a block, a list, a text. Its fields depend on its type. */
interface SlackElement {
  readonly type: string
  readonly elements?: readonly SlackElement[]
  readonly text?: string
  readonly url?: string
  readonly user_id?: string
  readonly style?: string | { readonly [name in keyof typeof slackStyles]?: boolean }
  readonly indent?: number
  readonly offset?: number
}

export function slackBubble(blocks: readonly SlackElement[]): string {
  return blocks.map((block) => drawSlack(block)).join('')
}

const slackBlocks: Readonly<Record<string, string>> = {
  ...{ rich_text_section: 'p', rich_text_quote: 'blockquote', rich_text_preformatted: 'pre' },
}

function drawSlack(element: SlackElement): string {
  const { type, elements = [], text = '', url, user_id: userID, style, indent = 0, offset = 0 } = element
  const [name, inner] = [slackBlocks[type], elements.map(drawSlack)]
  if (name !== undefined) return `<${name}>${inner.join('')}</${name}>`
  if (type === 'rich_text_list') {
    const items = inner.map((item) => `<li>${item}</li>`).join('')
    return indentList(style === 'ordered' ? `<ol start="${offset + 1}">${items}</ol>` : `<ul>${items}</ul>`, indent)
  }
  if (url !== undefined) return linkHtml(url, withStyle(escapeText(text || url), style))
  return inner.join('') + withStyle(escapeText(userID === undefined ? text : `@${userID}`), style)
}

const slackStyles = { code: 'code', strike: 's', underline: 'u', italic: 'i', bold: 'b' } as const

function withStyle(html: string, style: SlackElement['style']): string {
  if (typeof style !== 'object') return html
  return Object.entries(slackStyles).reduce(
    (inner, [name, tag]) => (Object.hasOwn(style, name) ? `<${tag}>${inner}</${tag}>` : inner),
    html,
  )
}

/** An inline construct: its pattern, and a function that returns its HTML. `inner` draws the text inside the construct. */
type Rule = readonly [pattern: RegExp, draw: (match: readonly string[], inner: (text: string) => string) => string]

const bareUrl: Rule = [/https?:\/\/[^\s<>]*[^\s<>.,:;"')\]*_~]/y, ([url = '']) => linkHtml(url, escapeText(url))]
const codeSpan: Rule = [
  /(`+)(?!`)((?:[^`]|(?!\1(?!`))`)+)\1(?!`)/y,
  ([, , code = '']) => `<code>${escapeText(code.trim())}</code>`,
]
const formattingRule = (pattern: RegExp, name: string): Rule => [
  pattern,
  ([, text = ''], inner) => `<${name}>${inner(text)}</${name}>`,
]

/** A word, or a character that formats nothing. */
const plain: Rule = [/[\p{L}\p{N}]+|[\s\S]/uy, ([text = '']) => escapeText(text)]

const discordRules: readonly Rule[] = [
  [/\\([^A-Za-z\d\s])/y, ([, character = '']) => escapeText(character)],
  codeSpan,
  [/<(https?:[^>\s]+)>/y, ([, url = '']) => linkHtml(url, escapeText(url))],
  [/<@[!&]?(\d+)>/y, ([, id = '']) => `<b>@${id}</b>`],
  [
    /\[((?:\\.|\[[^\]]*\]|[^[\]\\])+)\]\(<?([^)\s>]+)>?\)/y,
    ([, label = '', url = ''], inner) => linkHtml(url, inner(label)),
  ],
  bareUrl,
  formattingRule(/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, 'b'),
  formattingRule(/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, 'u'),
  formattingRule(/~~((?:\\[\s\S]|[^\\])+?)~~(?!_)/y, 's'),
  formattingRule(/\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:[^*\s\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y, 'i'),
  formattingRule(/(?<![A-Za-z\d])_((?:__|\\[\s\S]|[^\\_])+?)_(?![A-Za-z\d])/y, 'i'),
]

/** Matches a pair of marks with no letter or digit directly outside, and no white space or U+2060 directly inside. */
const pairOf = (mark: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${mark}((?![\\s\\u2060])[^\\n]*?[^\\s\\u2060])${mark}(?![\\p{L}\\p{N}])`, 'uy')

const whatsAppRules: readonly Rule[] = [
  [/```(?!\u2060)([\s\S]+?)```/y, ([, code = '']) => `<code>${escapeText(code)}</code>`],
  [/`(?!\u2060)([^`\n]*[^`\n\u2060])`/y, ([, code = '']) => `<code>${escapeText(code)}</code>`],
  bareUrl,
  formattingRule(pairOf('\\*'), 'b'),
  formattingRule(pairOf('_'), 'i'),
  formattingRule(pairOf('~'), 's'),
]

/** The constructs that a messenger parses in the lines of its messages. */
interface Grammar {
  readonly rules: readonly Rule[]
  /** Matches the start of a heading; the first group is the marker. */
  readonly heading?: RegExp
}

export function discordBubble(text: string): string {
  return drawLines(text.split('\n'), { rules: discordRules, heading: /^(#{1,3}|-#) +(?=\S)/ })
}

export function whatsAppBubble(text: string): string {
  return drawLines(text.split('\n'), { rules: whatsAppRules })
}

/** Draws lines: blocks, and paragraphs of the lines between them. */
function drawLines(lines: readonly string[], grammar: Grammar): string {
  let [html, paragraph]: [string, string[]] = ['', []]
  const endParagraph = (): void => {
    if (paragraph.length > 0) html += `<p>${drawInline(paragraph.join('\n'), grammar.rules)}</p>`
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const [count, block] = blockAt(lines, at, grammar)
    if (count === 0) paragraph.push(lines[at] ?? '')
    else endParagraph()
    html += block
    at += Math.max(count, 1)
  }
  endParagraph()
  return html
}

const FENCE = /^```[\w+\-.#]*$/
const ITEM = /^( *)(?:[-*]|(\d+)\.) (.*)$/

/** Draws the block that begins at a line, and counts its lines: 0 if the line belongs to a paragraph. */
function blockAt(lines: readonly string[], at: number, grammar: Grammar): readonly [count: number, html: string] {
  const line = lines[at] ?? ''
  if (line === '') return [1, '']
  const close = FENCE.test(line) ? lines.indexOf('```', at + 1) : -1
  if (close > 0) return [close - at + 1, `<pre>${escapeText(lines.slice(at + 1, close).join('\n'))}</pre>`]
  const quotedLines = runAt(lines, at, /^> /)
  if (quotedLines.length > 0) {
    const inner = drawLines(
      quotedLines.map((each) => each.slice(2)),
      grammar,
    )
    return [quotedLines.length, `<blockquote>${inner}</blockquote>`]
  }
  const items = runAt(lines, at, ITEM)
  if (items.length > 0) return [items.length, drawItems(items, grammar.rules)]
  const [start = '', marker = ''] = grammar.heading?.exec(line) ?? []
  if (marker === '') return [0, '']
  const name = marker === '-#' ? 'small' : `h${marker.length}`
  return [1, `<${name}>${drawInline(line.slice(start.length), grammar.rules)}</${name}>`]
}

/** Returns the consecutive lines from `at` on that match the pattern. */
function runAt(lines: readonly string[], at: number, pattern: RegExp): readonly string[] {
  const end = lines.findIndex((line, index) => index >= at && !pattern.test(line))
  return lines.slice(at, end < 0 ? lines.length : end)
}

/** Draws items, each as its own list, indented like the item. */
function drawItems(lines: readonly string[], rules: readonly Rule[]): string {
  const items = lines.map((line) => ITEM.exec(line) ?? [])
  const levels = [...new Set(items.map(([, indent = '']) => indent.length))].toSorted((one, other) => one - other)
  return items
    .map(([, indent = '', number, text = '']) => {
      const item = `<li>${drawInline(text, rules)}</li>`
      const list = number === undefined ? `<ul>${item}</ul>` : `<ol start="${number}">${item}</ol>`
      return indentList(list, levels.indexOf(indent.length))
    })
    .join('')
}

function drawInline(text: string, rules: readonly Rule[]): string {
  const inner = (part: string): string => drawInline(part, rules)
  let html = ''
  for (let at = 0; at < text.length; ) {
    const [end, drawn] = constructAt(text, at, rules, inner)
    html += drawn
    at = end
  }
  return html
}

function constructAt(
  text: string,
  at: number,
  rules: readonly Rule[],
  inner: (text: string) => string,
): readonly [end: number, html: string] {
  for (const [pattern, draw] of [...rules, plain]) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) return [pattern.lastIndex, draw(match, inner)]
  }
  return [text.length, '']
}

/** Draws a link, or only its text if the scheme is not http, https or mailto. */
function linkHtml(url: string, html: string): string {
  return /^(?:https?|mailto):/i.test(url) ? `<a href="${escapeAttribute(url)}">${html}</a>` : html
}

function indentList(html: string, depth: number): string {
  return `${'<div class="indent">'.repeat(depth)}${html}${'</div>'.repeat(depth)}`
}

/** Removes the blank lines around blocks, which have margins instead. */
function withoutBlankLines(html: string): string {
  return html.replace(/\n{1,2}(?=<(?:pre|blockquote)>)|(?<=<\/(?:pre|blockquote)>)\n{1,2}/g, '')
}
