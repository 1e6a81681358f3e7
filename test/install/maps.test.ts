/** The source maps: `node --enable-source-maps` names the lines of the source. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { top } from '../source.js'

const { folder } = inject('installed')

/** Records the stack at each read of a node's type, for every output of a tree. */
const PROGRAM = `
import { assertTree, normalize, parse, stringify, toBlocks, toHast, toHtml, toText } from 'blockmark'
import { lint } from 'blockmark/lint'
import { toSlack } from 'blockmark/messengers'
Error.stackTraceLimit = 3
const reads = new Set()
const watched = (value) => typeof value !== 'object' || value === null ? value : new Proxy(value, {
  get(target, name) {
    if (name === 'type') reads.add(new Error().stack.split('\\n')[2])
    const found = target[name]
    return typeof found === 'function' ? found.bind(target.map(watched)) : watched(found)
  },
})
const tree = parse('# **a** *b* _c_ -d- \`e\` [f](https://x.test) https://x.test <@7|A>\\n\\n* a\\n* b\\n\\n\`\`\`ts\\nx\\n\`\`\`\\n\\n<!9|f>')
for (const give of [assertTree, lint, normalize, stringify, toBlocks, toHast, toHtml, toSlack, toText]) give(watched(tree))
console.log(JSON.stringify([...reads]))
`

test('a stack trace names lines of the source', () => {
  writeFileSync(join(folder, 'frames.mjs'), PROGRAM)
  const words = ['--enable-source-maps', 'frames.mjs']
  const frames: string[] = JSON.parse(execFileSync(process.execPath, words, { cwd: folder }).toString())
  const lines = frames.map((frame) => {
    const [, path, line] = /\/(src\/[^:]+):(\d+)/.exec(frame) ?? []
    return path === undefined ? frame : readFileSync(join(top, path), 'utf8').split('\n')[Number(line) - 1]
  })
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => !/\btype\b/.test(line ?? ''))).toEqual([])
})
