/**
 * The examples of `fixtures/conversions.md`: conversions from Markdown and Slack, with their losses. An example is a fence of four
 * or more backticks followed by `markdown NAME`, `slack NAME`, `blocks NAME` or `payload NAME`. It contains the input, then
 *
 * - `=> dialect`: the output of `stringify`
 * - `=> lost`: a line for each diagnostic, with rule and position; absent if nothing is lost
 *
 * Invisible characters are spelled as in `test/fixtures/invisible.ts`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fromVisible, toVisible } from '../fixtures/invisible.js'

export type From = 'markdown' | 'slack' | 'blocks' | 'payload'

export interface Conversion {
  from: From
  name: string
  /** The number of the example's first line. */
  line: number
  fence: string
  input: string
  dialect: string
  lost: string[]
}

const file = new URL('../../fixtures/conversions.md', import.meta.url)

/** Reads the chapter: lines, and an example for each fence. */
export function readConversions(): (string | Conversion)[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const content: (string | Conversion)[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, fence = '', from, name = ''] = /^(`{4,}) (markdown|slack|blocks|payload) (\S+)$/.exec(line) ?? []
    if (from === undefined) {
      content.push(line)
      continue
    }
    const end = lines.indexOf(fence, at + 1)
    if (end < 0) throw new Error(`fixtures/conversions.md:${at + 1}: the example has no end`)
    const parts = lines
      .slice(at + 1, end)
      .join('\n')
      .split(/^=> (dialect|lost)$\n?/m)
    const part = (wanted: string): string => parts[parts.indexOf(wanted) + 1]?.replace(/\n$/, '') ?? ''
    const lost = parts.includes('lost') ? part('lost').split('\n') : []
    const input = fromVisible((parts[0] ?? '').replace(/\n$/, ''))
    content.push({ from: from as From, name, line: at + 1, fence, input, dialect: fromVisible(part('dialect')), lost })
    at = end
  }
  return content
}

/** Writes the chapter, each example in its standard form. */
export function writeConversions(content: readonly (string | Conversion)[]): void {
  const lines = content.flatMap((entry) => {
    if (typeof entry === 'string') return [entry]
    const { fence, from, name, input, dialect, lost } = entry
    const loss = lost.length > 0 ? ['=> lost', ...lost] : []
    return [`${fence} ${from} ${name}`, toVisible(input), '=> dialect', toVisible(dialect), ...loss, fence]
  })
  writeFileSync(file, lines.join('\n'))
}
