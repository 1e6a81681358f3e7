/** Splitting and previews: accepted and rejected input, and work that grows only with the message. */

import { describe, expect, test } from 'vitest'
import {
  BlockmarkError,
  md,
  type Paragraph,
  parse,
  type Root,
  stringify,
  toBlocks,
  toBodies,
  toText,
  truncate,
  validate,
} from '../src/index.js'
import { pieces } from './message-pieces.js'
import { pick, seededRandom } from './random.js'
import { leastTimeOf } from './timing.js'

const message: Root = {
  type: 'root',
  children: [
    { type: 'paragraph', children: [{ type: 'text', value: 'a' }] },
    { type: 'paragraph', children: [{ type: 'mention', userID: '7', label: 'Ann Lee' }] },
  ],
}

describe('sources', () => {
  test('a string, a tree and an array are split alike', () => {
    for (const source of [
      'a\n\n<@7|Ann Lee>',
      message,
      ['a', '<@7|Ann Lee>'],
      ['a', { ...message, children: message.children.slice(1) }],
    ]) {
      expect(toBlocks(source)).toEqual(['a', '<@7|Ann Lee>'])
      expect(toBodies(source)).toEqual(['a\n\n<@7|Ann Lee>'])
      expect(toText(truncate(source, { length: 5 }))).toBe('a…')
    }
  })

  test('the strings of a post are never joined', () => {
    expect(toBlocks(['* a', '* b', '```', 'c'])).toEqual(['* a', '* b', '```\n```', 'c'])
    expect(toBodies(['* a', '* b']).map((body) => parse(body).children.length)).toEqual([2])
  })

  test('a tree is not changed', () => {
    const before = structuredClone(message)
    toBlocks(message, { blockLength: 12 })
    truncate(message, { length: 1 })
    expect(message).toEqual(before)
  })

  test('a paragraph that shows nothing is left out, one of several lines too', () => {
    expect(toBodies('a\n\n\u3000\n\n\u3000\n\u3000\n\nb')).toEqual(['a\n\nb'])
  })

  test('a value that is not a limit is a TypeError', () => {
    for (const limit of [0, -1, Number.NaN, '7', null]) {
      expect(() => toBlocks('a', { blockLength: limit as number })).toThrow(TypeError)
      expect(() => toBlocks('a', { blocks: limit as number })).toThrow(TypeError)
      expect(() => toBodies('a', { bodyLength: limit as number })).toThrow(TypeError)
    }
    for (const length of [-1, Number.NaN, '7', undefined]) {
      expect(() => truncate('a', { length: length as number })).toThrow(TypeError)
    }
    for (const none of [null, undefined]) expect(() => truncate('a', none as never)).toThrow(TypeError)
    expect(() => truncate('a b', { length: 2, ellipsis: 7 as unknown as string })).toThrow(TypeError)
    expect(() => truncate('a', { length: -1 })).toThrow('length: expected a number of 0 or more, received -1')
  })
})

describe('errors', () => {
  function errorOf(split: () => unknown): BlockmarkError {
    try {
      split()
    } catch (error) {
      if (error instanceof BlockmarkError) return error
      throw error
    }
    throw new Error('nothing was thrown')
  }

  test('say what does not fit, and where', () => {
    const place = { line: 1, column: 4, offset: 3 }
    const problem = { code: 'blocks/too-long', valid: '1 to 9 characters', received: 'mention' }
    expect(errorOf(() => toBlocks('as <@7|Ann Lee>', { blockLength: 9 })).problems).toEqual([
      { ...problem, path: [], place },
    ])
    expect(errorOf(() => toBlocks(message, { blockLength: 9 })).problems).toEqual([
      { ...problem, path: ['children', 1] },
    ])
    expect(errorOf(() => toBodies(['a', message], { bodyLength: 9 })).problems).toEqual([
      { ...problem, code: 'body/too-long', path: [1, 'children', 1] },
    ])
  })

  test('reject an empty message', () => {
    for (const source of ['', ' \n', '\u00A0', [], [''], { type: 'root' as const, children: [] }]) {
      expect(errorOf(() => toBlocks(source)).code).toBe('blocks/count')
      expect(errorOf(() => toBodies(source)).code).toBe('body/blank')
    }
  })

  test('reject a message that needs too many blocks', () => {
    const { code, problems } = errorOf(() => toBlocks('<!1|a>\n\n'.repeat(101)))
    expect([code, problems[0].valid, problems[0].received]).toEqual(['blocks/count', '1 to 100 blocks', '101'])
  })

  test('reject a character that does not fit with its formatting, instead of cutting it in two', () => {
    expect(errorOf(() => toBodies('*a\u{10100}*', { bodyLength: 3 })).code).toBe('body/too-long')
    expect(toBodies('*a\u{10100}*', { bodyLength: 4 })).toEqual(['*a\u{10100}*'])
  })

  test('drop nothing after an invisible piece has been left out', () => {
    expect(errorOf(() => toBlocks('\u00A0\u0301a', { blockLength: 1, blocks: 1 })).code).toBe('blocks/count')
    expect(toBlocks('\u00A0\u0301a', { blockLength: 1, blocks: 2 })).toEqual(['\u0301', 'a'])
  })
})

