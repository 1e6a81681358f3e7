/** The types of the builders, `validate` and the table of §5; the type check is the test. */
import {
  br,
  code,
  heading,
  inlineCode,
  link,
  list,
  mention,
  paragraph,
  root,
  strong,
} from '../../src/author/builders.js'
import { validate } from '../../src/check/validate.js'
import { type BlockmarkError, type ErrorCode, throwProblems } from '../../src/errors.js'
import { assertTree } from '../../src/tree/strict.js'
import type { Block, ByType, Content, Heading, Phrasing, Root } from '../../src/tree.js'

declare const isLate: boolean
declare const names: readonly string[]
declare const user: { userID: string; name: string; email: string }
declare const maybeUser: typeof user | undefined
declare const phrasing: Phrasing
declare const block: Block
declare const error: BlockmarkError
declare const unknown: unknown

// Valid children.
root(block, [block, [null]], isLate && paragraph('late'))
heading(1, 'a', 2, 3n, new Date(0), strong('b'), null, undefined, names, [names, strong('c')])
paragraph(phrasing, br(), isLate && 'late', names.length)
list('a', names, strong('b'), paragraph('c ', strong('d')), isLate && 'late')
link('https://a.b')
link('https://a.b', names, strong('c'))
mention(user)
mention(user.userID, user.name)
mention({ userID: '7', name: null })
code(7, 'ts')

// Neither a string nor phrasing is a block.
// @ts-expect-error
root('# a')
// @ts-expect-error
root(strong('a'))
// @ts-expect-error
root([phrasing])
// A block is not phrasing.
// @ts-expect-error
paragraph(paragraph('a'))
// @ts-expect-error
strong([list('a')])
// `true` is nothing that could be shown.
// @ts-expect-error
paragraph(true)
// @ts-expect-error
paragraph(isLate)
// An object is not text, and a function is not a node.
// @ts-expect-error
paragraph(user)
// @ts-expect-error
paragraph(br)
// A heading and an item hold no break.
// @ts-expect-error
heading(1, br())
// @ts-expect-error
list(br())
// @ts-expect-error
list([['a', br()]])
// A list is flat.
// @ts-expect-error
list(list('a'))
// A link holds no link.
// @ts-expect-error
link('https://a.b', link('https://c.d'))
// The fields are what §5 says.
// @ts-expect-error
heading(3, 'a')
// @ts-expect-error
heading('a')
// @ts-expect-error
inlineCode(strong('a'))
link(new URL('https://a.b'))
// @ts-expect-error
mention(7)
// @ts-expect-error
mention(maybeUser)
// @ts-expect-error
mention({ name: 'Ann' })

// A builder's result is the node's own type.
const built: Heading = heading(2, 'a')
built.depth satisfies 1 | 2
// @ts-expect-error
paragraph('a') satisfies Heading

// `assertTree` narrows.
// @ts-expect-error
unknown satisfies Root
assertTree(unknown)
unknown satisfies Root

// `validate` takes one kind of message, and only strings.
validate({ blocks: names })
validate({ body: 'a' }, { blockLength: 1, blocks: Infinity })
// @ts-expect-error
validate('a')
// @ts-expect-error
validate(['a'])
// @ts-expect-error
validate({})
// @ts-expect-error
validate({ body: 7 })
// @ts-expect-error
validate({ body: 'a' }, { length: 1 })

// An error has at least one problem, and a code of the union.
error.problems[0].code satisfies ErrorCode
throwProblems(validate({ body: 'a' }))
// @ts-expect-error
error.code satisfies 'tree/child'

// Each type of node has its row, each field its kind; the compiler names what is left out.
// @ts-expect-error
;({ root: () => '' }) satisfies ByType<string, null>
// @ts-expect-error
;({ children: null, fields: { userID: 'id' } }) satisfies Content<'mention'>
// @ts-expect-error
;({ children: null, fields: {} }) satisfies Content<'strong'>
// @ts-expect-error
;({ children: 'phrasing', fields: { value: 'string' } }) satisfies Content<'text'>
