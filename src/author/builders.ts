/**
 * Builds trees by hand, one function for each node type. A string is text and never markup; what the tree can not hold
 * is refused at the call, by the table of §5.
 */
import { throwProblems } from '../errors.js'
import type {
  AnyNode,
  Block,
  Break,
  Code,
  Delete,
  Emphasis,
  File,
  Heading,
  InlineCode,
  Link,
  List,
  ListItem,
  Mention,
  Paragraph,
  Phrasing,
  PhrasingWithoutBreak,
  PhrasingWithoutLink,
  Root,
  Strong,
  Text,
  Underline,
} from '../tree.js'
import { problemsOf } from '../write/assert-tree.js'
import { flat } from './flat.js'
import { writeDate } from './values.js'

/** What is text: a date is its ISO 8601 form, in UTC. */
export type TextValue = string | number | bigint | Date

/** What is nothing, so that `isLate && text('late')` can be a child. */
export type Nothing = null | undefined | false

/** A node, an array of children in a row, or nothing. */
export type Child<Node> = Node | Nothing | readonly Child<Node>[]

/** Who is mentioned: an id, or a user as the service lists them. */
export type User = string | { readonly userID: string; readonly name?: string | null }

/**
 * A whole message.
 *
 * @throws {BlockmarkError} `tree/child`, `tree/field` or `tree/cycle`, as all functions of this file do
 * @example
 * root(heading(1, 'Build 7'), paragraph(strong('Failed'), ' in ', inlineCode('make_all')))
 */
export function root(...children: readonly Child<Block>[]): Root {
  return checked({ type: 'root', children: nodesOf(children) }, Infinity)
}

/** A heading; it holds no break. */
export function heading(depth: 1 | 2, ...children: readonly Child<PhrasingWithoutBreak | TextValue>[]): Heading {
  return checked({ type: 'heading', depth, children: phrasingOf(children) }, Infinity)
}

/** A paragraph. */
export function paragraph(...children: readonly Child<Phrasing | TextValue>[]): Paragraph {
  return checked({ type: 'paragraph', children: phrasingOf(children) }, 1)
}

/**
 * A list. Each argument is an item; one of several parts is a paragraph. No item holds a break.
 *
 * @example
 * list('plain', strong('bold'), paragraph('both: ', strong('bold')))
 */
export function list(...items: readonly Child<PhrasingWithoutBreak | Paragraph | TextValue>[]): List {
  const children = nodesOf(items).map(listItem)
  return checked({ type: 'list', ordered: false, spread: false, children }, Infinity)
}

function listItem(item: PhrasingWithoutBreak | Paragraph | TextValue): ListItem {
  // A paragraph is not checked before it stands in its list, so that an error names its place there.
  const content: Paragraph =
    isTextValue(item) || item.type !== 'paragraph' ? { type: 'paragraph', children: phrasingOf([item]) } : item
  return { type: 'listItem', spread: false, children: [content] }
}

/** Fenced code. */
export function code(value: TextValue, lang: string | null = null, meta: string | null = null): Code {
  return checked({ type: 'code', lang: lang || null, meta: meta || null, value: textOf(value) }, 1)
}

/** An uploaded file. */
export function file(fileID: string, label: string | null = null): File {
  return checked({ type: 'file', fileID, label: label || null }, 1)
}

/** Text, whatever it holds. Among children the value itself will do. */
export function text(value: TextValue): Text {
  return checked({ type: 'text', value: textOf(value) }, 1)
}

/** Bold. */
export function strong(...children: readonly Child<Phrasing | TextValue>[]): Strong {
  return checked({ type: 'strong', children: phrasingOf(children) }, 1)
}

/** Italic. */
export function emphasis(...children: readonly Child<Phrasing | TextValue>[]): Emphasis {
  return checked({ type: 'emphasis', children: phrasingOf(children) }, 1)
}

/** Underlined. */
export function underline(...children: readonly Child<Phrasing | TextValue>[]): Underline {
  return checked({ type: 'underline', children: phrasingOf(children) }, 1)
}

/** Struck through: mdast's `delete`, which is no name for a function. */
export function strike(...children: readonly Child<Phrasing | TextValue>[]): Delete {
  return checked({ type: 'delete', children: phrasingOf(children) }, 1)
}

/** Inline code. */
export function inlineCode(value: TextValue): InlineCode {
  return checked({ type: 'inlineCode', value: textOf(value) }, 1)
}

/**
 * A link, a bare one where it has no children; it holds no other link.
 *
 * @example
 * link('https://example.com', 'The ', strong('example'))
 */
export function link(url: string, ...children: readonly Child<PhrasingWithoutLink | TextValue>[]): Link {
  const label = phrasingOf(children)
  const bare: Text = { type: 'text', value: url }
  return checked({ type: 'link', url, title: null, children: label.length > 0 ? label : [bare] }, Infinity)
}

/**
 * A mention.
 *
 * @param user - an id, or a user, whose name is then the label
 * @param label - the name for readers that do not know the id
 * @example
 * mention('4711', 'Ann')
 */
export function mention(user: User, label: string | null | undefined = nameOf(user)): Mention {
  return checked({ type: 'mention', userID: idOf(user), label: label || null }, 1)
}

/** What is neither an id nor a user stays as it is, for the table to refuse. */
function idOf(user: User): string {
  if (user === undefined || user === null) throw new TypeError('mention: expected an id or a user, received nobody')
  return typeof user === 'object' ? user.userID : user
}

function nameOf(user: User): string | null | undefined {
  return typeof user === 'object' && user !== null ? user.name : null
}

/** A line break inside a paragraph. */
export function br(): Break {
  return { type: 'break' }
}

/** The node itself, if the table of §5 allows what it holds so many generations deep. */
function checked<Node extends AnyNode>(node: Node, depth: number): Node {
  throwProblems(problemsOf(node, node.type, depth))
  return node
}

function phrasingOf<Node extends Phrasing>(children: readonly Child<Node | TextValue>[]): (Node | Text)[] {
  const values = nodesOf(children).filter((child) => child !== '')
  return values.map((child) => (isTextValue(child) ? text(child) : child))
}

/** The children in one row, without those that are nothing. */
function nodesOf<Node>(children: readonly Child<Node>[]): Node[] {
  // What is left when the arrays and the nothings are gone is a node, by the type of `children`.
  return flat(children).filter((child) => !isNothing(child)) as Node[]
}

function isNothing(child: unknown): boolean {
  return child === null || child === undefined || child === false
}

function isTextValue(value: unknown): value is TextValue {
  return ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Date
}

/** The text of a value; what is no such value stays as it is, for the table to refuse. */
function textOf(value: TextValue): string {
  if (value instanceof Date) return writeDate(value)
  return isTextValue(value) ? String(value) : value
}
