import { expect, test } from 'vitest'
import * as builders from '../src/author/builders.js'
import { md, type TemplateValue } from '../src/author/template.js'
import { BlockmarkError } from '../src/errors.js'
import { parse } from '../src/parse/index.js'
import { toText } from '../src/render/text.js'
import { assertTree } from '../src/tree/strict.js'
import type { Root, Strong } from '../src/tree.js'
import { stringify } from '../src/write/stringify.js'
import { expectedIn, places } from './places.js'

const { br, code, emphasis, file, heading, inlineCode, link, list } = builders
const { mention, paragraph, root, strong, text } = builders

/** Calls from JavaScript, where nothing checks the types. */
const untyped = md as unknown as (strings: unknown, ...values: unknown[]) => Root

test('the literal parts are the dialect, the values are content', () => {
  const user = { userID: '4711', name: 'Ann' }
  const tree = md`**Build ${7}** of ${'my_repo'} failed: ${mention(user)}`
  expect(tree).toEqual(root(paragraph(strong('Build 7'), ' of my_repo failed: ', mention(user))))
})

test('a whole message', () => {
  const tree = md`
    # ${'*Deploy*'} of **${'api'}**
    Took ${12} s, see [the ${'_log_'}](${'https://ci.example/7'}).

    * ${'one'}
    * **${'two'}**
    \`\`\`${'sh'}
    npm run ${'build'}
    \`\`\`
    <!${77}|${'log.txt'}>
  `
  expect(tree).toEqual(
    root(
      heading(1, '*Deploy* of ', strong('api')),
      paragraph('Took 12 s, see ', link('https://ci.example/7', 'the _log_'), '.'),
      list('one', strong('two')),
      code('npm run build', 'sh'),
      file('77', 'log.txt'),
    ),
  )
})

const values: [string, string][] = [
  ['a name', 'snake_case'],
  ['all kinds of markup', '**a** _b_ -c- [d](https://e.f) <@7|g> `h` https://i.j \\* <!k|l>'],
  ['blocks', '# a\n* b\n```c\nd\n<!e|f>\n\n* g'],
  ['every line ending', 'a\nb\r\nc\rd\n\n'],
  ['half of a line ending', 'a\r'],
  ['half of a marker', '**'],
  ['white space', ' \t '],
  ['nothing', ''],
  ['text like a placeholder', 'Q0Q QQ1QQ Q0:Q'],
  ['patterns of replacements', '$& $1 $$'],
]

test.each(values)('a string stays in its place: %s', (_, value) => {
  for (const place of places) expect(place.write(value), place.name).toEqual(expectedIn(place, value))
})

test('a word as a value has the same tree as in the source', () => {
  const v = 'word1'
  const sources: [Root, string][] = [
    [md`${v}_${v}_`, `${v}_${v}_`],
    [md`_${v}_${v}_`, `_${v}_${v}_`],
    [md`-${v} -${v}-${v}`, `-${v} -${v}-${v}`],
    [md`*${v}*${v}`, `*${v}*${v}`],
    [md`**${v}**${v}`, `**${v}**${v}`],
    [md`${v}: **${v}:**${v}`, `${v}: **${v}:**${v}`],
    [md`${v}https://a.b _https://${v}_`, `${v}https://a.b _https://${v}_`],
    [md`[${v}]${v}(b:c) [${v}](/d)`, `[${v}]${v}(b:c) [${v}](/d)`],
    [md`#${v}\n*${v}\n${v}. b`, `#${v}\n*${v}\n${v}. b`],
    [md`\`${v}\`\` ${v}\``, `\`${v}\`\` ${v}\``],
    [md`<${v}@1> <@ ${v}> <@a ${v}|b>`, `<${v}@1> <@ ${v}> <@a ${v}|b>`],
    [md`a <!1|${v}>`, `a <!1|${v}>`],
  ]
  for (const [tree, source] of sources) expect(tree, source).toEqual(parse(source, { position: false }))
})

test('the literal parts may contain text like a placeholder', () => {
  expect(md`Q0Q QQ0QQ undefined0undefined ${'a'}`).toEqual(root(paragraph('Q0Q QQ0QQ undefined0undefined a')))
})

test('a node with the fields of a URL is a node', () => {
  const both = { ...strong('a'), ...{ href: 'https://a.b', protocol: 'https:' } }
  expect(md`${both}`).toEqual(root(paragraph(both)))
})

test('a text node without a string throws, also among other values', () => {
  const broken = { type: 'text', value: 7 }
  expect(() => untyped`a ${broken}`).toThrow(/^tree\/field: expected string, received 7 at/)
})

