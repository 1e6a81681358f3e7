/** The diffs of src/README.md: with a row for a delimiter (§3.6, §4), or with a type of block, everything supports it. */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { build as bundle } from 'esbuild'
import fc from 'fast-check'
import { toHtml as hastToHtml } from 'hast-util-to-html'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Library = typeof import('../src/index.js') &
  Pick<typeof import('../src/lint/index.js'), 'explain' | 'lint'> &
  Pick<typeof import('../src/convert/index.js'), 'toMarkdown'> &
  Pick<typeof import('../src/messengers/index.js'), 'toDiscord' | 'toSlack' | 'toSlackBlocks' | 'toTelegram'> &
  Pick<typeof import('../src/arbitraries/trees.js'), 'wildTree'>

const folder = mkdtempSync(join(tmpdir(), 'blockmark-construct-'))
let library: Library

/** The hunks of one file: the removed and the added lines, with the lines around them. */
interface Change {
  readonly path: string
  readonly hunks: readonly { readonly before: string; readonly after: string }[]
}

const [delimiterDiff = '', blockDiff = ''] = readFileSync('src/README.md', 'utf8')
  .split('```diff\n')
  .slice(1)
  .map((rest) => rest.split('\n```')[0] ?? '')
const changes = readDiff(delimiterDiff)
const blockChanges = readDiff(blockDiff)

function readDiff(diff: string): Change[] {
  return diff.split(/^--- .*\n\+\+\+ b\//m).flatMap((part) => {
    const [path = '', ...hunks] = part.split(/\n@@.*@@\n/)
    const side = (hunk: string, sign: '-' | '+'): string =>
      hunk
        .replace(/\n$/, '')
        .split('\n')
        .filter((line) => line === '' || line[0] === ' ' || line[0] === sign)
        .map((line) => line.slice(1))
        .join('\n')
    return path === ''
      ? []
      : [{ path, hunks: hunks.map((hunk) => ({ before: side(hunk, '-'), after: side(hunk, '+') })) }]
  })
}

function apply(folder: string, { path, hunks }: Change): void {
  let text = readFileSync(join(folder, path), 'utf8')
  for (const { before, after } of hunks) {
    if (text.split(before).length !== 2) throw new Error(`${path} has no one place for:\n${before}`)
    text = text.replace(before, () => after)
  }
  writeFileSync(join(folder, path), text)
}

/** Makes a copy of the source with some of the changes. */
function copySource(name: string, made: readonly Change[]): string {
  const copy = join(folder, name)
  cpSync('src', join(copy, 'src'), { recursive: true })
  cpSync('package.json', join(copy, 'package.json'))
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
  const exclude = ['src/playground', 'src/server', 'src/cli']
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'], exclude }))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  for (const change of made) apply(copy, change)
  return copy
}

/** Returns the files in which the compiler reports errors. */
function filesWithErrors(copy: string): string[] {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', copy], { encoding: 'utf8' })
  const files = Array.from(stdout.matchAll(/^(?:.*\/)?(src\/.*?)\(\d+,\d+\): error/gm), ([, file = '']) => file)
  if (files.length === 0 && stdout !== '') throw new Error(stdout)
  return [...new Set(files)].sort()
}

/** Bundles and imports the library of a copy. */
async function build(copy: string): Promise<Library> {
  const outfile = join(copy, 'library.js')
  const entries = ['index', 'lint/index', 'convert/index', 'messengers/index', 'arbitraries/trees']
  await bundle({
    stdin: {
      contents: entries.map((entry) => `export * from './src/${entry}.js'`).join('\n'),
      resolveDir: copy,
      loader: 'ts',
    },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  })
  return import(pathToFileURL(outfile).href)
}

/** Checks that all ways to render a source give the same. */
function expectRead({ parse, toHast, toHtml, toText }: Library, source: string, html: string): void {
  expect([toHtml(source), toHtml(parse(source)), hastToHtml(toHast(source))]).toEqual([html, html, html])
  expect(toText(parse(source))).toBe(toText(source))
}

/** Checks §8 on random strings of some pieces, and on random trees; returns the number of trees that hold a node type. */
function checkWriting(library: Library, pieces: readonly string[], type: string): number {
  const { parse, stringify, normalize, toHast, toHtml, toText } = library
  const sources = fc.array(fc.constantFrom(...pieces), { maxLength: 12 })
  fc.assert(
    fc.property(sources, (parts) => {
      const source = parts.join('')
      const tree = parse(source, { position: false })
      expect([toHtml(tree), toText(tree)]).toEqual([toHtml(source), toText(source)])
      const hast = hastToHtml(toHast(source), { characterReferences: { useNamedReferences: true } })
      expect(hast).toBe(toHtml(source))
      expect(parse(stringify(tree), { position: false })).toEqual(tree)
    }),
    { numRuns: 5_000 },
  )
  let count = 0
  fc.assert(
    fc.property(library.wildTree, (tree) => {
      if (JSON.stringify(tree).includes(`"${type}"`)) count += 1
      const once = normalize(tree).tree
      return isDeepStrictEqual(parse(stringify(tree), { position: false }), once)
    }),
    { numRuns: 1_000 },
  )
  return count
}

