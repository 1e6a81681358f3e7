/** The frame around blocks: colors within their time limit, languages, URLs for paper. */

import { expect, test } from 'vitest'
import { parse } from '../../src/index.js'
import { colorCode, languageName } from '../../src/page/colors.js'
import { blockMarkup } from '../../src/server/pages/block.js'
import { expectToBeFast } from '../timing.js'

function draw(source: string): string {
  return parse(source)
    .children.map((block) => blockMarkup(block, {}, new Map()).html)
    .join('')
}

test('code is below the name of its language, in colors if the language is known', () => {
  expect(draw('```ts\nconst a = "<b>"\n```')).toContain(
    '<header><p>TypeScript</p></header>\n<pre tabindex="0"><code><span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;</span>\n</code></pre>',
  )
  expect(draw('```diff\n-gone\n+come\n```')).toContain(
    '<span class="hljs-deletion">-gone</span>\n<span class="hljs-addition">+come</span>',
  )
  expect(draw('```\n<x>\n```')).toContain('<p>Code</p></header>\n<pre tabindex="0"><code>&lt;x>\n</code></pre>')
  expect(draw('```constructor\n1\n```')).toContain('<p>constructor</p></header>\n<pre tabindex="0"><code>1\n')
  const hostile = blockMarkup({ type: 'code', lang: 'x"><script>', meta: null, value: '1' }, {}, new Map())
  expect(hostile.html).toContain('<p>x&quot;>&lt;script></p></header>\n<pre tabindex="0"><code>1\n</code>')
})

test('a table in code is marked, in time linear in its lines', () => {
  expect(draw('```\na | b\n--+--\n1 | 2\n```')).toContain('class="code table"')
  const long = (character: string) => (): string => draw(`\`\`\`\n${character.repeat(39_000)}x\n\`\`\``)
  expectToBeFast(long('-'), { milliseconds: 100, times: 20, ordinary: long('a') })
})

test('code is colored up to 8 KB, and a language by each of its names', async () => {
  // If another program had the CPU for too long, the next call colors the code.
  await expect.poll(() => colorCode('const a = 1 // b\n'.repeat(480), 'ts')).not.toBeNull()
  expect(colorCode('const a = 1 // b\n'.repeat(490), 'ts')).toBeNull()
  for (const name of ['sh', 'c++', 'cs', 'patch', 'go', 'JS', 'json', 'make', 'md', 'py', 'sql', 'ts', 'html', 'yml']) {
    await expect.poll(() => [name, colorCode('x', name)?.html]).toEqual([name, expect.stringContaining('x')])
  }
  expect(['ts', 'HTML', 'svg', 'c++', 'brainf', 'toString'].map(languageName)).toEqual([
    ...['TypeScript', 'HTML', 'SVG', 'C++', 'brainf', 'toString'],
  ])
})

test('links whose text is their URL are marked', () => {
  const bare = 'https://example.com/ä?a=1&b=<2'
  expect(draw('https://example.com/ä?a=1&b')).toContain('<a class="bare" href="https://example.com/%C3%A4?a=1&amp;b"')
  expect(draw(`[the guide](https://example.com) ${bare}`)).toMatch(
    /^<p><a href="https:\/\/example.com" .*<a class="bare" /,
  )
  expect(draw('[https://example.com/](https://example.org/)')).toContain('<a href="https://example.org/"')
})