test('an id is a string or a number, alone or a part of it', () => {
  expect(md`<@${'7'}> <@${8}|> <@${9n}|Ann>`).toEqual(
    root(paragraph(mention('7'), ' ', mention('8'), ' ', mention('9', 'Ann'))),
  )
  expect(md`<@${'ann'}> <@u${7}-${'x'}>`).toEqual(root(paragraph(mention('ann'), ' ', mention('u7-x'))))
  expect(md`<!${'é'}|>`).toEqual(root(file('é')))
  expect(md`<!${'7'}>`).toEqual(root(paragraph('<!7>')))
})

test('numbers, bigints and dates are text, as for the builders', () => {
  const date = new Date(Date.UTC(2026, 10, 21, 12, 30))
  const all = [0, -1.5, 12n, date, Number.NaN]
  expect(all.map((value) => toText(md`${value}`))).toEqual(all.map((value) => text(value).value))
  expect(md`\`${date}\` [a](bc:${7})`).toEqual(
    root(paragraph(inlineCode('2026-11-21T12:30:00.000Z'), ' ', link('bc:7', 'a'))),
  )
  expect(() => md`${new Date(Number.NaN)}`).toThrow(RangeError)
})

test('a URL is a link, and its text in a link or in code', () => {
  const url = new URL('https://a.b/c_d_')
  const bare = link('https://a.b/c_d_')
  expect(md`see ${url}.`).toEqual(md`see ${bare}.`)
  expect(md`${[url, ' and ', url]}`).toEqual(md`${[bare, ' and ', bare]}`)
  expect(md`[the docs](${url}) [${url}](xx:y) \`${url}\` <@7|${url}>`).toEqual(
    md`[the docs](${url.href}) [${url.href}](xx:y) \`${url.href}\` <@7|${url.href}>`,
  )
  expect(md`# ${url}`.children[0]).toEqual(heading(1, bare))
  for (const other of ['javascript:alert(1)', 'xhttp://a.b']) expect(md`${new URL(other)}`).toEqual(md`${other}`)
  expect(parse(stringify(md`see ${url}.`), { position: false })).toEqual(md`see ${url}.`)
})

test('an array is replaced by its values, and null, undefined and false are left out', () => {
  const isLate = Boolean(0)
  expect(md`a${[]}${null}${undefined}${isLate && 'late'} ${['b', [7, [strong('c')]], null]}`).toEqual(
    root(paragraph('a b7', strong('c'))),
  )
  expect(md`[${['a', 'b']}](ca:${['d', null, 8]}) \`${['e', 'f']}\``).toEqual(
    root(paragraph(link('ca:d8', 'ab'), ' ', inlineCode('ef'))),
  )
  expect(md`<@7|${null}> <@${['8', false]}>`).toEqual(root(paragraph(mention('7'), ' ', mention('8'))))
})

test('a value that is left out and alone on its line removes the line', () => {
  const nothing = [null, undefined, false, [], [[null], md``], md``, md`${null}`] as const
  for (const value of nothing) {
    expect(md`a\n${value}\nb\n${value}`).toEqual(root(paragraph('a', br(), 'b')))
    expect(md`# a\n${value}\n* b\n${value}\n* c`).toEqual(root(heading(1, 'a'), list('b', 'c')))
    expect(md`${value}`).toEqual(root())
  }
  expect(md`a\n${''}\nb`).toEqual(root(paragraph('a', br(), br(), 'b')))
})

test('a value next to code, a mention or formatting is not alone on its line', () => {
  expect(md`${null}\`a\``).toEqual(root(paragraph(inlineCode('a'))))
  expect(md`b\n${'c'}<@7|>\n${'d'}**e**`).toEqual(root(paragraph('b', br(), 'c', mention('7'), br(), 'd', strong('e'))))
  expect(() => md`${list('f')}\`g\``).toThrow('list')
})

test('a node as a value stays the same object', () => {
  const nodes = [mention('7'), strong('a'), link('b:c', 'd'), inlineCode('e')]
  const tree = md`${nodes[0]} **${nodes.slice(1)}**`
  expect(tree).toEqual(root(paragraph(nodes[0], ' ', strong(nodes.slice(1)))))
  const found = tree.children.flatMap((block) => (block.type === 'paragraph' ? block.children : []))
  expect(found[0]).toBe(nodes[0])
})