afterAll(() => rmSync(folder, { recursive: true }))

const tree = changes.filter(({ path }) => path === 'src/tree.ts')
const others = changes.filter((change) => !tree.includes(change))

test('it takes four files and a line or two for each messenger', () => {
  expect(changes.filter(({ path }) => !path.startsWith('src/messengers/'))).toHaveLength(4)
  expect(filesWithErrors(copySource('whole', changes))).toEqual([])
})

test('the compiler names the files that need an entry for a new node type', () => {
  // Types of mdast are required only if a plugin gets the node.
  const asked = others.map(({ path }) => path).filter((path) => path !== 'src/convert/mdast.ts')
  expect(filesWithErrors(copySource('half', tree))).toEqual(expect.arrayContaining(asked))
})

describe('with the row', () => {
  beforeAll(async () => {
    library = await build(copySource('library', changes))
  })

  test.each([
    ['a ||b|| c', '<p>a <span>b</span> c</p>'],
    ['||a **b** c||', '<p><span>a <strong>b</strong> c</span></p>'],
    ['|||a|||', '<p>|<span>a</span>|</p>'],
    ['un||believ||able', '<p>un<span>believ</span>able</p>'],
    ['a\u2063||」||\u2063b', '<p>a<span>」</span>b</p>'],
    [String.raw`\||a||`, '<p>||a||</p>'],
    ['a|b|c || d <@7|Ann>', '<p>a|b|c || d <span class="mention" data-user-id="7">@Ann</span></p>'],
  ])('%j is read', (source, html) => expectRead(library, source, html))

  test('every output has it', () => {
    const { parse, toHast, toBodies, toMarkdown, toSlack, toSlackBlocks, truncate, stringify } = library
    const source = 'a ||b c d|| e'
    expect(parse(source, { position: false }).children).toMatchObject([
      { children: [{ value: 'a ' }, { type: 'spoiler', children: [{ value: 'b c d' }] }, { value: ' e' }] },
    ])
    expect(JSON.stringify(toHast(source))).toContain('"tagName":"span"')
    expect(toBodies(source, { bodyLength: 9 })).toEqual(['a ||b c||', '||d|| e'])
    expect(stringify(truncate(source, { length: 6 }))).toBe('a ||b c…||')
    expect(toMarkdown(parse(source))).toBe('a *b c d* e')
    expect(toSlack(parse(source))).toBe('a _b c d_ e')
    expect(JSON.stringify(toSlackBlocks(source))).toContain('{"type":"text","text":"b c d","style":{"italic":true}}')
  })

  test('checks and streams know it', () => {
    const { createStream, explain, lint } = library
    expect(explain('a ||b|| c', 3).map(({ message }) => message)).toContain('Opens spoiler.')
    expect(lint('a\u2063||b||\u2063c')).toEqual([])
    expect(lint('a\u2063||b').map(({ ruleId }) => ruleId)).toContain('invisible')
    const stream = createStream()
    stream.push('a ||b')
    expect(library.stringify(stream.tail)).toBe('a ||b||')
  })

  test('the properties of writing hold for it', () => {
    const pieces = ['a', 'b', ' ', '|', '||', '||', '**', '*', '_', '-', '\\', '[x](http://u.v)', '`c`', '\n', '.', '"']
    const more = ['<@7|x>', '(', '」', '\u2063||', '||\u2063']
    expect(checkWriting(library, [...pieces, ...more], 'spoiler')).toBeGreaterThan(100)
  })
})

test('a block takes at most twelve files and the conversions', () => {
  expect(blockChanges.filter(({ path }) => !path.startsWith('src/convert/')).length).toBeLessThanOrEqual(12)
  expect(blockChanges.map(({ path }) => path)).toEqual(expect.arrayContaining(['src/tree.ts', 'src/parse/tape.ts']))
  expect(filesWithErrors(copySource('whole-block', blockChanges))).toEqual([])
})

