/** The tree's types compared with mdast's, unist's and hast's, and the arguments of the public functions; the type check is the test. */
import type * as hast from 'hast'
import type * as mdast from 'mdast'
import type * as unist from 'unist'
import { parse, type RenderOptions, type Source, toHast, toHtml, toText } from '../../src/index.js'
import type * as tree from '../../src/tree.js'

/** Fields that only mdast has: `data`, and positions without offsets. */
type Bare<Node> = Omit<Node, 'position' | 'data'>

/** Compiles if the value is assignable to the type. */
function given<Type>(_value: Type): void {}

declare const ours: tree.NodeMap
declare const theirs: {
  text: Bare<mdast.Text>
  inlineCode: Bare<mdast.InlineCode>
  break: Bare<mdast.Break>
  code: Bare<mdast.Code>
  heading: Bare<mdast.Heading>
  list: Bare<mdast.List>
  listItem: Bare<mdast.ListItem>
  link: Bare<mdast.Link>
  point: unist.Point
  complete: unist.Point & { offset: number }
  positioned: mdast.Text
}
declare const position: tree.Position
declare const options: RenderOptions

// A node without fields or children that only the dialect has is assignable to mdast's.
given<mdast.Text>(ours.text)
given<mdast.InlineCode>(ours.inlineCode)
given<mdast.Break>(ours.break)
given<mdast.Code>(ours.code)
given<unist.Node>(ours.root)
given<unist.Parent>(ours.root)
given<unist.Node>(ours.file)

// The reverse: an mdast node is assignable to ours, except if mdast's type is wider.
given<tree.Text>(theirs.text)
given<tree.InlineCode>(theirs.inlineCode)
given<tree.Break>(theirs.break)
// @ts-expect-error - lang and meta can be absent there
given<tree.Code>(theirs.code)
// @ts-expect-error - six depths, and any phrasing
given<tree.Heading>(theirs.heading)
// @ts-expect-error - ordered ones too
given<tree.List>(theirs.list)
// @ts-expect-error - any number of any blocks
given<tree.ListItem>(theirs.listItem)
// @ts-expect-error - images, and a title
given<tree.Link>(theirs.link)

// Positions are unist's.
given<unist.Position>(position)
given<tree.Point>(theirs.complete)
given<tree.Point>(theirs.point)
given<tree.Text>(theirs.positioned)

// Only what §5 lists is a tree.
given<tree.Heading>({ type: 'heading', depth: 2, children: [{ type: 'text', value: '' }] })
// @ts-expect-error
given<tree.Heading>({ type: 'heading', depth: 3, children: [] })
// @ts-expect-error
given<tree.Heading>({ type: 'heading', depth: 1, children: [{ type: 'break' }] })
// @ts-expect-error
given<tree.Link>({ type: 'link', url: 'a:b', title: null, children: [ours.link] })
// @ts-expect-error
given<tree.Link>({ type: 'link', url: 'a:b', title: 'a title', children: [] })
// @ts-expect-error
given<tree.List>({ type: 'list', ordered: true, spread: false, children: [] })
// @ts-expect-error
given<tree.ListItem>({ type: 'listItem', spread: false, children: [] })
// @ts-expect-error
given<tree.ListItem>({ type: 'listItem', spread: false, children: [ours.paragraph, ours.paragraph] })
// @ts-expect-error
given<tree.Root>({ type: 'root', children: [ours.text] })
// @ts-expect-error
given<tree.Paragraph>({ type: 'paragraph', children: [ours.file] })
// @ts-expect-error
given<tree.Mention>({ type: 'mention', userID: 7, label: null })
given<tree.Text>({ type: 'text', value: '', position: undefined })

// A type names its node.
given<'underline' | 'mention' | 'file'>(null as unknown as Exclude<tree.NodeType, mdast.Nodes['type']> | 'file')
given<tree.AnyNode>(ours[null as unknown as tree.NodeType])

// Sources: strings, trees, and lists of both.
given<tree.Root>(parse('a'))
given<tree.Root>(parse('a', { position: false }))
given<Source>(['a', parse('b')] as const)
given<string>(toHtml('a'))
given<string>(toHtml(parse('a'), options))
given<string>(toText(['a', parse('b')]))
given<hast.Root>(toHast('a'))
// @ts-expect-error
toHtml(42)
// @ts-expect-error
toHtml()
// @ts-expect-error
toText(null)
// @ts-expect-error
toText(undefined)
// @ts-expect-error
toHast([42])
// @ts-expect-error
toHast([['a']])
// @ts-expect-error - a renderer takes messages, not parts of one
toHtml(ours.paragraph)
// @ts-expect-error
parse(['a'])
// @ts-expect-error
parse('a', { position: 'yes' })
// @ts-expect-error
parse('a', { positions: true })

// Resolvers.
toHtml('a', { mention: (id, label) => ({ name: label ?? id.toUpperCase() }) })
toHtml('a', { mention: () => undefined, file: () => undefined })
toHtml('a', { mention: () => ({ name: 'Ann', href: '/ann' }) })
toHtml('a', { file: (id) => ({ name: id, mediaType: 'image/png', href: '/a', width: 2, height: 1 }) })
// @ts-expect-error - a name is needed
toHtml('a', { mention: () => ({ href: '/ann' }) })
// @ts-expect-error
toHtml('a', { mention: () => 'Ann' })
// @ts-expect-error
toHtml('a', { mention: async () => ({ name: 'Ann' }) })
// @ts-expect-error
toHtml('a', { file: (id: string) => ({ name: id }) })
// @ts-expect-error
toHtml('a', { mentions: () => ({ name: 'Ann' }) })