describe('limits', () => {
  test('are those of the service: one less, equal, one more', () => {
    for (const character of ['a', '😀', '中']) {
      for (const [length, count] of [
        [3_999, 1],
        [4_000, 1],
        [4_001, 2],
      ] as const) {
        expect(toBlocks(character.repeat(length))).toHaveLength(count)
        expect(toBodies(character.repeat(length + 36_000))).toHaveLength(count)
      }
    }
    for (const [blocks, count] of [
      [99, 99],
      [100, 100],
      [101, 1],
    ] as const) {
      expect(toBlocks('a\n\n'.repeat(blocks))).toHaveLength(count)
    }
  })

  test('may be infinite', () => {
    const long = 'word '.repeat(10_000).trim()
    expect(toBodies(long, { bodyLength: Number.POSITIVE_INFINITY })).toEqual([long])
    expect(toBlocks(long, { blockLength: Number.POSITIVE_INFINITY })).toEqual([long])
    expect(truncate(long, { length: Number.POSITIVE_INFINITY })).toEqual(parse(long, { position: false }))
  })
})

describe('content that continues after a split point', () => {
  const marks = (count: number): string => '\u0301'.repeat(count)
  const cut: readonly [name: string, source: string, bodyLength: number, bodies: string[]][] = [
    ['formatting, whatever is before the split point', '-aa, bb-', 6, ['-aa-', '\u2063-,-\u2063', '-bb-']],
    ['formatting, whatever is after it', '**foo( word ,x bb**', 14, ['**foo( word**', '\u2063**,x bb**\u2063']],
    ['emphasis in strong', 'one **two *three***', 15, ['one **two**', '\u2063**\u2063*three*\u2063**\u2063']],
    ['an empty line of code', '```\nx\n\ny\n```', 10, ['```\nx\n\n```', '```\ny\n```']],
    ['an empty line at the end of code', '```\nx\n\n```\n\nb', 9, ['```\nx\n```', '```\n\n\n```', 'b']],
    ['code of empty lines', `\`\`\`${'\n'.repeat(8)}\`\`\``, 10, ['```\n\n\n\n```', '```\n\n\n```', '```\n\n\n```']],
    ['a heading that does not fit with the next block', 'a\n\n# bb\n\n<!fff|g>', 9, ['a\n\n# bb', '<!fff|g>']],
    ['a heading that is too long', 'a\n\n# bbbb cccc', 9, ['a\n\n# bbbb', '# cccc']],
    ['blank code under a heading', 'a\n\n# h\n\n```\n \n```\n\nb', 18, ['a\n\n# h\n\n```\n \n```', 'b']],
    ['a word that just fits, of characters of two code units', 'a 😀😀😀😀', 4, ['a', '😀😀😀😀']],
    ['a grapheme that is far too long', `a${marks(9)}\n\nb`, 2, ['a\u0301', ...Array(4).fill(marks(2)), 'b']],
  ]
  test.each(cut)('%s', (_, source, bodyLength, bodies) => {
    expect(toBodies(source, { bodyLength })).toEqual(bodies)
  })

  test('code with all its lines', () => {
    const lines = 'x = 1\n\n\n'.repeat(1_000)
    const codes = toBlocks(`\`\`\`py\n${lines}\`\`\``).flatMap((block) => parse(block).children)
    expect(codes.map((code) => (code.type === 'code' ? code.value : '')).join('\n')).toBe(lines.slice(0, -1))
  })

  test('struck text, the colons at the cuts too', () => {
    const blocks = toBlocks(`-${'key: '.repeat(2_000)}x-`)
    expect(blocks.map((block) => block.slice(0, 5))).toEqual(['\u2063-key', '\u2063-key', '-key:'])
    expect(blocks.map((block) => block.slice(-5))).toEqual(['ey:-\u2063', 'ey:-\u2063', 'y: x-'])
  })
})