test('a text node as a value is text', () => {
  expect(md`a ${text('**b**\nc')} d`).toEqual(root(paragraph('a **b**', br(), 'c d')))
  expect(md`a ${br()} b`).toEqual(root(paragraph('a ', br(), ' b')))
  expect(md`# a${br()}b \`${text('c')}\``).toEqual(root(heading(1, 'a b ', inlineCode('c'))))
})

test('in a heading, an item and their descendants a break is one space', () => {
  const lines = md`**${'a\nb'}**${br()}c`
  expect(md`# ${lines}\n* ${lines}\n* ${strong(br())}`).toEqual(
    root(
      heading(1, strong(text('a'), text(' '), text('b')), ' c'),
      list(paragraph(strong(text('a'), text(' '), text('b')), ' c'), strong(' ')),
    ),
  )
  expect(lines).toEqual(root(paragraph(strong('a', br(), 'b'), br(), 'c')))
  let deep: Strong = { type: 'strong', children: [br()] }
  for (let depth = 0; depth < 490; depth += 1) deep = { type: 'strong', children: [deep] }
  expect(toText(md`# a${deep}b`)).toBe('a b')
})

test('a single paragraph of another template can be anywhere', () => {
  const name = md`**${'a'}** b`
  expect(md`# ${name}`).toEqual(root(heading(1, strong('a'), ' b')))
  expect(md`* x ${name}!`).toEqual(root(list(paragraph('x ', strong('a'), ' b!'))))
  expect(md`[_${name}_](cc:d)`).toEqual(md`[_**a** b_](cc:d)`)
  expect(md`x\n${name}\ny`).toEqual(root(paragraph('x', br(), strong('a'), ' b', br(), 'y')))
  expect(md`x ${parse('*c*', { position: false })}`).toEqual(md`x *c*`)
})

