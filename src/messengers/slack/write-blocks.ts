/** A message as Slack's blocks. */

import { textOf } from '../../convert/lines.js'
import { leafOf, type NameOptions } from '../../convert/names.js'
import { BlockmarkError, normalize, type Source } from '../../index.js'
import { encodeUrl } from '../../render/escape.js'
import { treesOf } from '../../source.js'
import { type Block, type Formatting, type Link, type Phrasing, unreachable } from '../../tree.js'
import { slackMarkup } from './write.js'

/** The formatting of a text. */
interface Style {
  bold?: true
  italic?: true
  underline?: true
  strike?: true
  code?: true
}

type RichTextElement =
  | { type: 'text'; text: string; style?: Style }
  | { type: 'link'; url: string; text: string; style?: Style }
  | { type: 'user'; user_id: string; style?: Style }

interface Section {
  type: 'rich_text_section'
  elements: RichTextElement[]
}

/** A block of Slack's rich text. */
export interface RichTextBlock {
  type: 'rich_text'
  elements: (
    | Section
    | { type: 'rich_text_list'; style: 'bullet'; elements: Section[] }
    | { type: 'rich_text_preformatted'; elements: { type: 'text'; text: string }[] }
  )[]
}

/** Blocks of one message. */
const BLOCKS_MAX = 50
/** Characters of all blocks of one message as JSON. Slack documents no limit, but rejects about 13,200 (`msg_blocks_too_long`). */
const LENGTH_MAX = 12_000

/**
 * Writes Slack's `rich_text` blocks, within the limits of one message. A mention is `@` and a name, unless `mention` returns a
 * Slack id; nothing else notifies people. A heading is bold. A link with a scheme that §6 does not allow is its label and URL.
 *
 * @param source - the Markdown of the dialect, a tree, or a post's blocks
 * @param options - names of users and files; the `id` of a mention is Slack's user id
 * @returns the `blocks` of a message; notifications show its `text`, for example `toText(source)`
 * @throws {BlockmarkError} `blocks/too-long` if the blocks do not fit into one message of Slack
 * @throws {TypeError} if the source is not valid
 * @example
 * toSlackBlocks('**Build** by <@7|Ann>', { mention: () => ({ name: 'Ann', id: 'U024BE7LH' }) })
 * // => [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [
 * //   { type: 'text', text: 'Build', style: { bold: true } },
 * //   { type: 'text', text: ' by ' },
 * //   { type: 'user', user_id: 'U024BE7LH' },
 * // ] }] }]
 * @see toBodies, which cuts a longer message: `toBodies(source, { bodyLength: 2_000 }).map((body) => toSlackBlocks(body))`
 */
export function toSlackBlocks(source: Source, options: NameOptions = {}): RichTextBlock[] {
  const children = treesOf(source).flatMap((tree) => normalize(tree).tree.children)
  const elements = children.map((block) => elementOf(block, options))
  const each = Math.max(1, Math.ceil(elements.length / BLOCKS_MAX))
  const blocks: RichTextBlock[] = []
  for (let start = 0; start < elements.length; start += each)
    blocks.push({ type: 'rich_text', elements: elements.slice(start, start + each) })
  const { length } = JSON.stringify(blocks)
  if (length <= LENGTH_MAX) return blocks
  const valid = `blocks that are ${LENGTH_MAX} characters of JSON at most (toBodies cuts a message)`
  throw new BlockmarkError([{ code: 'blocks/too-long', path: [], valid, received: `${length}` }])
}

function elementOf(block: Block, options: NameOptions): RichTextBlock['elements'][number] {
  switch (block.type) {
    case 'heading':
      return sectionOf(leafOf(block, options, slackMarkup), { bold: true })
    case 'paragraph':
    case 'file':
      return sectionOf(leafOf(block, options, slackMarkup), {})
    case 'list': {
      const items = block.children.map((item) => sectionOf(leafOf(item.children[0], options, slackMarkup), {}))
      return { type: 'rich_text_list', style: 'bullet', elements: items }
    }
    case 'code':
      // Slack rejects a text without a character.
      return { type: 'rich_text_preformatted', elements: [{ type: 'text', text: block.value || ' ' }] }
    default:
      return unreachable(block)
  }
}

function sectionOf(nodes: readonly Phrasing[], style: Style): Section {
  const elements: RichTextElement[] = []
  for (const element of elementsOf(nodes, style)) {
    const last = elements.at(-1)
    const isSame = last?.type === 'text' && element.type === 'text' && isAlike(last.style, element.style)
    if (isSame) last.text += element.text
    else elements.push(element)
  }
  return { type: 'rich_text_section', elements }
}

function isAlike(one: Style = {}, other: Style = {}): boolean {
  return Object.keys({ ...one, ...other }).every((name) => name in one && name in other)
}

const styles: Readonly<Record<Formatting['type'], Style>> = {
  strong: { bold: true },
  emphasis: { italic: true },
  underline: { underline: true },
  delete: { strike: true },
}

function elementsOf(nodes: readonly Phrasing[], style: Style): RichTextElement[] {
  return nodes.flatMap((node): RichTextElement[] => {
    switch (node.type) {
      case 'text':
        return [styled({ type: 'text', text: node.value }, style)]
      case 'inlineCode':
        return [styled({ type: 'text', text: node.value }, { ...style, code: true })]
      case 'break':
        return [styled({ type: 'text', text: '\n' }, style)]
      case 'mention':
        return [styled({ type: 'user', user_id: node.userID }, style)]
      case 'link':
        return [linkOf(node, style)]
      default:
        return elementsOf(node.children, { ...style, ...styles[node.type] })
    }
  })
}

/** Slack's link has one text; formatting of all of it is its style. */
function linkOf({ url, children }: Link, style: Style): RichTextElement {
  const [first = style, ...others] = elementsOf(children, style).map((element) => element.style ?? {})
  const isUniform = others.every((each) => isAlike(each, first))
  return styled(
    { type: 'link', url: encodeUrl(url), text: textOf(children) },
    isUniform ? { ...style, ...first } : style,
  )
}

function styled<Some extends RichTextElement>(element: Some, style: Style): Some {
  return Object.keys(style).length === 0 ? element : { ...element, style }
}
