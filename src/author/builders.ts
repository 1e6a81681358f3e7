/**
 * Builds trees by hand, one function for each node type. A string is text and never markup; what the tree can not hold
 * is refused at the call, by the table of §5.
 */
import type {
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
import { type Child, checked, isTextValue, nodesOf, phrasingOf, type TextValue, textOf } from './children.js'
import { isUrl, type UrlValue } from './values.js'

export type { Child, Nothing, TextValue } from './children.js'

/** Who is mentioned: an id, or a user as the service lists them. */
export type User = string | { readonly userID: string; readonly name?: string | null }

/**
 * A whole message.
 *
 * @param children - its blocks; arrays are opened, and what is nothing is left out, as for all builders
 * @returns the tree
 * @throws {BlockmarkError} `tree/child`, `tree/field` or `tree/cycle` where the tree can not hold it (§5)
 * @example
 * stringify(root(heading(1, 'Build 7'), paragraph(strong('Failed'), ' in ', inlineCode('make_all'))))
 * // => '# Build 7\n\n**Failed** in `make_all`'
 */
export function root(...children: readonly Child<Block>[]): Root {
  return checked({ type: 'root', children: nodesOf(children) })
}

/**
 * A heading; it holds no break.
 *
 * @param depth - 1 or 2
 * @param children - its text
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where a heading can not hold it (§5)
 * @example
 * stringify(root(heading(2, 'Known ', emphasis('problems')))) // => '## Known *problems*'
 */
export function heading(depth: 1 | 2, ...children: readonly Child<PhrasingWithoutBreak | TextValue>[]): Heading {
  return checked({ type: 'heading', depth, children: phrasingOf(children) })
}

/**
 * A paragraph.
 *
 * @param children - its text; a `br()` ends a line
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where a paragraph can not hold it (§5)
 * @example
 * stringify(root(paragraph('one', br(), strong('two')))) // => 'one\n**two**'
 */
export function paragraph(...children: readonly Child<Phrasing | TextValue>[]): Paragraph {
  return checked({ type: 'paragraph', children: phrasingOf(children) })
}

/**
 * A list.
 *
 * @param items - its items; one of several parts is a paragraph, and none holds a break
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where an item can not hold it (§5)
 * @example
 * stringify(root(list('plain', strong('bold'), paragraph('both: ', strong('bold')))))
 * // => '* plain\n* **bold**\n* both: **bold**'
 */
export function list(...items: readonly Child<PhrasingWithoutBreak | Paragraph | TextValue>[]): List {
  const children = nodesOf(items).map(listItem)
  return checked({ type: 'list', ordered: false, spread: false, children })
}

function listItem(item: PhrasingWithoutBreak | Paragraph | TextValue): ListItem {
  // A paragraph is not checked before it stands in its list, so that an error names its place there.
  const content: Paragraph =
    isTextValue(item) || item.type !== 'paragraph' ? { type: 'paragraph', children: phrasingOf([item]) } : item
  return { type: 'listItem', spread: false, children: [content] }
}

/**
 * Fenced code.
 *
 * @param value - its lines
 * @param lang - the language, as `js`
 * @param meta - what else stands behind the fence
 * @returns the node
 * @throws {BlockmarkError} `tree/field` where one of them is no text
 * @example
 * stringify(root(code('let x = 1', 'js'))) // => '```js\nlet x = 1\n```'
 */
export function code(value: TextValue, lang: string | null = null, meta: string | null = null): Code {
  return checked({ type: 'code', lang: lang || null, meta: meta || null, value: textOf(value) })
}

/**
 * An uploaded file.
 *
 * @param fileID - what the service calls it
 * @param label - the name for readers that do not know the id
 * @returns the node
 * @throws {BlockmarkError} `tree/field` where the id can be none (§3.3)
 * @example
 * stringify(root(file('42', 'report.pdf'))) // => '<!42|report.pdf>'
 */
export function file(fileID: string, label: string | null = null): File {
  return checked({ type: 'file', fileID, label: label || null })
}

/**
 * Text, whatever it holds. Among children the value itself will do.
 *
 * @param value - a string, number, bigint or date
 * @returns the node
 * @throws {BlockmarkError} `tree/field` where it is none of these
 * @example
 * toHtml(root(paragraph(text('*not* bold')))) // => '<p>*not* bold</p>'
 */
export function text(value: TextValue): Text {
  return checked({ type: 'text', value: textOf(value) })
}

/**
 * Bold text.
 *
 * @param children - what it holds
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where it can not hold it (§5)
 * @example
 * stringify(root(paragraph(strong('a')))) // => '**a**'
 */
export function strong(...children: readonly Child<Phrasing | TextValue>[]): Strong {
  return checked({ type: 'strong', children: phrasingOf(children) })
}

/**
 * Italic text.
 *
 * @param children - what it holds
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where it can not hold it (§5)
 * @example
 * stringify(root(paragraph(emphasis('a')))) // => '*a*'
 */
export function emphasis(...children: readonly Child<Phrasing | TextValue>[]): Emphasis {
  return checked({ type: 'emphasis', children: phrasingOf(children) })
}

/**
 * Underlined text.
 *
 * @param children - what it holds
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where it can not hold it (§5)
 * @example
 * stringify(root(paragraph(underline('a')))) // => '_a_'
 */
export function underline(...children: readonly Child<Phrasing | TextValue>[]): Underline {
  return checked({ type: 'underline', children: phrasingOf(children) })
}

/**
 * Struck text: mdast's `delete`, which is no name for a function.
 *
 * @param children - what it holds
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where it can not hold it (§5)
 * @example
 * stringify(root(paragraph(strike('a')))) // => '-a-'
 */
export function strike(...children: readonly Child<Phrasing | TextValue>[]): Delete {
  return checked({ type: 'delete', children: phrasingOf(children) })
}

/**
 * Inline code.
 *
 * @param value - what it holds
 * @returns the node
 * @throws {BlockmarkError} `tree/field` where it is no text
 * @example
 * stringify(root(paragraph(inlineCode('a*b')))) // => '`a*b`'
 */
export function inlineCode(value: TextValue): InlineCode {
  return checked({ type: 'inlineCode', value: textOf(value) })
}

/**
 * A link, a bare one where it has no children; it holds no other link.
 *
 * @param url - where it leads: a string, or a `URL`
 * @param children - what is shown in its place
 * @returns the node
 * @throws {BlockmarkError} `tree/child` or `tree/field` where a link can not hold it (§5)
 * @throws {TypeError} where the url stands behind what is to be shown
 * @example
 * stringify(root(paragraph(link('https://example.com', 'The ', strong('example')))))
 * // => '[The **example**](https://example.com)'
 */
export function link(url: string | UrlValue, ...children: readonly Child<PhrasingWithoutLink | TextValue>[]): Link {
  const target = isUrl(url) ? url.href : url
  const label = phrasingOf(children)
  if (isSwapped(target, label)) {
    throw new TypeError(`link: expected the url first, as link('https://…', 'text'), received it behind the text`)
  }
  const bare: Text = { type: 'text', value: target }
  return checked({ type: 'link', url: target, title: null, children: label.length > 0 ? label : [bare] })
}

/** Whether the one is no url, and the other nothing else. */
function isSwapped(url: unknown, [only, ...others]: readonly Phrasing[]): boolean {
  if (typeof url !== 'string' || /^[a-z][a-z\d+.-]*:/i.test(url)) return false
  return only?.type === 'text' && others.length === 0 && /^(?:https?:\/\/|mailto:)\S+$/i.test(only.value)
}

/**
 * A mention.
 *
 * @param user - an id, or a user, whose name is then the label
 * @param label - the name for readers that do not know the id
 * @returns the node
 * @throws {BlockmarkError} `tree/field` where the id can be none (§3.3)
 * @throws {TypeError} where there is no user
 * @example
 * stringify(root(paragraph(mention('4711', 'Ann')))) // => '<@4711|Ann>'
 */
export function mention(user: User, label: string | null | undefined = nameOf(user)): Mention {
  return checked({ type: 'mention', userID: idOf(user), label: label || null })
}

/** What is neither an id nor a user stays as it is, for the table to refuse. */
function idOf(user: User): string {
  if (user === undefined || user === null) throw new TypeError('mention: expected an id or a user, received nobody')
  return typeof user === 'object' ? user.userID : user
}

function nameOf(user: User): string | null | undefined {
  return typeof user === 'object' && user !== null ? user.name : null
}

/**
 * A line break inside a paragraph.
 *
 * @returns the node
 * @example
 * toHtml(root(paragraph('one', br(), 'two'))) // => '<p>one<br>\ntwo</p>'
 */
export function br(): Break {
  return { type: 'break' }
}
