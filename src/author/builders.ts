/**
 * Builds trees, one function for each node type. A string is text and never markup. An invalid node throws at the call, by the
 * table of §5.
 */
import { throwProblems } from '../errors.js'
import { problemsOf } from '../tree/strict.js'
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
import { type Child, fieldOf, flat, isTextValue, isUrl, type TextValue, textOf, type UrlValue } from './values.js'

/** A user that can be mentioned: an id, or a user as the service lists them. */
export type Mentionable = string | { readonly userID: string; readonly name?: string | null }

/**
 * Builds a message.
 *
 * @param children - the blocks; as for all builders, arrays are flattened, and `null`, `undefined` and `false` are left out
 * @returns the tree
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * stringify(root(heading(1, 'Build 7'), paragraph(strong('Failed'), ' in ', inlineCode('make_all'))))
 * // => '# Build 7\n\n**Failed** in `make_all`'
 */
export function root(...children: readonly Child<Block>[]): Root {
  return checked({ type: 'root', children: nodesOf(children) })
}

/**
 * Builds a heading.
 *
 * @param depth - 1 or 2
 * @param children - the text; a heading cannot contain a break
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(heading(2, 'Known ', emphasis('problems')))) // => '## Known *problems*'
 */
export function heading(depth: 1 | 2, ...children: readonly Child<PhrasingWithoutBreak | TextValue>[]): Heading {
  return checked({ type: 'heading', depth, children: phrasingOf(children) })
}

/**
 * Builds a paragraph.
 *
 * @param children - the text; `br()` ends a line
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(paragraph('one', br(), strong('two')))) // => 'one\n**two**'
 */
export function paragraph(...children: readonly Child<Phrasing | TextValue>[]): Paragraph {
  return checked({ type: 'paragraph', children: phrasingOf(children) })
}

/**
 * Builds a list.
 *
 * @param items - the items; use a paragraph for an item of several parts. An item cannot contain a break.
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(list('plain', strong('bold'), paragraph('both: ', strong('bold')))))
 * // => '* plain\n* **bold**\n* both: **bold**'
 */
export function list(...items: readonly Child<PhrasingWithoutBreak | Paragraph | TextValue>[]): List {
  const children = nodesOf(items).map(listItem)
  return checked({ type: 'list', ordered: false, spread: false, children })
}

function listItem(item: PhrasingWithoutBreak | Paragraph | TextValue): ListItem {
  // The paragraph is checked as a part of its list, so that an error has its path there.
  const content = isParagraph(item) ? item : { type: 'paragraph' as const, children: phrasingOf([item]) }
  return { type: 'listItem', spread: false, children: [content] }
}

function isParagraph(item: unknown): item is Paragraph {
  return fieldOf(item, 'type') === 'paragraph'
}

/**
 * Builds fenced code.
 *
 * @param value - the lines
 * @param lang - the language, for example `js`
 * @returns the node
 * @throws {BlockmarkError} `tree/field` if an argument is not text
 * @example
 * stringify(root(code('let x = 1', 'js'))) // => '```js\nlet x = 1\n```'
 */
export function code(value: TextValue, lang: string | null = null): Code {
  return checked({ type: 'code', lang: lang || null, meta: null, value: textOf(value) })
}

/**
 * Builds an uploaded file.
 *
 * @param fileID - the id of the file
 * @param label - the name for readers that do not know the id
 * @returns the node
 * @throws {BlockmarkError} `tree/field` if the id is not valid (§2)
 * @example
 * stringify(root(file('42', 'report.pdf'))) // => '<!42|report.pdf>'
 */
export function file(fileID: string, label: string | null = null): File {
  return checked({ type: 'file', fileID, label: label || null })
}

/**
 * Builds text. As a child of another builder, the value alone is enough.
 *
 * @param value - a string, number, bigint or date
 * @returns the node
 * @throws {BlockmarkError} `tree/field` if `value` is of another type
 * @example
 * toHtml(root(paragraph(text('*not* bold')))) // => '<p>*not* bold</p>'
 */
export function text(value: TextValue): Text {
  return checked({ type: 'text', value: textOf(value) })
}

