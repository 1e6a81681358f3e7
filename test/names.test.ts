/** Every sample of `fixtures/names.md` stays as typed; the chapter describes its format. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify, toText } from '../src/index.js'
import type { Phrasing } from '../src/tree.js'

interface Sample {
  /** `fixtures/names.md:` and the number of its line. */
  place: string
  kind: 'as-typed' | 'as-urls'
  source: string
  /** The URLs below the sample, in an `as-urls` block. */
  urls: string[]
}

const samples = readSamples()

for (const { place, kind, source, urls } of samples) {
  test(`${place} ${source}`, () => {
    const { children } = parse(source, { position: false })
    const [block] = children
    if (children.length !== 1 || block?.type !== 'paragraph') throw new Error(`${place} is not one paragraph`)
    if (kind === 'as-typed') {
      expect(block.children, place).toEqual([{ type: 'text', value: source }])
    } else {
      expect(block.children.flatMap(urlOf), place).toEqual(urls.length > 0 ? urls : [source])
    }
    expect(toText(source)).toBe(source)
    expect(stringify(parse(source))).toBe(source)
  })
}

test('the samples are distinct, and more than a thousand', () => {
  const sources = new Set<string>()
  const again = samples.filter(({ source }) => sources.size === sources.add(source).size)
  expect(again).toEqual([])
  expect(sources.size).toBeGreaterThan(1000)
})

/** Returns the URL of a bare link; nothing for a text. */
function urlOf(node: Phrasing): string[] {
  if (node.type === 'text') return []
  const [child, ...others] = node.type === 'link' ? node.children : []
  if (node.type !== 'link' || child?.type !== 'text' || child.value !== node.url || others.length > 0) {
    throw new Error(`neither a text nor a bare link: ${JSON.stringify(node)}`)
  }
  return [node.url]
}

function readSamples(): Sample[] {
  const chapter = readFileSync(new URL('../fixtures/names.md', import.meta.url), 'utf8')
  const found: Sample[] = []
  let kind: Sample['kind'] | null = null
  for (const [i, line] of chapter.split('\n').entries()) {
    const place = `fixtures/names.md:${i + 1}`
    if (line.startsWith('````')) {
      kind = kind === null ? kindOf(line, place) : null
    } else if (kind === 'as-urls' && line.startsWith('  ')) {
      found.at(-1)?.urls.push(line.slice(2))
    } else if (kind !== null) {
      found.push({ place, kind, source: line, urls: [] })
    }
  }
  return found
}

function kindOf(fence: string, place: string): Sample['kind'] {
  const [, kind] = /^```` lines (as-typed|as-urls)$/.exec(fence) ?? []
  if (kind !== 'as-typed' && kind !== 'as-urls') throw new Error(`${place}: not a block of samples: ${fence}`)
  return kind
}
