/** Every example of the README and of the docstrings runs, with the results that it shows. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import rehypeStringify from 'rehype-stringify'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toHtml } from '../src/index.js'
import { type Comparison, compile, type Example, examplesOfMarkdown, examplesOfSource, run } from './examples.js'
import { parseTypeScript, readSources, top } from './source.js'

const readmePath = join(top, 'README.md')
const readme = existsSync(readmePath) ? readFileSync(readmePath, 'utf8') : ''
const ofReadme = examplesOfMarkdown('README.md', readme)
const library = readFileSync(join(top, 'src/LIBRARY.md'), 'utf8')
const ofLibrary = examplesOfMarkdown('src/LIBRARY.md', library)
const messengers = readFileSync(join(top, 'src/messengers/README.md'), 'utf8')
const ofMessengers = examplesOfMarkdown('src/messengers/README.md', messengers).filter(({ code }) =>
  code.includes('// =>'),
)
const ofSource = readSources().flatMap(examplesOfSource)

test('all examples compile', async () => {
  expect(await compile([...ofReadme, ...ofLibrary, ...ofMessengers, ...ofSource])).toBe('')
})

async function wrongOnes(example: Example): Promise<Comparison[]> {
  const comparisons = await run(example)
  return comparisons.filter(({ actual, expected }) => {
    try {
      expect(actual).toStrictEqual(expected)
      return false
    } catch {
      return true
    }
  })
}

describe('README.md', () => {
  test('has examples that show their results', () => {
    expect(ofReadme.filter(({ code }) => code.includes('// =>')).length).toBeGreaterThanOrEqual(4)
  })

  test('has at most 950 words, examples included', () => {
    expect(readme.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(950)
  })

  test('shows the real output of each product for the same message', () => {
    const lines = /^typed +(.*)\nCommonMark +(.*)\nblockmark +(.*)$/m.exec(readme)
    const [, typed = '', ...shown] = lines ?? []
    const commonMark = String(unified().use(remarkParse).use(remarkRehype).use(rehypeStringify).processSync(typed))
    expect([commonMark, toHtml(typed)]).toEqual(shown.map((html) => `<p>${html}</p>`))
  })

  test('links only to anchors that exist', () => {
    const anchors = Array.from(readme.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    const links = Array.from(readme.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor)
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((anchor = '') => !anchors.includes(anchor))).toEqual([])
  })

  test('names the command that continuous integration runs', () => {
    const command = 'npm ci && npm test'
    expect(readme).toContain(command)
    const steps = readFileSync(join(top, '.ci', 'run'), 'utf8')
    for (const part of command.split(' && ')) expect(steps).toContain(part)
  })

  test('links to files that exist', () => {
    const text = readme.replace(/^```.*?^```/gms, '')
    const paths = Array.from(text.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g), ([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) expect([path, existsSync(join(top, path))]).toEqual([path, true])
  })

  test('has no sentence of more than 45 words', () => {
    const prose = readme.replace(/^```.*?^```/gms, '').replace(/^\|.*$/gm, '')
    const sentences = prose.split(/(?<=[.:!?])\s+|\n\n|^- |·/m)
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 45)).toEqual([])
  })

  for (const example of ofReadme) {
    test(`line ${example.line}`, async () => {
      for (const { line, actual, expected } of await run(example)) {
        expect(actual, `README.md:${line}`).toStrictEqual(expected)
      }
    })
  }
})

test.each([
  ['README.md', readme],
  ['src/LIBRARY.md', library],
])('the React component of %s compiles and renders a message', async (_, document) => {
  const [, code = ''] = /```tsx\n(.*?)\n```/s.exec(document) ?? []
  expect(code.split('\n').length).toBeLessThanOrEqual(15)
  const folder = mkdtempSync(join(top, 'node_modules', 'blockmark-component-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const outfile = join(folder, 'message.mjs')
  await build({
    ...{ stdin: { contents: code, loader: 'tsx', resolveDir: folder }, bundle: true, format: 'esm', outfile },
    ...{ jsx: 'automatic', external: ['react', 'react/*', 'hast-util-to-jsx-runtime'], logLevel: 'error' },
    alias: { blockmark: join(top, 'src', 'index.ts') },
  })
  const { Message }: { Message: FunctionComponent<Record<string, unknown>> } = await import(outfile)
  const mention = (): { name: string } => ({ name: '<Ann>' })
  const rendered = renderToStaticMarkup(createElement(Message, { source: ['# a *b*', 'for <@7|x>'], mention }))
  // React escapes more characters in text than HTML needs.
  expect(rendered.replaceAll('&gt;', '>')).toBe(
    '<div class="blockmark"><h1>a <em>b</em></h1>\n<p>for <span class="mention" data-user-id="7">@&lt;Ann></span></p></div>',
  )
  writeFileSync(join(folder, 'message.tsx'), code)
  const compilerOptions = { jsx: 'react-jsx', paths: { blockmark: [join(top, 'src/index.ts')] }, noEmit: true }
  const settings = { extends: join(top, 'tsconfig.json'), compilerOptions, include: ['message.tsx'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = join(top, 'node_modules', 'typescript', 'bin', 'tsc')
  expect(spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout).toBe('')
})

test.each([...ofLibrary, ...ofMessengers])('$path:$line', async (example) => {
  const comparisons = await run(example)
  expect(comparisons.length).toBeGreaterThan(0)
  for (const { line, actual, expected } of comparisons)
    expect(actual, `${example.path}:${line}`).toStrictEqual(expected)
})

describe('docstrings', () => {
  test('have examples', () => {
    expect(ofSource.length).toBeGreaterThan(0)
  })

  for (const example of ofSource) {
    test(`${example.path}:${example.line}`, async () => {
      for (const { line, actual, expected } of await run(example)) {
        expect(actual, `${example.path}:${line}`).toStrictEqual(expected)
      }
    })
  }
})

describe('an example', () => {
  const example = (code: string): Example => ({ path: 'README.md', line: 11, code })

  test.each([
    ["toHtml('*a*') // => '<p><em>a</em></p>'"],
    [
      "import { toHtml } from 'blockmark'\n\nconst html: string = toHtml('*a*')\n// => '<p><em>a</em></p>'\n\n// and on",
    ],
    ["const toText = () => 'mine'\ntoText() // => 'mine'"],
    [
      "parse('a', { position: false })\n// => {\n//   type: 'root',\n//   children: [{ type: 'paragraph', children: [{ type: 'text', value: 'a' }] }],\n// }",
    ],
    ["for (const name of ['a', 'a']) {\n  console.log(name) // => 'a'\n}"],
    ['const promise = Promise.resolve(1)\nawait promise // => 1'],
    ['parse(42 as never) // => throws TypeError: parse: expected a string, received 42'],
  ])('that is correct: %s', async (code) => {
    expect((await run(example(code))).length).toBeGreaterThan(0)
    expect(await wrongOnes(example(code))).toEqual([])
  })

  test('that is wrong is reported, with its line', async () => {
    const code = "const tree = parse('a')\n\ntree.type // => 'root'\n\ntoText(tree) // => 'b'"
    expect(await wrongOnes(example(code))).toEqual([{ line: 15, actual: 'a', expected: 'b' }])
    expect(await wrongOnes(example('({ a: 1, b: undefined }) // => { a: 1 }'))).toHaveLength(1)
    expect(await wrongOnes(example("parse('a') // => throws TypeError"))).toHaveLength(1)
  })

  test.each([
    ["if (toText('a') === 'b') {\n  toText('a') // => 'a'\n}", 'never reached'],
    ["toText('a') // => the text", 'needs an expression'],
    ["// => 'a'", 'no statement before'],
    ["const { type } = parse('a') // => 'root'", 'no value before'],
    ['parse(', 'README.md:11'],
    ["import 'blockmark/nowhere'", 'exports no blockmark/nowhere'],
    ["throw new Error('by itself')", 'by itself'],
    ['unknown()', 'unknown is not defined'],
  ])('that can never be correct: %s', async (code, message) => {
    await expect(run(example(code))).rejects.toThrow(message)
  })

  test('that does not compile is reported', async () => {
    const wrong = [example('toHtml(42)'), example('const tree: string = parse("a")'), example('toHtml("a")')]
    expect((await compile(wrong)).match(/README\.md-11-\d.*error TS\d+/g)).toHaveLength(2)
  })

  test('is found in Markdown by its info string', () => {
    const markdown =
      '# a\n\n```ts\none\n```\n\n````md\n```ts\nnone\n```\n````\n\n```js\nnone\n```\n```ts title\ntwo\n\nmore\n```\n'
    expect(examplesOfMarkdown('a.md', markdown)).toEqual([
      { path: 'a.md', line: 4, code: 'one' },
      { path: 'a.md', line: 17, code: 'two\n\nmore' },
    ])
  })

  test('is found in comments, up to the next tag', () => {
    const text =
      'const a = 1\n/**\n * Says.\n *\n * @example\n * one()\n *   two()\n * @see three\n * @example\n * four()\n */\nfunction b() {}\n// @example\n/* @example */'
    const found = examplesOfSource({ path: 'src/a.ts', text, ...parseTypeScript('a', text) })
    expect(found).toEqual([
      { path: 'src/a.ts', line: 6, code: 'one()\n  two()' },
      { path: 'src/a.ts', line: 10, code: 'four()' },
    ])
  })
})
