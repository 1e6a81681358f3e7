/** The table of losses in `src/convert/README.md`: each row is computed. `UPDATE=1` writes the current results. */

import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fromMarkdown } from '../../src/convert/index.js'
import { stringify } from '../../src/index.js'

const file = new URL('../../src/convert/README.md', import.meta.url)
const isUpdate = process.env['UPDATE'] !== undefined

test('the table shows the result of each construct', () => {
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.indexOf('| Markdown | what it becomes | rule |') + 2
  const end = lines.indexOf('', start)
  expect(start).toBeGreaterThan(1)
  const rows = lines.slice(start, end)
  const actual = rows.map(rowOf)
  expect(rows.length).toBeGreaterThan(10)
  if (isUpdate) writeFileSync(file, [...lines.slice(0, start), ...actual, ...lines.slice(end)].join('\n'))
  else expect(rows).toEqual(actual)
})

/** Computes a row again from the Markdown in its first cell. */
function rowOf(row: string): string {
  const [, cell = ''] = /^\| `(.*?)` \|/.exec(row) ?? []
  const { tree, diagnostics } = fromMarkdown(cell.replaceAll('\\|', '|').replaceAll('⏎', '\n'))
  const dialect = stringify(tree).replaceAll('\n', '⏎').replaceAll('\u2003', ' ').replaceAll('|', '\\|')
  const fence = dialect.includes('```') ? '````' : dialect.includes('`') ? '``' : '`'
  const rules = [...new Set(diagnostics.map(({ ruleId }) => `\`${ruleId}\``))].join(' ')
  return `| \`${cell}\` | ${fence}${fence.length > 1 ? ` ${dialect} ` : dialect}${fence} | ${rules} |`
}
