/** Converts a message to Slack's mrkdwn and to Slack's blocks. */

import { textOf } from '../../convert/lines.js'
import { type Container, type Line, typedMarkers } from '../../convert/markers.js'
import { encodeLink, type ProductRules, type WritingOptions } from '../../convert/names.js'
import { BlockmarkError, type Source } from '../../index.js'
import { isSafeUrl } from '../../render/escape.js'
import { sizeOfBlocks } from '../../split/pack.js'
import type { Link, Phrasing } from '../../tree.js'
import { type Marks, writeMarked } from '../marks.js'
import { asText, convert, fenced, type MessengerOptions, type ProductWriter } from '../message.js'

/**
 * Writes mrkdwn: heading → bold line; item → `•` or its number, and the text; underline → italic; quote → `>` and the text;
 * mention → `@` and a name, or a Slack mention if `mention` returns a Slack id. `&`, `<` and `>` are escaped, so no text can
 * contain a link, a mention or `<!channel>`. mrkdwn has no escape for marks: an invisible U+200B keeps marks in text from formatting.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - `length` (default 40,000 UTF-16 units), names and files, and whether quotes stay text (`literal`); the `id`
 * of a mention is Slack's user id
 * @returns the mrkdwn, for the `text` of a message or of a section
 * @throws {BlockmarkError} `body/too-long` if the text is longer than a message: `toBodies` cuts it
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toSlack('# Done\n**Build** (<@7|Ann>): [log](https://example.com/?a=1&b=2) <!channel> a<b')
 * // => '*Done*\n\n*Build* (@Ann): <https://example.com/?a=1&amp;b=2|log> &lt;!channel&gt; a&lt;b'
 */
export function toSlack(source: Source, options: MessengerOptions = {}): string {
  const [text = '', ...others] = convert(source, options, mrkdwnWriter)
  if (others.length === 0) return text
  const length = options.length ?? mrkdwnWriter.length
  const valid = `a text of ${length} characters at most: cut the source with toBodies and bodyLength: ${Math.ceil(length / 2)}, or half of the one that you used`
  throw new BlockmarkError([{ code: 'body/too-long', path: [], valid, received: 'more' }])
}

/** An invisible character, which Slack reads as white space. */
const GAP = '\u200B'

const marks: Marks = {
  formatting: { strong: '*', emphasis: '_', underline: '_', delete: '~' },
  fenceOf: (value) => (value.includes('`') ? null : '`'),
  gap: GAP,
  reference: (node) => {
    if (node.type === 'mention') return `<@${node.userID}>`
    const [label, target] = [textOf(node.children), escapeControls(encodeLink(node.url))]
    return label === node.url ? `<${target}>` : `<${target}|${escapeText(label)}>`
  },
  escape: (value, isCode) => (isCode ? escapeControls(value) : escapeText(value)),
  lineStart: /^(?=&gt;)/,
}

/** Links that §6 allows, and ids of users: anything else in angle brackets could be another command. */
const slackRules: ProductRules = {
  isLink: ({ url }) => isSafeUrl(url),
  isID: (id) => /^[UW][A-Z0-9]+$/.test(id),
}

