/** A message as Slack's blocks, for people who post to both services. */
import { BlockmarkError, normalize, type Source } from '../../index.js'
import { encodeUrl, isSafeUrl } from '../../render/escape.js'
import { treesOf } from '../../source.js'
import { type Block, type Formatting, isBareLink, type Link, type Phrasing, unreachable } from '../../tree.js'

/** How text looks. */
interface Style {
  bold?: true
  italic?: true
  underline?: true
  strike?: true
  code?: true
}

type Element =
  | { type: 'text'; text: string; style?: Style }
  | { type: 'link'; url: string; text: string; style?: Style }
  | { type: 'user'; user_id: string; style?: Style }

interface Section {
  type: 'rich_text_section'
  elements: Element[]
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

export interface SlackBlocksOptions {
  /** Whom a mention notifies: somebody's id in Slack. By default nobody, and it is `@` and a name. */
  mention?: (userID: string, label: string | null) => string | undefined
}

/** Blocks of one message. */
const BLOCKS_MAX = 50
/** Characters of all blocks of one message as JSON. Slack documents none, and refuses about 13,200 (`msg_blocks_too_long`). */
const LENGTH_MAX = 12_000

/**
 * Writes Slack's `rich_text` blocks, within the limits of one message. Nothing in them notifies anybody unless it is asked
 * for: text is text there, and mentions are `@` and a name. Headings are bold, links with a scheme that §6 does not allow
 * their label and url.
 *
 * @param source - markdown of the dialect, a tree, or a post's blocks
 * @param options - whom to notify
 * @returns the `blocks` of a message; the same source by `toText` or `toSlack` is its `text`, which notifications show
 * @throws {BlockmarkError} `blocks/too-long` for what does not fit into one message of Slack
 * @throws {TypeError} when the source is none
 * @example
 * toSlackBlocks('**Build** by <@7|Ann>', { mention: (userID) => ({ 7: 'U024BE7LH' })[userID] })
 * // => [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [
 * //   { type: 'text', text: 'Build', style: { bold: true } },
 * //   { type: 'text', text: ' by ' },
 * //   { type: 'user', user_id: 'U024BE7LH' },
 * // ] }] }]
 * @see toBodies, which cuts a longer message: `toBodies(source, { bodyLength: 2_000 }).map((body) => toSlackBlocks(body))`
 */
export function toSlackBlocks(source: Source, options: SlackBlocksOptions = {}): RichTextBlock[] {
  // In its normal form no tree is deep.
  const children = treesOf(source).flatMap((tree) => normalize(tree).tree.children)
  const elements = children.map((block) => elementOf(block, options))
  const each = Math.max(1, Math.ceil(elements.length / BLOCKS_MAX))
  const blocks: RichTextBlock[] = []
  for (let start = 0; start < elements.length; start += each)
    blocks.push({ type: 'rich_text', elements: elements.slice(start, start + each) })
  const { length } = JSON.stringify(blocks)
  if (length <= LENGTH_MAX) return blocks
  const expected = `blocks that are ${LENGTH_MAX} characters of JSON at most (toBodies cuts a message)`
  throw new BlockmarkError([{ code: 'blocks/too-long', path: [], expected, received: `${length}` }])
}

function elementOf(block: Block, options: SlackBlocksOptions): RichTextBlock['elements'][number] {
  switch (block.type) {
    case 'heading':
      return sectionOf(block.children, { bold: true }, options)
    case 'paragraph':
      return sectionOf(block.children, {}, options)
    case 'list': {
      const items = block.children.map((item) => sectionOf(item.children[0].children, {}, options))
      return { type: 'rich_text_list', style: 'bullet', elements: items }
    }
    case 'code':
      // Slack takes no text without a character.
      return { type: 'rich_text_preformatted', elements: [{ type: 'text', text: block.value || ' ' }] }
    case 'file':
      return sectionOf([{ type: 'text', value: `[file: ${block.label ?? block.fileID}]` }], {}, options)
    default:
      return unreachable(block)
  }
}

function sectionOf(nodes: readonly Phrasing[], style: Style, options: SlackBlocksOptions): Section {
  const elements: Element[] = []
  for (const element of elementsOf(nodes, style, options)) {
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

function elementsOf(nodes: readonly Phrasing[], style: Style, options: SlackBlocksOptions): Element[] {
  return nodes.flatMap((node): Element[] => {
    switch (node.type) {
      case 'text':
        return textOf(node.value, style)
      case 'inlineCode':
        return textOf(node.value, { ...style, code: true })
      case 'break':
        return textOf('\n', style)
      case 'mention': {
        const userID = options.mention?.(node.userID, node.label)
        const name = `@${node.label ?? node.userID}`
        return userID === undefined ? textOf(name, style) : [styled({ type: 'user', user_id: userID }, style)]
      }
      case 'link':
        return linkOf(node, style, options)
      default:
        return elementsOf(node.children, { ...style, ...styles[node.type] }, options)
    }
  })
}

/** Slack's link has one text; formatting of all of it is its style. */
function linkOf(link: Link, style: Style, options: SlackBlocksOptions): Element[] {
  const label = elementsOf(link.children, style, {})
  const isSafe = isSafeUrl(link.url)
  if (!isSafe) {
    const inside = elementsOf(link.children, style, options)
    return isBareLink(link) ? inside : [...inside, ...textOf(` (${link.url})`, style)]
  }
  // Nobody is notified from a label.
  const texts = label.filter((element) => element.type === 'text')
  const text = texts.map((element) => element.text).join('')
  const common = label.map((element) => element.style ?? {})
  const isUniform = common.every((each) => isAlike(each, common[0]))
  return [styled({ type: 'link', url: encodeUrl(link.url), text }, isUniform ? { ...style, ...common[0] } : style)]
}

function textOf(text: string, style: Style): Element[] {
  return [styled({ type: 'text', text }, style)]
}

function styled<Some extends Element>(element: Some, style: Style): Some {
  return Object.keys(style).length === 0 ? element : { ...element, style }
}
