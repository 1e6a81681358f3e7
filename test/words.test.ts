/** How the project writes: the patterns that made its prose hard to read may become rarer, never more frequent. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { top } from './source.js'

/** Each pattern, and the number of lines that it may match at most. Most that are left are right, such as "there is no". */
const patterns: readonly (readonly [pattern: RegExp, lineCountMax: number])[] = [
  [/\bcan not\b/, 0],
  [/^\s*(\*|\/\/|\/\*\*)\s*(What|Who|Whose|Whoever|Whatever)\b/, 0],
  [/@(param [a-zA-Z]+ -|returns) (what|who|whose|whoever)\b/, 0],
  [/\b(is|are|was|were|be) (none\b|no (?!longer)[a-z])/, 77],
  [/@throws .*\bwhere\b/, 0],
  [/\b(has|have) to\b/, 0],
  [/\b(nobody|somebody|everybody|anybody|whoever)\b/, 13],
  [/\b(stand|stands|standing|stood)\b/, 0],
  [/\bbehind\b/, 3],
  [/\bbeside\b/, 0],
  [/, as `/, 0],
  [/\bso (many|much|long|few)\b/, 0],
  [/\b(but for|all but)\b/, 0],
  [/\bof (its|our|their|one.s|his) own\b|\bof ours\b/, 6],
  // The spelling is American, as in the names of the standards; one word of the benchmark's corpus is British.
  [
    /colour|neighbour|behaviour|centre|cancelled|licence|labelled\b|artefact|[a-z](?:al|im|or|[ct]er)is(?:ed?|ing)\b/i,
    1,
  ],
]

const folders = ['src', 'test', 'bench', '.ci']
const paths = folders.flatMap((folder) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
)
// This file contains the patterns themselves.
const files = ['README.md', ...paths].filter(
  (path) => /\.(?:md|ts|js|mjs)$/.test(path) && !/node_modules|dist\/|words\.test\.ts$/.test(path),
)
const lines = files.flatMap((path) => readFileSync(join(top, path), 'utf8').split('\n'))

describe('patterns that make prose hard to read', () => {
  test.each(patterns)('%s', (pattern, lineCountMax) => {
    expect(lines.length).toBeGreaterThan(10_000)
    const found = lines.filter((line) => pattern.test(line))
    expect(found.length, found.slice(0, 5).join('\n')).toBeLessThanOrEqual(lineCountMax)
  })
})

test('no sentence of a README has more than 45 words', () => {
  const readmes = files.filter((path) => /README\.md$|LIBRARY\.md$|guides\/.*\.md$/.test(path))
  expect(readmes.length).toBeGreaterThan(8)
  const long = readmes.flatMap((path) => {
    return sentencesOf(readFileSync(join(top, path), 'utf8')).filter((sentence) => sentence.split(' ').length > 45)
  })
  expect(long).toEqual([])
})

/** The sentences of a document, without code, tables and headings. A list item is a paragraph. */
function sentencesOf(markdown: string): string[] {
  const prose = markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1$/gm, '').replace(/^\s*(?:\||#).*$/gm, '')
  return prose.split(/\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )/).flatMap((paragraph) =>
    paragraph
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?:][)*"]?) (?=[A-Z`[(*“"])/),
  )
}
