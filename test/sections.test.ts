/** Every `§4` and `§3.4` in the project's files names a chapter of `fixtures/` and a part of it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChapters } from './fixtures/chapter.js'
import { filesBelow, top } from './source.js'

const sections = readSections()

test('every section that a file names exists', () => {
  const files = filesBelow('.').filter((file) => /\.(?:ts|js|md)$/.test(file))
  const missing = files.flatMap(readMentions).filter(({ section }) => !sections.includes(section))
  expect(missing.map(({ place, section }) => `${place}: §${section}`)).toEqual([])
})

test('chapters and their parts are numbered in order', () => {
  let [chapter, part] = [0, 0]
  for (const section of sections) {
    ;[chapter, part] = section.includes('.') ? [chapter, part + 1] : [chapter + 1, 0]
    expect(section).toBe(part === 0 ? `${chapter}` : `${chapter}.${part}`)
  }
})

/** The numbers of the chapters, from `# 4. …` in `fixtures/4-….md`, and of their parts, from `## 4.1 …`. */
function readSections(): string[] {
  const chapters = readChapters().filter(({ file }) => /\/\d+-[^/]+$/.test(file.replaceAll('\\', '/')))
  return chapters.flatMap(({ content }) =>
    content.flatMap((line) => {
      const [, number] = typeof line === 'string' ? (/^##? (\d+(?:\.\d+)?)\.? /.exec(line) ?? []) : []
      return number === undefined ? [] : [number]
    }),
  )
}

interface Mention {
  place: string
  section: string
}

function readMentions(file: string): Mention[] {
  const lines = readFileSync(join(top, file), 'utf8').split('\n')
  return lines.flatMap((line, i) =>
    Array.from(line.matchAll(/§(\d+(?:\.\d+)?)/g), ([, section = '']) => ({ place: `${file}:${i + 1}`, section })),
  )
}
