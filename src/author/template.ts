/**
 * A template tag that separates markup from values. The literal parts are parsed once for each call site, with a placeholder for
 * each value. A call fills the values into a copy of that tree. So a value is never parsed, and cannot change the tree around
 * itself.
 */
import { problemsOf } from '../tree/strict.js'
import {
  type Block,
  type File,
  isBareLink,
  type Link,
  type List,
  type ListItem,
  type Mention,
  type Paragraph,
  type Phrasing,
  type PhrasingWithoutBreak,
  type PhrasingWithoutLink,
  type Root,
  type Text,
  unreachable,
  withoutBreaks,
} from '../tree.js'
import { compile, type Line, splitAtPlaceholders, type Template, type TemplateBlock } from './compile.js'
import {
  bareLink,
  type Child,
  checkChild,
  isBlock,
  isRoot,
  isUrl,
  partsOf,
  type TextValue,
  textsOf,
  throwAtValue,
  type UrlValue,
} from './values.js'

/** A value in a template: text, a URL, a node, the result of another template, an array of values, or an omitted value. */
export type TemplateValue = Child<TextValue | UrlValue | Phrasing | Block | Root>

/**
 * Builds a message from a template: the literal parts are parsed as the dialect, the values are only content. Markup next to a
 * value treats the value as a word: `**${a}**` and `https://${a}/b` are markup, `${a}_${b}` and `${a}-${b}` are not.
 *
 * - In a literal part, a backslash directly before one of `* _ - [ ] < # :` is an escape of the dialect: md`\*` shows a star. Any
 *   other escape is JavaScript's.
 * - A string, number, bigint or date is text. Its line endings become breaks in a paragraph, line feeds in fenced code, and
 *   spaces in a heading, an item, inline code, a label or an info string. In the URL of a link, line endings stay unchanged.
 * - A `URL` with http or https becomes a link. Any other `URL`, and a `URL` inside a link or code, is inserted as text.
 * - A node is inserted. The result of another template may be anywhere if it is a single paragraph, otherwise it must be alone on
 *   its line. Its list items join the lists on the lines before and after it.
 * - An array inserts its elements one after another. `null`, `undefined` and `false` insert nothing; a line that contains only
 *   such a value is removed.
 *
 * @param strings - the literal parts
 * @param values - the values between them
 * @returns a new tree; nodes among the values are not copied
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a value is not valid in its position
 * @throws {TypeError} if a value must be text and is not, or a literal part has an invalid escape
 * @throws {RangeError} if a date is invalid
 * @example
 * const [user, branch] = ['*Ann*', 'fix_it']
 * toHtml(md`**${user}** pushed ${branch}`) // => '<p><strong>*Ann*</strong> pushed fix_it</p>'
 */
export function md(strings: TemplateStringsArray, ...values: readonly TemplateValue[]): Root {
  const template = templates.get(strings) ?? compile(strings)
  templates.set(strings, template)
  const filling: Filling = { template, values, blocks: [], list: null, isLine: false, parent: 'paragraph' }
  for (const block of template.blocks) fillBlock(filling, block)
  return { type: 'root', children: filling.blocks }
}

/** The parsed templates by their array of literal parts. Every call from one call site passes the same array. */
const templates: WeakMap<TemplateStringsArray, Template> = new WeakMap()

/** The state while a template is filled. */
interface Filling {
  readonly template: Template
  readonly values: readonly unknown[]
  readonly blocks: Block[]
  /** The list that an item on the next line joins; null if the next item starts a list. */
  list: List | null
  /** Whether line endings in values become spaces, because the current block is not a paragraph. */
  isLine: boolean
  /** `link` for a value in a link, which cannot contain other links; otherwise `paragraph`. */
  parent: 'paragraph' | 'link'
}

const LINE_ENDING = /\r\n?|\n/

function fillBlock(filling: Filling, { block, lines, isNextLine }: TemplateBlock): void {
  if (!isNextLine) filling.list = null
  filling.isLine = block.type !== 'paragraph'
  switch (block.type) {
    case 'paragraph':
      fillParagraph(filling, lines)
      break
    case 'heading': {
      // Line endings and breaks in values become spaces in a heading, so the cast holds.
      const children = fillPhrasing(filling, block.children) as PhrasingWithoutBreak[]
      addBlock(filling, { type: 'heading', depth: block.depth, children })
      break
    }
    case 'list':
      for (const { children } of block.children) {
        const paragraph: Paragraph = { type: 'paragraph', children: fillPhrasing(filling, children[0].children) }
        addItem(filling, { type: 'listItem', spread: false, children: [paragraph] })
      }
      break
    case 'code': {
      const value = textIn(filling, block.value, '\n')
      addBlock(filling, { type: 'code', lang: optionalTextIn(filling, block.lang), meta: null, value })
      break
    }
    case 'file':
      addBlock(
        filling,
        withID(filling, block.fileID, {
          type: 'file',
          fileID: textIn(filling, block.fileID),
          label: optionalTextIn(filling, block.label),
        }),
      )
      break
    default:
      unreachable(block)
  }
}

/** Fills a paragraph line by line. A line that consists of one value with blocks splits the paragraph. */
function fillParagraph(filling: Filling, lines: readonly Line[]): void {
  let children: Phrasing[] | null = null
  for (const line of lines) {
    if (typeof line !== 'number') {
      children = startLine(filling, children)
      fillPhrasing(filling, line, children)
      continue
    }
    let isLineStarted = false
    for (const part of partsOf(filling.values[line], line)) {
      if (addBlocks(filling, part, line)) children = null
      else {
        if (!isLineStarted || children === null) children = startLine(filling, children)
        isLineStarted = true
        addPart(filling, part, line, children)
      }
    }
  }
}

