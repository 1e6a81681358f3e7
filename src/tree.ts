/**
 * The tree (§5): plain, serializable mdast nodes and three node types that mdast lacks.
 */

/** A point in a source (unist). `line` and `column` count from 1, `offset` from 0. Columns and offsets are UTF-16 code units. */
export interface Point {
  line: number
  column: number
  /** The offset, which every parsed tree has, but which unist does not require. */
  offset?: number | undefined
}

/** The position of a node in its source: from `start` up to, not including, `end` (unist). */
export interface Position {
  start: Point
  end: Point
}

interface Node {
  /** The position; absent on nodes that a program built, or that were parsed with `position: false`. */
  position?: Position | undefined
}

/** One parsed message, block or body (§2). */
export interface Root extends Node {
  type: 'root'
  children: Block[]
}

/** A heading: `# text` or `## text` (§2). */
export interface Heading extends Node {
  type: 'heading'
  depth: 1 | 2
  children: PhrasingWithoutBreak[]
}

/** A paragraph: consecutive lines of text (§2). */
export interface Paragraph extends Node {
  type: 'paragraph'
  children: Phrasing[]
}

/** A list: consecutive `* text` lines (§2). */
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
  /** The language: one word of letters, numbers and `+ # . _ -`, at least one letter. */
  lang: string | null
  /** Always null. The field exists because mdast has it. */
  meta: null
  value: string
}

/** An uploaded file: `<!id|label>` alone on a line (§2). */
export interface File extends Node {
  type: 'file'
  fileID: string
  label: string | null
}

/** Plain text. */
export interface Text extends Node {
  type: 'text'
  value: string
}

/** A code span (§3.2). */
export interface InlineCode extends Node {
  type: 'inlineCode'
  value: string
}

/** Bold text: `**text**` (§4). */
export interface Strong extends Node {
  type: 'strong'
  children: Phrasing[]
}

/** Italic text: `*text*` (§4). */
export interface Emphasis extends Node {
  type: 'emphasis'
  children: Phrasing[]
}

/** Underlined text: `_text_` (§4). */
export interface Underline extends Node {
  type: 'underline'
  children: Phrasing[]
}

/** Struck-out text: `-text-` (§4). */
export interface Delete extends Node {
  type: 'delete'
  children: Phrasing[]
}

/** A link: `[label](url)` or a bare URL (§3.4, §3.5). */
export interface Link extends Node {
  type: 'link'
  url: string
  title: null
  children: PhrasingWithoutLink[]
}

/** A mention of a user: `<@id|label>` (§3.3). */
export interface Mention extends Node {
  type: 'mention'
  userID: string
  label: string | null
}

/** A line ending inside a paragraph (§3.8). */
export interface Break extends Node {
  type: 'break'
}

/** A child of a root. */
export type Block = Heading | Paragraph | List | Code | File

/** A child of a paragraph. */
export type Phrasing = Text | InlineCode | Strong | Emphasis | Underline | Delete | Link | Mention | Break

/** A child of a heading: no break at any depth. `assertTree` checks that; the types of deeper nodes do not. */
export type PhrasingWithoutBreak = Exclude<Phrasing, Break>

/** A child of a link: no link at any depth. `assertTree` checks that; the types of deeper nodes do not. */
export type PhrasingWithoutLink = Exclude<Phrasing, Link>

/** The four kinds of formatting. Besides `type` and `position`, their only field is `children`. */
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

/** One function for each node type. The compiler reports a missing function. */
export type ByType<Result, Context> = {
  readonly [Type in NodeType]: (node: NodeMap[Type], context: Context) => Result
}

/** The kinds of values that a field can have, by the names that error messages use for them. */
export interface FieldMap {
  '1 or 2': 1 | 2
  /** The field may also be undefined, null or absent, as with the kinds `null` and `string or null`. */
  false: false
  /** A string is valid too, but is ignored: mdast's links may have titles, and its code may have a meta. */
  null: null
  /** A valid id (§2); any other id could not be written. */
  id: string
  string: string
  'string or null': string | null
}