test('blocks are alone on their line', () => {
  const blocks = [heading(2, 'b'), code('c'), list('d'), file('7')]
  for (const block of blocks) {
    expect(md`a\n${block}\ne`).toEqual(root(paragraph('a'), block, paragraph('e')))
    expect(md`${block}`).toEqual(root(block))
    expect(md`${block}`.children[0]).toBe(block)
  }
  expect(md`${blocks}`).toEqual(root(blocks))
  expect(md`a\n${paragraph('b')}\nc`).toEqual(root(paragraph('a'), paragraph('b'), paragraph('c')))
  expect(md`a\n${['b', list('c'), 'd', strong('e'), [list('f')]]}\ng`).toEqual(
    root(paragraph('a', br(), 'b'), list('c'), paragraph('d', strong('e')), list('f'), paragraph('g')),
  )
  expect(md`a\n${md`# b\nc`}\nd`).toEqual(root(paragraph('a'), heading(1, 'b'), paragraph('c'), paragraph('d')))
})

test('items of other templates join the list on the lines around them', () => {
  const items = ['b', 'c'].map((each) => md`* **${each}**`)
  const bold = [strong('b'), strong('c')]
  expect(md`${items}`).toEqual(root(list(bold)))
  expect(md`* a\n${items}\n* d`).toEqual(root(list('a', bold, 'd')))
  expect(md`* a\n\n${items}\n\n* d`).toEqual(root(list('a'), list(bold), list('d')))
  expect(md`a\n${items}\nd`).toEqual(root(paragraph('a'), list(bold), paragraph('d')))
  expect(md`* a\n${items[0]}\n${items[1]}`).toEqual(root(list('a', bold)))
  expect(md`${[items, 'x', items]}`).toEqual(root(list(bold), paragraph('x'), list(bold)))
  expect(md`* a\n${md`* b\n\n* c`}\n* d`).toEqual(root(list('a', 'b'), list('c', 'd')))
  // A list that a builder made is that list.
  expect(md`* a\n${list('b')}\n* c`).toEqual(root(list('a'), list('b'), list('c')))
})

test('md changes none of its arguments', () => {
  const deep = <Value>(value: Value): Value => {
    if (typeof value === 'object' && value !== null) for (const each of Object.values(Object.freeze(value))) deep(each)
    return value
  }
  const given = deep([md`* a`, md`b ${strong('c')}`, text('d'), list('e'), ['f', [br()]]])
  expect(md`* x\n${given}\n* y`.children).toHaveLength(5)
  expect(md`# ${given.slice(1, 3)} ${given[2]}`).toEqual(root(heading(1, 'b ', strong('c'), 'd d')))
})

test('two calls share no nodes', () => {
  const write = (value: string) => md`a **b ${value}**\n* c\n\`\`\`\nd\n\`\`\``
  const first = write('x')
  for (const block of first.children) if ('children' in block) block.children.length = 0
  expect(write('y')).toEqual(root(paragraph('a ', strong('b y')), list('c'), code('d')))
})

test('the literal parts are parsed once for each call site', () => {
  const strings = ['**', '**']
  Object.assign(strings, { raw: strings })
  expect(untyped(strings, 'a')).toEqual(root(paragraph(strong('a'))))
  strings[0] = strings[1] = '`'
  expect(untyped(strings, 'b')).toEqual(root(paragraph(strong('b'))))
})

test('the literal parts are the cooked strings', () => {
  expect(md`\\_a\\_ \u{2a}b\u{2a}\n\x23 ${'c'}`).toEqual(root(paragraph('_a_ ', emphasis('b')), heading(1, 'c')))
  expect(md`C:\\Users \\\\*${'a'}*`).toEqual(root(paragraph('C:\\Users \\', emphasis('a'))))
})

test('a backslash before a special character is an escape of the dialect', () => {
  expect(md`\*not italic\* \_a\_ \-b\- \[c\](dd:e) \<@7> f\://g`).toEqual(
    root(paragraph(text('*not italic* _a_ -b- [c](dd:e) <@7> f://g'))),
  )
  expect(md`\# a`).toEqual(root(paragraph('# a')))
  expect(md`\\*a\\*`).toEqual(md`\*a\*`)
  expect(md`\\\*a\\\*`).toEqual(parse('\\\\*a\\\\*', { position: false }))
  expect(md`\*${'*'}\*`).toEqual(root(paragraph('***')))
})

test('any other escape is the one of JavaScript', () => {
  expect(md`a\nb\x41\u0042\u{1F389}\t\`c\`\
d\q`).toEqual(parse('a\nbAB🎉\t`c`dq', { position: false }))
  expect(md`\u002a\x2aa**`).toEqual(root(paragraph(strong('a'))))
  // Only a lower-case letter begins a code, and zeros at its start do not count.
  expect(md`\X41\U0042 \u{0041}\u{0001f389}\u{d83c}\u{df89}\
_b_`).toEqual(parse('X41U0042 A🎉🎉_b_', { position: false }))
})

test('an invalid escape is a TypeError', () => {
  const message = 'md: expected a template with valid escapes'
  expect(() => md`C:\users ${'a'}`).toThrow(new TypeError(message))
  expect(() => md`${'a'}\xyz`).toThrow(new TypeError(message))
})

test('a call without a template is a TypeError', () => {
  for (const strings of ['**a**', ['**a**'], null, undefined, 7, {}])
    expect(() => untyped(strings)).toThrow(new TypeError('md: expected a template, md`…`, received a call, md(…)'))
})

test('the literal parts may contain placeholders', () => {
  expect(md`Q Q0Q ${'a'}Q 0Q${'b'}QQ`).toEqual(root(paragraph('Q Q0Q aQ 0QbQQ')))
  expect(md`Q${'a'}0Q1${'b'}Q1Q${'c'}Q`).toEqual(root(paragraph('Qa0Q1bQ1QcQ')))
  expect(md`**Q**${'a'}**0Q**`).toEqual(root(paragraph(strong('Q'), 'a', strong('0Q'))))
  expect(md`a ${'b'} **cQ****0Qd**`).toEqual(parse('a b **cQ****0Qd**', { position: false }))
  expect(md`${'a'} Q\\*0Q **Q **1** Q** [Q0:Q](${'b:c'})`).toEqual(
    root(paragraph('a Q*0Q ', strong('Q 1 Q'), ' ', link('b:c', 'Q0:Q'))),
  )
})

test('literal parts with all letters leave a placeholder', () => {
  const pairs = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((one, _, all) => all.map((other) => one + other))
  const strings = [`${pairs.join('_')} ${'Q'.repeat(99)} [a](`, '://b)']
  Object.assign(strings, { raw: strings })
  expect(untyped(strings, 'https').children).toEqual(parse(strings.join('https'), { position: false }).children)
})

test('a template has any number of values', () => {
  const count = 500
  const strings = Array.from({ length: count + 1 }, () => '.')
  Object.assign(strings, { raw: strings })
  const all = Array.from({ length: count }, (_, index) => index)
  expect(toText(untyped(strings, ...all))).toBe(`.${all.map((index) => `${index}.`).join('')}`)
})

test('the text is that of the literal parts and the value between them', () => {
  for (const [, value] of values) {
    expect(toText(md`a ${value} b`)).toBe(toText(root(paragraph('a ', value, ' b'))))
    expect(toText(md`a ${value} b`)).toBe(`a ${value.replace(/\r\n?/g, '\n')} b`)
  }
})

/** Templates that the types reject too, if they know the position of the value. */
const refused: [name: string, write: () => Root, message: string][] = [
  ['true', () => untyped(template('a ', ' b'), true), 'tree/child: expected phrasing, received true at /values/0'],
  ['an object', () => untyped(template('', ''), { a: 1 }), 'expected phrasing, received object at /values/0'],
  ['a function', () => untyped(template('', '', ''), 'a', br), 'expected phrasing, received function at /values/1'],
  ['a symbol', () => untyped(template('', ''), Symbol('a')), 'expected phrasing, received Symbol(a) at /values/0'],
  ['a block in text', () => md`a ${list('b')}`, 'tree/child: expected phrasing, received list at /values/0'],
  ['a block in a marker', () => md`**${code('b')}**`, 'tree/child: expected phrasing, received code at /values/0'],
  ['a block in an item', () => md`* ${['a', list('b')]}`, 'expected phrasing, received list at /values/0'],
  ['a heading in text', () => md`a ${md`# b`}`, 'tree/child: expected phrasing, received root at /values/0'],
  [
    'a user instead of a mention',
    () => untyped(template('by ', ''), { userID: '7', name: 'Ann' }),
    'tree/child: expected phrasing, received user (write mention(user)) at /values/0',
  ],
  ['two paragraphs in an item', () => md`* ${md`a\n\nb`}`, 'expected phrasing, received root at /values/0'],
  ['an item', () => untyped(template('', ''), list('a').children[0]), 'expected phrasing, received listItem'],
  ['a link in a link', () => md`[a ${link('b:c')}](dd:e)`, 'phrasing without link, received link at /values/0'],
  [
    'a link deep in a link',
    () => md`[a **${md`b ${strong(link('c:d'))}`}**](ee:f)`,
    'expected phrasing without link, received link at /values/0/children/0',
  ],
  ['no id', () => md`<@${'a b'}>`, 'tree/field: expected id (1 to 128 characters'],
  ['an empty id', () => md`<@${null}|a>`, 'received "" at /values/0/userID'],
  ['no id of a file', () => md`<!${'a|b'}|>`, 'received "a|b" at /values/0/fileID'],
  ['no id among other values', () => md`${1} <@${'a b'}|${'c'}>`, 'received "a b" at /values/1/userID'],
  [
    'a broken node',
    () => untyped(template('', ''), { type: 'text' }),
    'expected string, received undefined at /values/0/value',
  ],
  [
    'a broken block',
    () => untyped(template('', ''), { type: 'code' }),
    'expected string, received undefined at /values/0/value',
  ],
  [
    'a broken root',
    () => untyped(template('', ''), { type: 'root' }),
    'expected array, received undefined at /values/0/children',
  ],
  [
    'a broken node in a root',
    () => untyped(template('', ''), { type: 'root', children: [paragraph('a'), { type: 'mention' }] }),
    'tree/child: expected block, received mention at /values/0/children/1',
  ],
]

test.each(refused)('a value in an invalid position throws: %s', (_, write, message) => {
  expect(write).toThrow(BlockmarkError)
  expect(write).toThrow(message)
})

function template(...strings: string[]): unknown {
  return Object.assign(strings, { raw: strings })
}

test('a node instead of text is a TypeError', () => {
  const node = strong('a')
  const writes: (() => Root)[] = [
    () => md`[a](${node})`,
    () => md`https://${node}`,
    () => md`\`${['a', node]}\``,
    () => md`\`\`\`\n${md`**a**`}\n\`\`\``,
    () => md`\`\`\`${node}\n\`\`\``,
    () => md`<@${node}>`,
    () => md`<@7|${node}>`,
    () => md`<!7|${node}>`,
  ]
  const error = new TypeError('md: expected text at /values/0, received strong')
  for (const write of writes) expect(write, String(write)).toThrow(error)
})

test('a node inside itself throws', () => {
  const node: TemplateValue = strong('a')
  node.children.push(node)
  expect(() => md`a ${node}`).toThrow(
    'tree/cycle: expected tree, received strong inside itself at /values/0/children/1',
  )
  expect(() => md`# ${node}`).toThrow('tree/cycle')
})

test('every tree is one of §5', () => {
  for (const place of places) for (const [, value] of values) assertTree(place.write(value))
})

// With quadratic time, the test would time out.
test('many values take linear time', () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => md`* row ${index}`)
  expect(md`* first\n${rows}`.children).toHaveLength(1)
  expect(md`${'a\n'.repeat(200_000)}`.children).toHaveLength(1)
})