/** Continues a paragraph with its next line, or starts a new paragraph. */
function startLine(filling: Filling, paragraph: Phrasing[] | null): Phrasing[] {
  const children = paragraph ?? []
  if (paragraph === null) addBlock(filling, { type: 'paragraph', children })
  else children.push({ type: 'break' })
  return children
}

/** Adds a part of a value if it is a block or a message. Returns false for any other part. */
function addBlocks(filling: Filling, part: unknown, index: number): boolean {
  if (isRoot(part)) {
    for (const [at, block] of part.children.entries()) {
      // Only a list at the start of the value joins the list on the line before it.
      if (at > 0) filling.list = null
      if (block.type === 'list') for (const item of block.children) addItem(filling, item)
      else addBlock(filling, block)
    }
    return true
  }
  if (!isBlock(part)) return false
  checkChild(part, 'root', index)
  addBlock(filling, part)
  return true
}

function addBlock(filling: Filling, block: Block): void {
  filling.blocks.push(block)
  filling.list = null
}

/** Adds an item to the list that ends on the line before, or to a new list. */
function addItem(filling: Filling, item: ListItem): void {
  const list: List = filling.list ?? { type: 'list', ordered: false, spread: false, children: [] }
  if (filling.list === null) addBlock(filling, list)
  filling.list = list
  list.children.push(item)
}

/** Copies inline nodes of the template into `children`, and fills in their values. */
function fillPhrasing(filling: Filling, nodes: readonly Phrasing[], children: Phrasing[] = []): Phrasing[] {
  for (const node of nodes) {
    if (node.type === 'text') fillText(filling, node.value, children)
    else children.push(fillNode(filling, node))
  }
  return children
}

function fillText(filling: Filling, field: string, children: Phrasing[]): void {
  for (const piece of splitAtPlaceholders(filling.template, field)) {
    if (typeof piece === 'string') {
      addText(piece, children)
      continue
    }
    const value = filling.values[piece]
    // A link cannot contain a link, so the URL is added as text.
    if (filling.parent === 'link' && isUrl(value)) addText(value.href, children)
    else for (const part of partsOf(value, piece)) addPart(filling, part, piece, children)
  }
}

function fillNode(filling: Filling, node: Exclude<Phrasing, Text>): Phrasing {
  switch (node.type) {
    case 'inlineCode':
      return { type: 'inlineCode', value: textIn(filling, node.value, ' ') }
    case 'mention':
      return withID(filling, node.userID, {
        type: 'mention',
        userID: textIn(filling, node.userID),
        label: optionalTextIn(filling, node.label),
      })
    case 'link':
      return fillLink(filling, node)
    case 'break':
      return { type: 'break' }
    default:
      return { type: node.type, children: fillPhrasing(filling, node.children) }
  }
}

function fillLink(filling: Filling, link: Link): Link {
  const url = textIn(filling, link.url)
  if (isBareLink(link)) return bareLink(url)
  filling.parent = 'link'
  // `checkChild` has rejected links among the values, so the cast holds.
  const children = fillPhrasing(filling, link.children) as PhrasingWithoutLink[]
  filling.parent = 'paragraph'
  return { type: 'link', url, title: null, children }
}

/** Adds a part of a value to the inline nodes in `children`. */
function addPart(filling: Filling, part: unknown, index: number, children: Phrasing[]): void {
  if (typeof part === 'string') {
    addLines(filling, part, children)
    return
  }
  checkChild(part, filling.parent, index)
  // `checkChild` accepts only inline nodes here, so the cast holds.
  const node = part as Phrasing
  children.push(filling.isLine ? withoutBreaks(node) : node)
}

function addLines({ isLine }: Filling, text: string, children: Phrasing[]): void {
  const [first = '', ...others] = LINE_ENDING.test(text) ? text.split(LINE_ENDING) : [text]
  addText(first, children)
  for (const line of others) {
    if (isLine) addText(' ', children)
    else children.push({ type: 'break' })
    addText(line, children)
  }
}

/** Adds text to the last text node (§5), or as a new node. This file created all text nodes in `children`, so it may change them. */
function addText(text: string, children: Phrasing[]): void {
  const last = children.at(-1)
  if (last?.type === 'text') last.value += text
  else if (text !== '') children.push({ type: 'text', value: text })
}

/** Returns a field of the template with its values inserted; `lineEnding` replaces the line endings in the values. */
function textIn({ template, values }: Filling, field: string, lineEnding?: string): string {
  const texts = splitAtPlaceholders(template, field).flatMap((piece) =>
    typeof piece === 'string' ? piece : textsOf(values[piece], piece),
  )
  // Line endings are replaced in each text separately: a CR at the end of a value and an LF after it are two line endings.
  return texts.map((text) => (lineEnding === undefined ? text : text.split(LINE_ENDING).join(lineEnding))).join('')
}

/** Returns a label or the language of code, with its values inserted; null if the result is empty. */
function optionalTextIn(filling: Filling, field: string | null): string | null {
  return field === null ? null : textIn(filling, field, ' ') || null
}

/** Returns the node if its id is valid. Otherwise throws an error that names the first value in the id. */
function withID<Node extends Mention | File>({ template }: Filling, field: string, node: Node): Node {
  const problems = problemsOf(node, node.type)
  if (problems.length > 0)
    throwAtValue(problems, splitAtPlaceholders(template, field).find((piece) => typeof piece === 'number') ?? 0, 0)
  return node
}