test('the compiler names the files that need a new block', () => {
  const changeOf = (path: string) => blockChanges.filter((change) => change.path === path)
  const inTree = changeOf('src/tree.ts')
  // The row of the block's type, without its marker.
  const inTape = changeOf('src/parse/tape.ts').map(({ path, hunks }) => ({ path, hunks: hunks.slice(0, 1) }))
  const readers = filesWithErrors(copySource('block-in-tree', inTree))
  const all = filesWithErrors(copySource('block-in-tape', [...inTree, ...inTape]))
  const asked = blockChanges.map(({ path }) => path).filter((path) => path !== 'src/convert/mdast.ts')
  const parser = ['src/parse/blocks.ts', 'src/parse/root.ts', 'src/parse/tape.ts', 'src/render/html.ts']
  expect(readers).toEqual(
    expect.arrayContaining(asked.filter((path) => path !== 'src/tree.ts' && !parser.includes(path))),
  )
  expect(all).toEqual(expect.arrayContaining(asked.filter((path) => path !== 'src/tree.ts')))
})

describe('with the block', () => {
  let library: Library

  beforeAll(async () => {
    library = await build(copySource('library-block', blockChanges))
  })

  test.each([
    ['> a **b**', '<blockquote>a <strong>b</strong></blockquote>'],
    ['a\n> b\n> c\nd', '<p>a</p>\n<blockquote>b</blockquote>\n<blockquote>c</blockquote>\n<p>d</p>'],
    [' >\ta ', '<blockquote>a</blockquote>'],
    ['> > a', '<blockquote>> a</blockquote>'],
    ['> # a', '<blockquote># a</blockquote>'],
    ['* > a', '<ul>\n<li>> a</li>\n</ul>'],
    ['>a\n>\na > b', '<p>>a<br>\n><br>\na > b</p>'],
    [String.raw`\> a`, '<p>> a</p>'],
    [String.raw`\\> a`, '<p>\\> a</p>'],
  ])('%j is read', (source, html) => expectRead(library, source, html))

  test('every output has it', () => {
    const { parse, toBodies, toDiscord, toMarkdown, toSlack, toTelegram, toText, truncate, stringify, md } = library
    const source = 'a\n> b *c d*'
    expect(parse('> b').children).toMatchObject([
      {
        type: 'quote',
        children: [{ type: 'text', value: 'b' }],
        position: { start: { offset: 0 }, end: { offset: 3 } },
      },
    ])
    expect(toText(source)).toBe('a\n\nb c d')
    expect(stringify(parse(source))).toBe('a\n\n> b *c d*')
    expect(stringify(parse('\\> a'))).toBe('\\> a')
    expect(stringify(md`> a ${'*b*\n> c'}`)).toBe('> a \\*b* > c')
    expect(toBodies(source, { bodyLength: 7 })).toEqual(['a\n\n> b', '> *c d*'])
    expect(stringify(truncate(source, { length: 5 }))).toBe('a\n\n> b…')
    expect(toMarkdown(parse(source))).toBe('a\n\n> b *c d*')
    expect(toSlack(parse(source))).toBe('a\n\n> b _c d_')
    expect(toDiscord(source)).toEqual(['a\n\n> b *c d*'])
    expect(toTelegram('a\n> b')).toEqual([{ text: 'a\n\nb', entities: [{ type: 'blockquote', offset: 3, length: 1 }] }])
  })

  test('checks and streams know it', () => {
    const { assertTree, createStream, explain, lint, parse } = library
    const messages = (source: string, offset: number) => explain(source, offset).map(({ message }) => message)
    expect(messages('> b', 2)).toEqual(['In a quote.'])
    expect(messages('>b', 0)).toEqual(['Not a quote: a quote is `>`, a space, and a character.', 'In a paragraph.'])
    expect(lint('> a **b**\n> c')).toEqual([])
    expect(lint('> a **b and c').map(({ ruleId }) => ruleId)).toEqual(['unclosed-marker'])
    expect(() => assertTree(parse('> a'))).not.toThrow()
    const withBreak = { type: 'root', children: [{ type: 'quote', children: [{ type: 'break' }] }] }
    expect(() => assertTree(withBreak)).toThrow('break')
    const stream = createStream()
    expect(stream.push('> a\n> **b').map(({ type }) => type)).toEqual(['quote'])
    expect(library.stringify(stream.tail)).toBe('> **b**')
  })

  test('the properties of writing hold for it', () => {
    const pieces = ['a', ' ', '> ', '> ', '>', '\n', '\r', '\\', '#', '*', '**', '_', '-', '```', '`', '\u2063', '\t']
    const more = ['<@7|x>', '<!7|x>', '[x](http://u.v)', 'http://u.v', '&', '<']
    expect(checkWriting(library, [...pieces, ...more], 'quote')).toBeGreaterThan(30)
  })
})