/** The kind of `children`: a group of types, or one type. */
export type ChildKind = Group | NodeType

type Group = 'block' | 'phrasing'

/** One row of the table of §5. */
export interface Content<Type extends NodeType> {
  /** The group that the type belongs to. */
  readonly group: Type extends Block['type'] ? 'block' : Type extends Phrasing['type'] ? 'phrasing' : null
  /** The kind of the node's children. */
  readonly children: NodeMap[Type] extends { children: unknown } ? ChildKind : null
  /** The number of the node's children, if only one number is valid. */
  readonly childCount?: number
  /** The type that the node cannot contain at any depth. */
  readonly without?: NodeType
  /** The node's fields besides `type`, `children` and `position`. */
  readonly fields: {
    readonly [Name in Exclude<keyof NodeMap[Type], 'type' | 'children' | 'position'>]: keyof FieldMap
  }
}

/** The table of §5, for everything that checks, repairs or generates trees. */
export const content: { readonly [Type in NodeType]: Content<Type> } = {
  root: { group: null, children: 'block', fields: {} },
  heading: { group: 'block', children: 'phrasing', without: 'break', fields: { depth: '1 or 2' } },
  paragraph: { group: 'block', children: 'phrasing', fields: {} },
  list: { group: 'block', children: 'listItem', fields: { ordered: 'false', spread: 'false' } },
  listItem: { group: null, children: 'paragraph', childCount: 1, without: 'break', fields: { spread: 'false' } },
  code: { group: 'block', children: null, fields: { lang: 'string or null', meta: 'null', value: 'string' } },
  file: { group: 'block', children: null, fields: { fileID: 'id', label: 'string or null' } },
  text: { group: 'phrasing', children: null, fields: { value: 'string' } },
  inlineCode: { group: 'phrasing', children: null, fields: { value: 'string' } },
  strong: { group: 'phrasing', children: 'phrasing', fields: {} },
  emphasis: { group: 'phrasing', children: 'phrasing', fields: {} },
  underline: { group: 'phrasing', children: 'phrasing', fields: {} },
  delete: { group: 'phrasing', children: 'phrasing', fields: {} },
  link: { group: 'phrasing', children: 'phrasing', without: 'link', fields: { url: 'string', title: 'null' } },
  mention: { group: 'phrasing', children: null, fields: { userID: 'id', label: 'string or null' } },
  break: { group: 'phrasing', children: null, fields: {} },
}

/** Returns the node types of a kind. */
export function typesOf(kind: ChildKind): readonly NodeType[] {
  // The table has a row for each type, so the cast holds.
  return (Object.keys(content) as NodeType[]).filter((type) => type === kind || content[type].group === kind)
}

/** Whether a link is a bare link: its only child is a text node with the URL as its value (§5). */
export function isBareLink({
  url,
  children,
}: {
  readonly url: string
  readonly children: readonly Phrasing[]
}): boolean {
  const [child] = children
  return children.length === 1 && child?.type === 'text' && child.value === url
}

/** Returns a copy of an inline node with a space in place of each break. */
export function withoutBreaks(node: Phrasing): Phrasing {
  if (node.type === 'break') return { type: 'text', value: ' ' }
  // Every parent of a break can contain text, so the cast holds.
  return 'children' in node ? ({ ...node, children: node.children.map(withoutBreaks) } as Phrasing) : node
}

/** Whether the text of a link shows its URL: all of it, or all but the scheme and a final slash (§7). */
export function showsUrl(label: string, url: string): boolean {
  const [shownText, wholeUrl] = [label, url].map((text) => text.replace(/\/$/, ''))
  return shownText === wholeUrl || shownText === wholeUrl?.replace(/^(?:mailto:|https?:\/\/)/, '')
}

/** Ends a `switch` over the node types, so that the compiler reports a missing type. */
export function unreachable(node: never): never {
  throw new TypeError(`expected a node of §5, received ${String((node as { type?: unknown } | null)?.type)}`)
}
