/**
 * The tree (§5): plain, serialisable mdast nodes and three node types of the dialect's own. Everything that reads or
 * writes a tree is typed by the declarations of this file.
 */

/** A place in a source: `line` and `column` count from 1, `offset` from 0, both in UTF-16 code units (unist). */
export interface Point {
  line: number
  column: number
  offset: number
}

/** Where a node stands in its source: from `start` up to, not including, `end` (unist). */
export interface Position {
  start: Point
  end: Point
}

interface Node {
  /** Where the node stands; absent on nodes that were built or parsed with `position: false`. */
  position?: Position
}

/** One parsed message, block or body (§2). */
export interface Root extends Node {
  type: 'root'
  children: Block[]
}

/** `# text` or `## text` (§2). */
export interface Heading extends Node {
  type: 'heading'
  depth: 1 | 2
  children: PhrasingWithoutBreak[]
}

/** Consecutive lines of text (§2). */
export interface Paragraph extends Node {
  type: 'paragraph'
  children: Phrasing[]
}

/** Consecutive `* text` lines (§2). */
export interface List extends Node {
  type: 'list'
  ordered: false
  spread: false
  children: ListItem[]
}

/** One line of a list; its only child is a paragraph without a break (§5). */
export interface ListItem extends Node {
  type: 'listItem'
  spread: false
  children: [Paragraph]
}

/** Fenced code (§2). */
export interface Code extends Node {
  type: 'code'
  /** The info string up to its first space. */
  lang: string | null
  /** The info string behind its first space. */
  meta: string | null
  value: string
}

/** `<!id|label>` alone on a line (§2). */
export interface File extends Node {
  type: 'file'
  fileID: string
  label: string | null
}

/** Characters that are only themselves. */
export interface Text extends Node {
  type: 'text'
  value: string
}

/** A code span (§3.2). */
export interface InlineCode extends Node {
  type: 'inlineCode'
  value: string
}

/** `**text**` (§4). */
export interface Strong extends Node {
  type: 'strong'
  children: Phrasing[]
}

/** `*text*` (§4). */
export interface Emphasis extends Node {
  type: 'emphasis'
  children: Phrasing[]
}

/** `_text_` (§4). */
export interface Underline extends Node {
  type: 'underline'
  children: Phrasing[]
}

/** `-text-` (§4). */
export interface Delete extends Node {
  type: 'delete'
  children: Phrasing[]
}

/** `[label](url)` or a bare url (§3.4, §3.5). */
export interface Link extends Node {
  type: 'link'
  url: string
  title: null
  children: PhrasingWithoutLink[]
}

/** `<@id|label>` (§3.3). */
export interface Mention extends Node {
  type: 'mention'
  userID: string
  label: string | null
}

/** A line ending inside a paragraph (§3.7). */
export interface Break extends Node {
  type: 'break'
}

/** What stands in a root. */
export type Block = Heading | Paragraph | List | Code | File

/** What stands in a paragraph. */
export type Phrasing = Text | InlineCode | Strong | Emphasis | Underline | Delete | Link | Mention | Break

/** What stands in a heading: no break at any depth, which `assertTree` checks and the types of deeper nodes do not. */
export type PhrasingWithoutBreak = Exclude<Phrasing, Break>

/** What stands in a link: no link at any depth, which `assertTree` checks and the types of deeper nodes do not. */
export type PhrasingWithoutLink = Exclude<Phrasing, Link>

/** The four kinds of formatting, whose only field is what they format. */
export type Formatting = Strong | Emphasis | Underline | Delete

/** Every node type by its name. */
export interface NodeMap {
  root: Root
  heading: Heading
  paragraph: Paragraph
  list: List
  listItem: ListItem
  code: Code
  file: File
  text: Text
  inlineCode: InlineCode
  strong: Strong
  emphasis: Emphasis
  underline: Underline
  delete: Delete
  link: Link
  mention: Mention
  break: Break
}

export type NodeType = keyof NodeMap

export type AnyNode = NodeMap[NodeType]
