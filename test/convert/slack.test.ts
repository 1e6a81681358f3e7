/** Slack's formats: nothing pings, nothing is lost, and hostile input is only input. */
import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromSlack, toSlack } from '../../src/convert/slack/index.js'
import { normalize, parse, stringify, toText } from '../../src/index.js'
import { mostly, property } from '../properties/property.js'
import { hostileText, source } from '../properties/sources.js'
import { expectToBeFast } from '../timing.js'

function samples(sources: fc.Arbitrary<string>): fc.Arbitrary<{ sources: [string] }> {
  return sources.map((input) => ({ sources: [input] }))
}

function hasLink(source: string): boolean {
  return JSON.stringify(parse(source)).includes('"type":"link"')
}

describe('toSlack', () => {
  property(
    'writes no control sequence but links',
    samples(source),
    ({ sources: [input] }) => {
      const mrkdwn = toSlack(input)
      const brackets = mrkdwn.match(/<[^>]*>?/g) ?? []
      expect(brackets.filter((bracket) => !/^<(?:https?|mailto):[^<>]*>$/i.test(bracket))).toEqual([])
      expect(mrkdwn.replace(/<[^>]*>/g, '')).not.toContain('>')
      expect(mrkdwn.replace(/<[^|>]*\|?|```[\s\S]*?```|`[^`]*`/g, '')).not.toMatch(
        /@(?:channel|here|everyone|group)\b/i,
      )
    },
    { cost: 4 },
  )

  property(
    'shows all of the text, in order',
    samples(source),
    ({ sources: [input] }) => {
      // A link's url stands before its label there.
      if (hasLink(input)) return
      const mrkdwn = toSlack(input).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
      const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
      expect(letters(mrkdwn)).toBe(letters(toText(input)))
    },
    { cost: 4 },
  )

  test.each([
    ['**bold** *it* _under_ -gone- `code`', '*bold* _it_ _under_ ~gone~ `code`'],
    ['# Deploy\n* one\n* **two**', '*Deploy*\n\n• one\n• *two*'],
    ['<!channel> <@U1|channel> @here & co', '&lt;!channel&gt; @\u200Bchannel @\u200Bhere &amp; co'],
    ['[a|b>c](https://d.e/?f=<g|h>&i=1)', '[a|b&gt;c](<https://d.e/?f=>&lt;g|h&gt;&amp;i=1)'],
    ['[a|b](https://d.e/f|g?h=1&i=2)', '<https://d.e/f%7Cg?h=1&amp;i=2|a|b>'],
    ['https://a.b/c_d', '<https://a.b/c_d>'],
    ['[a](javascript:b)', 'a (javascript:b)'],
    ['un**believ**able', 'un\u200B*believ*\u200Bable'],
    ['\\*no\\* snake_case ~/.bashrc', '*\u200Bno* snake_case ~/.bashrc'],
    ['**a\nb**', '*a*\n*b*'],
    ['```js\na < b && "```c"\n```', '```\na &lt; b &amp;&amp; "``\u200B`c"\n```'],
    ['<!9|plan.pdf>', '[file: plan.pdf]'],
    ['> quoted', '&gt; quoted'],
  ])('%s', (dialect, mrkdwn) => expect(toSlack(dialect)).toBe(mrkdwn))

  test('takes a tree of any depth', () => {
    let tree: object = { type: 'text', value: 'a' }
    for (let depth = 0; depth < 20_000; depth += 1) tree = { type: 'strong', children: [tree] }
    const root = { type: 'root', children: [{ type: 'paragraph', children: [tree] }] } as never
    expect(toSlack(root)).toBe('*a*')
    expect(() => toSlack(7 as never)).toThrow(TypeError)
  })
})

describe('fromSlack', () => {
  mostly('gives a tree that survives being written', samples(fc.oneof(source, hostileText)), ({ sources: [input] }) => {
    const { tree } = fromSlack(input)
    return isDeepStrictEqual(parse(stringify(tree), { position: false }), tree)
  })

  test('reads what toSlack writes', () => {
    const { tree } = fromSlack(toSlack('# A\n**b** *c* -d- `e`\n* f\n* g\n\n```\nh\n```\n[i](https://j.k/?l=1&m=2)'))
    expect(stringify(tree)).toBe('**A**\n\n**b** *c* -d- `e`\n\n* f\n* g\n\n```\nh\n```\n\n[i](https://j.k/?l=1&m=2)')
  })

  test('mentions those who may be, and nobody else', () => {
    const { tree, messages } = fromSlack('<@U7|ann> <@U8> &lt;@U7|ann&gt; <!here>', { mentions: ['U7'] })
    expect(stringify(tree)).toBe('<@U7|ann> @U8 \\<@U7|ann> @here')
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(['mention', 'slack-element', 'mention'].toSorted())
  })

  test('takes blocks that are not what they should be', () => {
    const odd = [
      null,
      7,
      'a',
      [],
      {},
      { type: 7 },
      { type: 'constructor' },
      { type: 'rich_text' },
      { type: 'section', text: 7 },
    ]
    const deeper = [
      { type: 'rich_text', elements: [null, { type: 'rich_text_list', elements: [{}, 7], indent: -1, style: null }] },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'emoji', unicode: 'zz' }, { type: 'text' }] }],
      },
      { type: 'table', rows: [7, [null, { type: 'rich_text' }]] },
      { type: 'context', elements: [{ type: 'image' }] },
    ]
    const { tree } = fromSlack([...odd, ...deeper] as never)
    expect(normalize(tree).tree).toEqual(tree)
  })

  test.each(['*a ', '_*~', '<', '<@', '`a', '```', '&gt;', '> \n', '• a\n', '    ◦ a\n', '<a|b>', '~a~'])(
    'takes time in proportion to its length: %j',
    (unit) => {
      const read = (length: number) => (): unknown => fromSlack(unit.repeat(length / unit.length))
      expectToBeFast(read(20_000), { milliseconds: 1_000, times: 30, ordinary: read(2_000) })
    },
  )
})