/**
 * Builds bold text.
 *
 * @param children - the content
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(paragraph(strong('a')))) // => '**a**'
 */
export function strong(...children: readonly Child<Phrasing | TextValue>[]): Strong {
  return checked({ type: 'strong', children: phrasingOf(children) })
}

/**
 * Builds italic text.
 *
 * @param children - the content
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(paragraph(emphasis('a')))) // => '*a*'
 */
export function emphasis(...children: readonly Child<Phrasing | TextValue>[]): Emphasis {
  return checked({ type: 'emphasis', children: phrasingOf(children) })
}

/**
 * Builds underlined text.
 *
 * @param children - the content
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(paragraph(underline('a')))) // => '_a_'
 */
export function underline(...children: readonly Child<Phrasing | TextValue>[]): Underline {
  return checked({ type: 'underline', children: phrasingOf(children) })
}

/**
 * Builds struck text. Its type is `delete`, but JavaScript reserves that name.
 *
 * @param children - the content
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(paragraph(strike('a')))) // => '-a-'
 */
export function strike(...children: readonly Child<Phrasing | TextValue>[]): Delete {
  return checked({ type: 'delete', children: phrasingOf(children) })
}

/**
 * Builds inline code.
 *
 * @param value - the code
 * @returns the node
 * @throws {BlockmarkError} `tree/field` if `value` is not text
 * @example
 * stringify(root(paragraph(inlineCode('a*b')))) // => '`a*b`'
 */
export function inlineCode(value: TextValue): InlineCode {
  return checked({ type: 'inlineCode', value: textOf(value) })
}

/**
 * Builds a link; a bare link if it has no children.
 *
 * @param url - the URL: a string, or a `URL`
 * @param children - the text that is shown; it cannot contain another link
 * @returns the node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @example
 * stringify(root(paragraph(link('https://example.com', 'The ', strong('example')))))
 * // => '[The **example**](https://example.com)'
 */
export function link(url: string | UrlValue, ...children: readonly Child<PhrasingWithoutLink | TextValue>[]): Link {
  const target = isUrl(url) ? url.href : url
  const label = phrasingOf(children)
  const bare: Text = { type: 'text', value: target }
  return checked({ type: 'link', url: target, title: null, children: label.length > 0 ? label : [bare] })
}

/**
 * Builds a mention.
 *
 * @param user - an id, or a user; the label is then their name
 * @param label - the name for readers that do not know the id
 * @returns the node
 * @throws {BlockmarkError} `tree/field` if the id is not valid (§2)
 * @example
 * stringify(root(paragraph(mention('4711', 'Ann')))) // => '<@4711|Ann>'
 */
export function mention(user: Mentionable, label: string | null | undefined = nameOf(user)): Mention {
  return checked({ type: 'mention', userID: idOf(user), label: label || null })
}

/** Returns the id of a user. Any other value is returned unchanged, and the check rejects it. */
function idOf(user: Mentionable): string {
  return typeof user === 'object' ? (fieldOf(user, 'userID') as string) : user
}

function nameOf(user: Mentionable): string | null | undefined {
  return fieldOf(user, 'name') as string | null | undefined
}

/**
 * Builds a line break inside a paragraph.
 *
 * @returns the node
 * @example
 * toHtml(root(paragraph('one', br(), 'two'))) // => '<p>one<br>\ntwo</p>'
 */
export function br(): Break {
  return { type: 'break' }
}

/** Returns the node if it is valid (§5). */
function checked<Node extends AnyNode>(node: Node): Node {
  throwProblems(problemsOf(node, node.type))
  return node
}

function phrasingOf<Node extends Phrasing>(children: readonly Child<Node | TextValue>[]): (Node | Text)[] {
  const values = nodesOf(children).filter((child) => child !== '')
  return values.map((child) => (isTextValue(child) ? { type: 'text', value: textOf(child) } : child))
}

/** Flattens the children, without those that are left out. */
function nodesOf<Node>(children: readonly Child<Node>[]): Node[] {
  // `flat` has removed the omitted values, so by the type of `children` only nodes remain.
  return flat(children) as Node[]
}