describe('a preview', () => {
  const graphemes: readonly [source: string, length: number, preview: string][] = [
    ['🇩🇪ab', 2, '🇩🇪…'],
    ['👍🏽👍🏽👍🏽👍🏽👍🏽', 3, '👍🏽👍🏽…'],
    [`${'x'.repeat(253)}👍🏽 and more`, 263, `${'x'.repeat(253)}👍🏽 and more`],
    [`${'x'.repeat(252)}👩‍👩 and more`, 262, `${'x'.repeat(252)}👩‍👩 and more`],
    [`${'x'.repeat(254)}👩‍👩 and more`, 264, `${'x'.repeat(254)}👩‍👩 and more`],
    ['é'.repeat(600), 300, `${'é'.repeat(299)}…`],
  ]
  test.each(graphemes)('counts and keeps graphemes of several characters: %s', (source, length, preview) => {
    expect(toText(truncate(source, { length }))).toBe(preview)
  })

  test('ends with the given ellipsis', () => {
    expect(toText(truncate('one two three', { length: 9, ellipsis: ' (…)' }))).toBe('one (…)')
    // A grapheme may have any number of code points.
    const long = `e${'\u0301'.repeat(3_000)}`
    expect(toText(truncate(`${long} b c`, { length: 2 }))).toBe(`${long}…`)
    expect(toText(truncate(long, { length: 1 }))).toBe(long)
    expect(toText(truncate('one two three', { length: 9, ellipsis: '' }))).toBe('one two')
  })

  test('ends in the middle of the first word if that does not fit, in scripts without spaces too', () => {
    expect(toText(truncate('Överraskning', { length: 3 }))).toBe('Öv…')
    expect(toText(truncate('ありがとう', { length: 3 }))).toBe('あり…')
    expect(toText(truncate('* ありがとう', { length: 5 }))).toBe('• あり…')
  })

  test('ends after a file only if the ellipsis fits on another line', () => {
    const message = '<!1|a.pdf>\nbar'
    const previews = [13, 14, 16, 17, 18].map((length) => toText(truncate(message, { length })))
    expect(previews).toEqual(['…', '…', '[file: a.pdf]\n\n…', '[file: a.pdf]\n\nb…', '[file: a.pdf]\n\nbar'])
    expect(toText(truncate('<!1|a.pdf>', { length: 13 }))).toBe('[file: a.pdf]')
  })

  test('counts a named link by its text, and cuts that and a bare URL', () => {
    const preview = (source: string, length: number) => stringify(truncate(source, { length }))
    const url = `https://jira.example.com/browse/ABC-12?page=${'com.example.'.repeat(9)}`
    expect(preview(`[ABC-12 Login page](${url}) was updated`, 24)).toBe(`[ABC-12 Login page](${url}) was…`)
    expect(preview(`[ABC-12 Login page](${url}) was updated`, 14)).toBe(`[ABC-12 Login…](${url})`)
    expect(preview(`[ABC-12 Login page](${url}) was updated`, 19)).toBe(`[ABC-12 Login page](${url})…`)
    expect(preview(url, 30)).toBe('https\\://jira.example.com/brow…')
    expect(preview(`**${url}** and`, 12)).toBe('**https\\://jir…**')
    expect(preview('https://a.b c d', 13)).toBe('https://a.b…')
  })

  test('has at most the given number of lines', () => {
    const message = '# Title\n\nfirst *line\nsecond* <@7|Ann>\n* an item\n```\nlet a\n```\n<!1|a.png>'
    const lines = [1, 2, 3, 4].map((lines) => stringify(truncate(message, { length: 100, lines })))
    expect(lines).toEqual([
      'Title first *line second* <@7|Ann> an item `let a` [file: a.png]',
      '# Title\n\nfirst *line…*',
      '# Title\n\nfirst *line\nsecond* <@7|Ann>…',
      '# Title\n\nfirst *line\nsecond* <@7|Ann>\n\n* an item…',
    ])
    expect(stringify(truncate(message, { length: 100, lines: 99 }))).toBe(stringify(parse(message)))
    // After a file the ellipsis would be a third line.
    expect(toText(truncate('a\n<!9|b>\nc', { length: 30, lines: 2 }))).toBe('a…')
    const summary = truncate(message, { length: 20, lines: 1 })
    expect(stringify(md`* ${summary}: ${'done'}`)).toBe('* Title first *line…*: done')
    for (const lines of [0, -1, Number.NaN, '1']) {
      expect(() => truncate('a', { length: 1, lines: lines as number })).toThrow(
        /^lines: expected a number of 1 or more/,
      )
    }
  })

  test('is the whole message if it fits', () => {
    const text = { type: 'text', value: 'a' } as const
    const tree: Root = { type: 'root', children: [{ type: 'paragraph', children: [text, text] }] }
    expect(truncate(tree, { length: 2 })).toEqual(tree)
  })

  test('is all visible content if it fits, with any other content in the tree', () => {
    const paragraphOf = (value: string): Paragraph => ({ type: 'paragraph', children: [{ type: 'text', value }] })
    const tree: Root = { type: 'root', children: [paragraphOf('ab'), paragraphOf('')] }
    expect(truncate(tree, { length: 2 })).toEqual(parse('ab', { position: false }))
  })

  test('is empty if not even the ellipsis fits', () => {
    expect(truncate('one two', { length: 2, ellipsis: '...' })).toEqual({ type: 'root', children: [] })
  })
})

