/** The table of delimiters is one table (§3.6, §4): with the row that src/README.md shows, everything supports it. */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { build } from 'esbuild'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Library = typeof import('../src/index.js') &
  Pick<typeof import('../src/lint/index.js'), 'explain' | 'lint'> &
  Pick<typeof import('../src/convert/index.js'), 'toMarkdown'> &
  Pick<typeof import('../src/convert/slack/index.js'), 'toSlack' | 'toSlackBlocks'> &
  Pick<typeof import('../src/arbitraries/trees.js'), 'wildTree'>

const folder = mkdtempSync(join(tmpdir(), 'blockmark-delimiter-'))
let library: Library

/** The hunks of one file: the removed and the added lines, with the lines around them. */
interface Change {
  readonly path: string
  readonly hunks: readonly { readonly before: string; readonly after: string }[]
}

const changes = readDiff(readFileSync('src/README.md', 'utf8').split('```diff\n')[1]?.split('\n```')[0] ?? '')

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

/** A copy of the source in which some of the changes have been made. */
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

/** The files in which the compiler finds something missing. */
function filesWithErrors(copy: string): string[] {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', copy], { encoding: 'utf8' })
  const files = Array.from(stdout.matchAll(/^(?:.*\/)?(src\/.*?)\(\d+,\d+\): error/gm), ([, file = '']) => file)
  if (files.length === 0 && stdout !== '') throw new Error(stdout)
  return [...new Set(files)].sort()
}

afterAll(() => rmSync(folder, { recursive: true }))

const tree = changes.filter(({ path }) => path === 'src/tree.ts')
const others = changes.filter((change) => !tree.includes(change))

test('it takes six files and a line for each messenger', { timeout: 60_000 }, () => {
  expect(changes.filter(({ path }) => !path.startsWith('src/messengers/'))).toHaveLength(6)
  expect(filesWithErrors(copySource('whole', changes))).toEqual([])
})

test('the compiler names the files that need an entry for a new node type', { timeout: 60_000 }, () => {
  // Those of mdast's types are asked for only where the node is given to a plugin.
  const asked = others.map(({ path }) => path).filter((path) => path !== 'src/convert/mdast.ts')
  expect(filesWithErrors(copySource('half', tree))).toEqual(expect.arrayContaining(asked))
})

describe('with the row', () => {
  beforeAll(async () => {
    const copy = copySource('library', changes)
    const outfile = join(copy, 'library.js')
    const entries = ['index', 'lint/index', 'convert/index', 'convert/slack/index', 'arbitraries/trees']
    await build({
      stdin: {
        contents: entries.map((entry) => `export * from './src/${entry}.js'`).join('\n'),
        resolveDir: copy,
        loader: 'ts',
      },
      ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
    })
    library = await import(pathToFileURL(outfile).href)
  }, 60_000)

  test.each([
    ['a ||b|| c', '<p>a <span>b</span> c</p>'],
    ['||a **b** c||', '<p><span>a <strong>b</strong> c</span></p>'],
    ['|||a|||', '<p>|<span>a</span>|</p>'],
    ['un||believ||able', '<p>un<span>believ</span>able</p>'],
    ['a\u2063||」||\u2063b', '<p>a<span>」</span>b</p>'],
    [String.raw`\||a||`, '<p>||a||</p>'],
    ['a|b|c || d <@7|Ann>', '<p>a|b|c || d <span class="mention" data-user-id="7">@Ann</span></p>'],
  ])('%j is read', (source, html) => {
    const { parse, toHtml, toText } = library
    expect([toHtml(source), toHtml(parse(source))]).toEqual([html, html])
    expect(toText(parse(source))).toBe(toText(source))
  })

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

  test('the laws of writing hold for it', { timeout: 120_000 }, () => {
    const { parse, stringify, normalize, toHtml, toText } = library
    const pieces = ['a', 'b', ' ', '|', '||', '||', '**', '*', '_', '-', '\\', '[x](http://u.v)', '`c`', '\n', '.', '"']
    const sources = fc.array(fc.constantFrom(...pieces, '<@7|x>', '(', '」', '\u2063||', '||\u2063'), { maxLength: 12 })
    fc.assert(
      fc.property(sources, (parts) => {
        const source = parts.join('')
        const tree = parse(source, { position: false })
        expect([toHtml(tree), toText(tree)]).toEqual([toHtml(source), toText(source)])
        expect(parse(stringify(tree), { position: false })).toEqual(tree)
      }),
      { numRuns: 5_000 },
    )
    let count = 0
    fc.assert(
      fc.property(library.wildTree, (tree) => {
        if (JSON.stringify(tree).includes('"spoiler"')) count += 1
        const once = normalize(tree).tree
        return isDeepStrictEqual(parse(stringify(tree), { position: false }), once)
      }),
      { numRuns: 500 },
    )
    expect(count).toBeGreaterThan(50)
  })
})
