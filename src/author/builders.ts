/** Builds trees, one function for each node type. A string is text and never markup. A builder throws if its node breaks §5. */
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
import {
  bareLink,
  type Child,
  fieldOf,
  flattenChildren,
  isTextValue,
  isUrl,
  type TextValue,
  textOf,
  type UrlValue,
} from './values.js'

/** A user to mention: the id, or a user object of the service. */
export type Mentionable = string | { readonly userID: string; readonly name?: string | null }

/**
 * Builds a message.
 *
 * @param children - the blocks; every builder flattens arrays and omits `null`, `undefined` and `false`
 * @returns the tree
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * stringify(root(heading(1, 'Build 7'), paragraph(strong('Failed'), ' in ', inlineCode('make_all'))))
 * // => '# Build 7\n\n**Failed** in `make_all`'
 */
export function root(...children: readonly Child<Block>[]): Root {
  return checkNode({ type: 'root', children: flattenChildren(children) })
}

/**
 * Builds a heading.
 *
 * @param depth - the level, 1 or 2
 * @param children - the content; it cannot contain a line break
 * @returns the heading
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(heading(2, 'Known ', emphasis('problems')))) // => '## Known *problems*'
 */
export function heading(depth: 1 | 2, ...children: readonly Child<PhrasingWithoutBreak | TextValue>[]): Heading {
  return checkNode({ type: 'heading', depth, children: phrasingOf(children) })
}

/**
 * Builds a paragraph.
 *
 * @param children - the content; `br()` ends a line
 * @returns the paragraph
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(paragraph('one', br(), strong('two')))) // => 'one\n**two**'
 */
export function paragraph(...children: readonly Child<Phrasing | TextValue>[]): Paragraph {
  return checkNode({ type: 'paragraph', children: phrasingOf(children) })
}

/**
 * Builds a list.
 *
 * @param items - the items; pass a paragraph for an item with several children. An item cannot contain a line break.
 * @returns the list
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(list('plain', strong('bold'), paragraph('both: ', strong('bold')))))
 * // => '* plain\n* **bold**\n* both: **bold**'
 */
export function list(...items: readonly Child<PhrasingWithoutBreak | Paragraph | TextValue>[]): List {
  const children = flattenChildren(items).map(listItem)
  return checkNode({ type: 'list', ordered: false, spread: false, children })
}

function listItem(item: PhrasingWithoutBreak | Paragraph | TextValue): ListItem {
  // `list` checks this paragraph as a part of the list, so the path in an error begins at the list.
  const content = isParagraph(item) ? item : { type: 'paragraph' as const, children: phrasingOf([item]) }
  return { type: 'listItem', spread: false, children: [content] }
}

function isParagraph(item: unknown): item is Paragraph {
  return fieldOf(item, 'type') === 'paragraph'
}

/**
 * Builds fenced code.
 *
 * @param value - the code
 * @param lang - the language, for example `js`
 * @returns the code node
 * @throws {BlockmarkError} `tree/field` if `value` is not a string, number, bigint or date, or if `lang` is not a string
 * @throws {RangeError} if `value` is an invalid date
 * @example
 * stringify(root(code('let x = 1', 'js'))) // => '```js\nlet x = 1\n```'
 */
export function code(value: TextValue, lang: string | null = null): Code {
  return checkNode({ type: 'code', lang: lang || null, meta: null, value: textOf(value) })
}

/**
 * Builds a block that shows an uploaded file.
 *
 * @param fileID - the id of the file
 * @param label - the name that programs show if they cannot look up the id
 * @returns the file node
 * @throws {BlockmarkError} `tree/field` if the id is not valid (§2), or the label is not a string
 * @example
 * stringify(root(file('42', 'report.pdf'))) // => '<!42|report.pdf>'
 */
export function file(fileID: string, label: string | null = null): File {
  return checkNode({ type: 'file', fileID, label: label || null })
}

/**
 * Builds a text node. Other builders also accept the value itself as a child.
 *
 * @param value - a string, number, bigint or date
 * @returns the text node
 * @throws {BlockmarkError} `tree/field` if `value` is of another type
 * @throws {RangeError} if `value` is an invalid date
 * @example
 * toHtml(root(paragraph(text('*not* bold')))) // => '<p>*not* bold</p>'
 */
