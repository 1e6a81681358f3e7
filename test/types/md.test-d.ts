/** The types of values in a template; the type check is the test. */
import { br, code, heading, link, list, mention, paragraph, root, strong, text } from '../../src/author/builders.js'
import { md, type TemplateValue } from '../../src/author/template.js'
import { parse, type Root, toHtml, toText } from '../../src/index.js'
import type { AnyNode, Block, ListItem, Phrasing } from '../../src/tree.js'

declare const isLate: boolean
declare const names: readonly string[]
declare const user: { userID: string; name: string }
declare const maybe: string | undefined
declare const phrasing: Phrasing
declare const blocks: readonly Block[]
declare const item: ListItem
declare const node: AnyNode
declare const unknown: unknown

// The result is a tree, which every renderer takes.
md`**a**` satisfies Root
toHtml(md`a ${1}`)
toText([md`a`, 'b', md`c`])

// Text: strings, numbers, bigints, dates.
md`${'a'} ${7} ${8n} ${new Date(0)} ${text('b')}`
// Nothing.
md`${null} ${undefined} ${false} ${maybe} ${isLate && 'late'} ${isLate ? strong('late') : null}`
// Nodes, and what other templates and `parse` give.
md`${strong('a')} ${phrasing} ${br()} ${mention(user)} ${link('https://a.b')}`
md`${heading(1, 'a')}
${blocks}
${code('b')}
${list('c')}
${md`d`}
${parse('e')}`
// Arrays of them, at any depth.
md`${names} ${[names, [strong('a'), null, [1]]]} ${names.map((name) => md`* ${name}`)}`
const values: readonly TemplateValue[] = [names, phrasing, blocks, root(), 7]
md`${values}`

// `true` is nothing that could be shown.
// @ts-expect-error
md`${true}`
// @ts-expect-error
md`${isLate}`
// Neither objects and functions nor arrays of them are values.
// @ts-expect-error
md`${user}`
// @ts-expect-error
md`${{}}`
// @ts-expect-error
md`${br}`
// @ts-expect-error
md`${[names, [user]]}`
md`${new URL('https://a.b')}`
// @ts-expect-error
md`${/a/}`
// @ts-expect-error
md`${Symbol('a')}`
// @ts-expect-error
md`${new Map([['a', 'b']])}`
// @ts-expect-error
md`${Promise.resolve('a')}`
// @ts-expect-error
md`${unknown}`
// An item must be in a list.
// @ts-expect-error
md`${item}`
// @ts-expect-error
md`${node}`
// An object with other fields is not a node.
// @ts-expect-error
md`${{ type: 'bold', children: [] }}`
// @ts-expect-error
md`${{ type: 'mention', userID: 7, label: null }}`

// A string makes no markup, whatever calls itself a template.
// @ts-expect-error
md('**a**')
// @ts-expect-error
md(names)
// @ts-expect-error
md(['a', 'b'], 'c')
// @ts-expect-error
md()
// @ts-expect-error - only `md`, `parse` and the builders give blocks and phrasing
root('**a**')
// @ts-expect-error
root(`**${names[0]}**`)
// @ts-expect-error - the builders do not accept a message in a paragraph
paragraph(md`**a**`)
// @ts-expect-error
strong(parse('a'))
// @ts-expect-error
heading(1, md`a`)
// @ts-expect-error - a tree is not a string
md`a`.toUpperCase()
// @ts-expect-error
'**a**' satisfies Root