describe('a long message', () => {
  const sentence =
    'The deploy of core_api took **all night** and <@7|Ann> said `make it so`, see https://example.com/a_b for more. '
  const longs: Record<string, string> = {
    words: sentence,
    lines: `${sentence}\n`,
    paragraphs: `${sentence}\n\n`,
    items: `* ${sentence}\n`,
    'headings and paragraphs': `# ${sentence}\n\n${sentence}\n\n`,
    'one long word': 'x',
    'emoji without a space': '👩‍💻',
    'spaces in code': '`  `',
    'links to far away': `[a](https://example.com/${'b'.repeat(100)}) `,
    'words in bold': '**a** ',
    backslashes: '\\*',
    'full stops': '。',
  }

  for (const [name, part] of Object.entries(longs)) {
    test(`is split in linear time: ${name}`, () => {
      const whole = part.repeat(Math.ceil(2 ** 16 / part.length))
      const limits = { blockLength: 200, blocks: Number.POSITIVE_INFINITY, bodyLength: 400 }
      const split = () => ({
        blocks: toBlocks(whole, limits),
        bodies: toBodies(whole, limits),
        preview: truncate(whole, { length: 100 }),
      })
      const { blocks, bodies, preview } = split()
      expect(validate({ blocks }, limits)).toEqual([])
      expect(bodies.flatMap((body) => validate({ body }, limits))).toEqual([])
      expect(toText(preview)).toMatch(/…$/)
      // Serializing the rest of the message for each string would take hundreds of times as long.
      expect(leastTimeOf(split, { enough: 5_000 })).toBeLessThan(5_000)
    })
  }

  test('in one piece of formatting is split too', () => {
    const blocks = toBlocks(`**${sentence.replaceAll('*', '').repeat(1_000)}end**`, {
      blocks: Number.POSITIVE_INFINITY,
    })
    expect(blocks.every((block) => block.startsWith('**') && block.endsWith('**'))).toBe(true)
  })
})

test('random messages take as few strings, with as good split points, and as full, as the slow search finds', () => {
  const random = seededRandom(1)
  const nothing = { strings: 0, characters: 0, squares: 0, refused: 0 }
  const taken = { blocks: { ...nothing }, twoBlocks: { ...nothing }, bodies: { ...nothing }, preview: { ...nothing } }
  const add = (sum: typeof nothing, make: () => readonly string[]): void => {
    try {
      for (const string of make()) {
        sum.strings += 1
        sum.characters += string.length
        // The sum of squares changes if a split point moves.
        sum.squares += string.length ** 2
      }
    } catch (error) {
      if (!(error instanceof BlockmarkError)) throw error
      sum.refused += 1
    }
  }
  for (let run = 0; run < 1_500; run += 1) {
    const message = Array.from({ length: 1 + Math.floor(random() * 24) }, () => pick(random, pieces)).join('')
    const length = 2 + Math.floor(random() * 40)
    add(taken.blocks, () => toBlocks(message, { blockLength: length, blocks: Number.POSITIVE_INFINITY }))
    add(taken.twoBlocks, () => toBlocks(message, { blockLength: length, blocks: 2 }))
    add(taken.bodies, () => toBodies(message, { bodyLength: length }))
    add(taken.preview, () => [stringify(truncate(message, { length }))])
  }
  expect(taken).toEqual({
    blocks: { strings: 5_488, characters: 71_520, squares: 1_301_844, refused: 244 },
    twoBlocks: { strings: 874, characters: 13_825, squares: 309_511, refused: 930 },
    bodies: { strings: 4_910, characters: 72_842, squares: 1_418_264, refused: 244 },
    preview: { strings: 1_500, characters: 31_314, squares: 972_470, refused: 0 },
  })
})