export function text(value: TextValue): Text {
  return checkNode({ type: 'text', value: textOf(value) })
}

/**
 * Builds bold text.
 *
 * @param children - the content
 * @returns the `strong` node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(paragraph(strong('a')))) // => '**a**'
 */
export function strong(...children: readonly Child<Phrasing | TextValue>[]): Strong {
  return checkNode({ type: 'strong', children: phrasingOf(children) })
}

/**
 * Builds italic text.
 *
 * @param children - the content
 * @returns the `emphasis` node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(paragraph(emphasis('a')))) // => '*a*'
 */
export function emphasis(...children: readonly Child<Phrasing | TextValue>[]): Emphasis {
  return checkNode({ type: 'emphasis', children: phrasingOf(children) })
}

/**
 * Builds underlined text.
 *
 * @param children - the content
 * @returns the `underline` node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(paragraph(underline('a')))) // => '_a_'
 */
export function underline(...children: readonly Child<Phrasing | TextValue>[]): Underline {
  return checkNode({ type: 'underline', children: phrasingOf(children) })
}

/**
 * Builds struck-out text. The name of the node, `delete`, is a reserved word of JavaScript.
 *
 * @param children - the content
 * @returns the `delete` node
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(paragraph(strike('a')))) // => '-a-'
 */
export function strike(...children: readonly Child<Phrasing | TextValue>[]): Delete {
  return checkNode({ type: 'delete', children: phrasingOf(children) })
}

/**
 * Builds inline code.
 *
 * @param value - the code
 * @returns the `inlineCode` node
 * @throws {BlockmarkError} `tree/field` if `value` is not a string, number, bigint or date
 * @throws {RangeError} if `value` is an invalid date
 * @example
 * stringify(root(paragraph(inlineCode('a*b')))) // => '`a*b`'
 */
export function inlineCode(value: TextValue): InlineCode {
  return checkNode({ type: 'inlineCode', value: textOf(value) })
}

/**
 * Builds a link, or a bare link if there are no children.
 *
 * @param url - the URL: a string, or a `URL`
 * @param children - the link text; it cannot contain another link
 * @returns the link
 * @throws {BlockmarkError} if the node is not valid (§5)
 * @throws {RangeError} if a date is invalid
 * @example
 * stringify(root(paragraph(link('https://example.com', 'The ', strong('example')))))
 * // => '[The **example**](https://example.com)'
 */
export function link(url: string | UrlValue, ...children: readonly Child<PhrasingWithoutLink | TextValue>[]): Link {
  const bareNode = bareLink(isUrl(url) ? url.href : url)
  const label = phrasingOf(children)
  return checkNode(label.length > 0 ? { ...bareNode, children: label } : bareNode)
}

/**
 * Builds a mention.
 *
 * @param user - the id, or a user object, whose name is then the default label
 * @param label - the name that programs show if they cannot look up the id
 * @returns the mention
 * @throws {BlockmarkError} `tree/field` if the id is not valid (§2), or the label is not a string
 * @example
 * stringify(root(paragraph(mention('4711', 'Ann')))) // => '<@4711|Ann>'
 */
export function mention(user: Mentionable, label: string | null | undefined = nameOf(user)): Mention {
  // The check rejects an id of another type, so the cast does no harm.
  const userID = typeof user === 'object' ? (fieldOf(user, 'userID') as string) : user
  return checkNode({ type: 'mention', userID, label: label || null })
}

function nameOf(user: Mentionable): string | null | undefined {
  return fieldOf(user, 'name') as string | null | undefined
}

/**
 * Builds a line break inside a paragraph.
 *
 * @returns the `break` node
 * @example
 * toHtml(root(paragraph('one', br(), 'two'))) // => '<p>one<br>\ntwo</p>'
 */
export function br(): Break {
  return { type: 'break' }
}

/** Returns the node if it is valid (§5). Otherwise throws BlockmarkError. */
function checkNode<Node extends AnyNode>(node: Node): Node {
  throwProblems(problemsOf(node, node.type))
  return node
}

function phrasingOf<Node extends Phrasing>(children: readonly Child<Node | TextValue>[]): (Node | Text)[] {
  const values = flattenChildren(children).filter((child) => child !== '')
  return values.map((child) => (isTextValue(child) ? { type: 'text', value: textOf(child) } : child))
}
