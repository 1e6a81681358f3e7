/** The tree as mdast, once the dialect's own nodes are in mdast's node maps; the type check is the test. */
import type * as mdast from 'mdast'
import type * as tree from '../../src/tree.js'
import type {} from '../../src/unified/index.js'

/** Compiles if the value is assignable to the type. */
function given<Type>(_value: Type): void {}

declare const ours: tree.NodeMap
declare const mine: tree.AnyNode
declare const theirs: mdast.Nodes
declare const phrasing: mdast.PhrasingContent
declare const block: mdast.RootContent

// Every node of the tree is assignable to mdast's node of the same name.
given<mdast.Root>(ours.root)
given<mdast.Heading>(ours.heading)
given<mdast.Paragraph>(ours.paragraph)
given<mdast.List>(ours.list)
given<mdast.ListItem>(ours.listItem)
given<mdast.Code>(ours.code)
given<mdast.Text>(ours.text)
given<mdast.InlineCode>(ours.inlineCode)
given<mdast.Strong>(ours.strong)
given<mdast.Emphasis>(ours.emphasis)
given<mdast.Delete>(ours.delete)
given<mdast.Link>(ours.link)
given<mdast.Break>(ours.break)
given<mdast.Nodes>(mine)

// The three node types of the dialect, as children.
given<mdast.PhrasingContent>(ours.underline)
given<mdast.PhrasingContent>(ours.mention)
given<mdast.RootContent>(ours.file)
// @ts-expect-error
given<mdast.PhrasingContent>(ours.file)
// @ts-expect-error
given<mdast.BlockContent>(ours.mention)

// A plugin that narrows by type finds their fields.
if (phrasing.type === 'mention') given<string>(phrasing.userID)
if (phrasing.type === 'mention') given<string | null>(phrasing.label)
if (phrasing.type === 'underline') given<mdast.PhrasingContent[]>(phrasing.children)
if (block.type === 'file') given<string>(block.fileID)
if (theirs.type === 'file') given<string | null>(theirs.label)

// mdast has more nodes: the dialect has no images, tables and so on.
// @ts-expect-error
given<tree.Root>(null as unknown as mdast.Root)
// @ts-expect-error
given<tree.Phrasing>(phrasing)
