/** Markdown for the tests. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tests } from 'commonmark-spec'
import fc from 'fast-check'
import { top } from '../source.js'

/** The inputs of all CommonMark examples, and of the GFM examples about extensions. */
export const specInputs: readonly string[] = [
  ...tests.map(({ markdown }) => markdown.replaceAll('→', '\t')),
  ...gfmInputs(),
]

function gfmInputs(): string[] {
  const file = new URL('../../fixtures/gfm/examples.json', import.meta.url)
  const sections: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'))
  return Object.values(sections).flat()
}

/** Markdown of people: the README files of the installed packages, up to a length. */
export function installedReadmes(lengthMax: number): { path: string; text: string }[] {
  const folder = join(top, 'node_modules')
  const paths = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return []
    return entry.name.startsWith('@')
      ? readdirSync(join(folder, entry.name)).map((name) => join(entry.name, name))
      : [entry.name]
  })
  return paths.flatMap((path) => {
    const name = readdirSync(join(folder, path)).find((each) => /^readme\.md$/i.test(each))
    const text = name === undefined ? '' : readFileSync(join(folder, path, name), 'utf8')
    return text === '' || text.length > lengthMax ? [] : [{ path, text }]
  })
}

const starts = [
  ...['', '', '', ' ', '   ', '    ', '\t', '- ', '* ', '1. ', '2. ', '10) ', '> ', '-    ', '- - ', '> - '],
].concat(['  ', '>', '-', '  - ', '   - ', '-\t', '[^a]: ', '- [ ] '])
const contents = ['', 'a', '*c*', '# h', '```', '```js', '~~~', '````', '<div>', '<!--', '-->', '<!-- x -->', '<?php']
  .concat(['?>', '<script>', '</script>', '---', '- - -', '***', '===', '|a|b|', '|-|-|', '2. y', 'a | b', '--|:-'])
  .concat(['<b>', '</b>', '[x] a', '[a]: b', '[a]', '`x', 'a  ', 'a\\', '|x', '**a', 'b** c', '[^a]', '[x](', 'y)'])
  .concat(['', 'a', 'b', '# h', '```', '![a](b', '[c]: http://x.y "t"', '[c]', '**a：**b', '漢😀', '\uFEFFa'])
const endings = ['\n', '\n', '\n\n', '\r\n', '\r', '\n \n']

/** Lines with possible markup at the start, in the middle and at the end. */
export const lines: fc.Arbitrary<string> = fc
  .array(
    fc
      .tuple(fc.constantFrom(...starts), fc.constantFrom(...contents), fc.constantFrom(...endings))
      .map((parts) => parts.join('')),
    { minLength: 2, maxLength: 9 },
  )
  .map((some) => some.join(''))

const gfmBlocks: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('| a | b |', 'a | **b**', '|a|', 'a\n| b |', '| `a\\|b` | c', '| a |'),
      fc.constantFrom('|---|:-:|', '--|--', '|-|', ':-', '|--:|', '---'),
      fc.array(fc.constantFrom('| a | b |', 'a', '| ~~a~~ | [^b] |', '|x', '| a | b | c |', 'www.a.b | c@d.e'), {
        maxLength: 3,
      }),
    )
    .map(([head, delimiters, rows]) => [head, delimiters, ...rows].join('\n')),
  fc.constantFrom('- [ ] a\n- [x] **b**\n- [X]', '1. [x] a\n   b', '- [ ]\n- [x]\n  a', '- [xa] b\n- [x]a'),
  fc.constantFrom('[^a]: b', '[^a]: b\n\n    c', '[^b]: > d', '[^c]:\n    - e', '[^a]', 'a[^b] ~~[^c]~~ ~d~', '# [^a]'),
)

const around: readonly ((block: string) => string)[] = [
  (block) => block,
  (block) => block.replace(/^/gm, '> '),
  (block) => `- ${block.replace(/\n/g, '\n  ')}`,
  (block) => `3. ${block.replace(/\n/g, '\n   ')}`,
]

/** Tables, tasks and footnotes, each in a container in which GFM's parser follows its specification. */
export const gfmLines: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(gfmBlocks, fc.constantFrom(...around)).map(([block, wrap]) => wrap(block)),
    { minLength: 1, maxLength: 5 },
  )
  .map((blocks) => blocks.join('\n\n'))