const mrkdwnWriter: ProductWriter<string, string> = {
  ...slackRules,
  // Slack cuts off the rest of a longer text.
  length: 40_000,
  lines: (lines) =>
    lines.map((line) => escapeControls(typedMarkers(line)) + writeMarked(line.content ?? [], marks)).join('\n'),
  code: (value) => fenced(escapeControls(value), GAP),
  sizeOf: asText.sizeOf,
  join: (texts) => texts.join('\n\n'),
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text. `@channel` gets a gap, because with `link_names` Slack reads it even without brackets. */
function escapeText(text: string): string {
  return escapeControls(text).replace(/@(?=(?:channel|everyone|group|here)\b)/gi, `@${GAP}`)
}

function escapeControls(text: string): string {
  return text.replace(/[&<>]/g, (character) => references[character] ?? '')
}

/** The formatting of a text. */
type Style = Partial<Record<'bold' | 'italic' | 'underline' | 'strike' | 'code', true>>

type RichTextElement =
  | { type: 'text'; text: string; style?: Style }
  | { type: 'link'; url: string; text: string; style?: Style }
  | { type: 'user'; user_id: string; style?: Style }

interface Section {
  type: 'rich_text_section'
  elements: RichTextElement[]
}

interface RichTextList {
  type: 'rich_text_list'
  style: 'bullet' | 'ordered'
  /** The depth; absent for the outermost list. */
  indent?: number
  /** The number of the first item minus one; absent if this is 0. */
  offset?: number
  elements: Section[]
}

/** A block of Slack's rich text. */
export interface RichTextBlock {
  type: 'rich_text'
  elements: (
    | Section
    | RichTextList
    | { type: 'rich_text_quote'; elements: RichTextElement[] }
    | { type: 'rich_text_preformatted'; elements: { type: 'text'; text: string }[] }
  )[]
}

type Part = RichTextBlock['elements']

/** Maximum number of blocks in a message. */
const BLOCKS_MAX = 50
/** Maximum number of characters in a section. */
const SECTION_MAX = 3_000
/** Maximum length of a message's blocks as JSON. Slack documents no limit, but rejects a length of about 13,200. */
const LENGTH_MAX = 12_000

/**
 * Writes Slack's `rich_text` blocks, within the limits of one message. A mention is `@` and a name, unless `mention` returns a
 * Slack id; nothing else notifies people. A heading is bold. Lines that look like items and quotes (`1. a`, `> b`) are Slack's
 * lists and quotes. A link with a scheme that §6 does not allow is its label and URL.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - names of users and files, and whether lists and quotes stay text (`literal`); the `id` of a mention is
 * Slack's user id
 * @returns the `blocks` of a message; notifications show its `text`, for example `toText(source)`
 * @throws {BlockmarkError} `blocks/too-long` if the blocks do not fit into one message of Slack, `body/too-long` if a mention, a
 * bare URL or a file is longer than a section
 * @throws {TypeError} if the source is not valid
 * @example
 * toSlackBlocks('**Build** by <@7|Ann>', { mention: () => ({ name: 'Ann', id: 'U024BE7LH' }) })
 * // => [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [
 * //   { type: 'text', text: 'Build', style: { bold: true } },
 * //   { type: 'text', text: ' by ' },
 * //   { type: 'user', user_id: 'U024BE7LH' },
 * // ] }] }]
 * @see toBodies, which cuts a longer message: `toBodies(source, { bodyLength: 1_000 }).map((body) => toSlackBlocks(body))`.
 * If a list of very short items is still too long, use half of that length
 */
export function toSlackBlocks(source: Source, options: WritingOptions = {}): RichTextBlock[] {
  const parts = convert(source, { ...options, length: undefined }, blockWriter).flat()
  const partsPerBlock = Math.max(1, Math.ceil(parts.length / BLOCKS_MAX))
  const blocks: RichTextBlock[] = []
  for (let start = 0; start < parts.length; start += partsPerBlock)
    blocks.push({ type: 'rich_text', elements: parts.slice(start, start + partsPerBlock).flat() })
  const { length } = JSON.stringify(blocks)
  if (length <= LENGTH_MAX) return blocks
  const valid = `blocks that are ${LENGTH_MAX} characters of JSON at most: cut the source with toBodies and bodyLength: 1000, or half of the one that you used`
  throw new BlockmarkError([{ code: 'blocks/too-long', path: [], valid, received: `${length}` }])
}

const blockWriter: ProductWriter<Part, readonly Part[]> = {
  ...slackRules,
  length: SECTION_MAX,
  lines: (lines) => {
    const part: Part = []
    for (const line of lines) addLine(part, line)
    return part
  },
  code: (text) => [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  sizeOf: (parts) => sizeOfBlocks(parts.map(lengthOf)),
  join: (parts) => parts,
}

function lengthOf(part: Part): number {
  const all = part.flatMap((element): readonly (RichTextElement | Section)[] => element.elements)
  const leaves = all.flatMap((element) => (element.type === 'rich_text_section' ? element.elements : [element]))
  return leaves.reduce((sum, leaf) => sum + (leaf.type === 'user' ? leaf.user_id : leaf.text).length, 0)
}

/**
 * Adds a line to the last quote, item or section, or starts a new one. Slack has no lists or quotes inside a quote, no quotes inside
 * an item, and no item with the number 0: their markers are text.
 */
function addLine(part: Part, line: Line<readonly Phrasing[]>): void {
  const { containers, continuedCount, content } = line
  const textDepth = containers.findIndex((each) => each.type === 'quote' || each.number === 0)
  const isQuote = containers[0]?.type === 'quote'
  const items = textDepth < 0 ? containers : containers.slice(0, textDepth)
  if (content === null && !isQuote) return
  const last = part.at(-1)
  let elements: RichTextElement[] = []
  if (isQuote && last?.type === 'rich_text_quote') elements = last.elements
  else if (isQuote) part.push({ type: 'rich_text_quote', elements })
  else if (items.length === 0 && last?.type === 'rich_text_section') elements = last.elements
  else if (items.length === 0) part.push({ type: 'rich_text_section', elements })
  else if (items.length <= continuedCount && last?.type === 'rich_text_list')
    elements = last.elements.at(-1)?.elements ?? elements
  else addItem(part, items, { type: 'rich_text_section', elements })
  if (elements.length > 0) addElement(elements, { type: 'text', text: '\n' })
  addElement(elements, { type: 'text', text: typedMarkers(line, isQuote ? 1 : items.length) })
  for (const element of elementsOf(content ?? [], {})) addElement(elements, element)
}

/** Adds an element. Joins texts with the same style, and omits empty ones, which Slack rejects. */
function addElement(elements: RichTextElement[], element: RichTextElement): void {
  const last = elements.at(-1)
  if (element.type === 'text' && element.text === '') return
  if (last?.type === 'text' && element.type === 'text' && isAlike(last.style, element.style))
    elements.splice(-1, 1, { ...last, text: last.text + element.text })
  else elements.push(element)
}

/** Maximum indent of Slack's lists. */
const INDENT_MAX = 8

function addItem(part: Part, items: readonly Container[], section: Section): void {
  const last = part.at(-1)
  const item = items.at(-1)
  const number = item?.type === 'item' ? item.number : null
  const indent = Math.min(items.length - 1, INDENT_MAX)
  const list = last?.type === 'rich_text_list' && (last.indent ?? 0) === indent ? last : null
  const next = list?.style === 'ordered' ? (list.offset ?? 0) + list.elements.length + 1 : null
  if (list !== null && next === number) list.elements.push(section)
  else {
    const style = number === null ? 'bullet' : 'ordered'
    const offset = number !== null && number > 1 ? { offset: number - 1 } : {}
    part.push({ type: 'rich_text_list', style, ...(indent > 0 && { indent }), ...offset, elements: [section] })
  }
}

function isAlike(one: Style = {}, other: Style = {}): boolean {
  return Object.keys({ ...one, ...other }).every((name) => name in one && name in other)
}

const styleByType = { strong: 'bold', emphasis: 'italic', underline: 'underline', delete: 'strike' } as const

function elementsOf(nodes: readonly Phrasing[], style: Style): RichTextElement[] {
  return nodes.flatMap((node): RichTextElement[] => {
    switch (node.type) {
      case 'text':
        return [withStyle({ type: 'text', text: node.value }, style)]
      case 'inlineCode':
        return [withStyle({ type: 'text', text: node.value }, { ...style, code: true })]
      case 'break':
        return [withStyle({ type: 'text', text: '\n' }, style)]
      case 'mention':
        return [withStyle({ type: 'user', user_id: node.userID }, style)]
      case 'link':
        return [linkOf(node, style)]
      default:
        return elementsOf(node.children, { ...style, [styleByType[node.type]]: true })
    }
  })
}

/** Returns a link. Slack's link has one text, so only formatting of the whole text is kept, as its style. */
function linkOf({ url, children }: Link, around: Style): RichTextElement {
  const [first = around, ...others] = elementsOf(children, around).map(({ style = {} }) => style)
  const commonStyle: Style = Object.fromEntries(
    Object.entries(first).filter(([name]) => others.every((style) => name in style)),
  )
  return withStyle({ type: 'link', url: encodeLink(url), text: textOf(children) }, commonStyle)
}

function withStyle<Some extends RichTextElement>(element: Some, style: Style): Some {
  return Object.keys(style).length === 0 ? element : { ...element, style }
}
