/** The plugins in the chains that the README shows. */

import type { Root } from 'mdast'
import rehypeStringify from 'rehype-stringify'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { parse, toHtml } from '../src/index.js'
import type { AnyNode } from '../src/tree.js'
import { blockmarkParse } from '../src/unified/index.js'
import { readChapters } from './fixtures/chapter.js'

const blockmark = unified().use(blockmarkParse)
const chain = unified()
  .use(blockmarkParse)
  .use(remarkRehype)
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })

function hasUnsafeLink(node: AnyNode): boolean {
  if (node.type === 'link' && !/^(?:https?|mailto):/i.test(node.url)) return true
  return 'children' in node && node.children.some(hasUnsafeLink)
}

describe('blockmarkParse, remark-rehype, rehype-stringify', () => {
  it.each([
    'a _b_ -c- **d** *e* `f`',
    '<@7|Ann> and <@8|>',
    '<!9|x.pdf>',
    '# h\n* i\n* j\n```js\nk\n```',
    'https://a.b/[c]',
  ])('gives the bytes of toHtml: %s', (source) => expect(String(chain.processSync(source))).toBe(toHtml(source)))

  it('gives the bytes of toHtml for every example of the chapters', () => {
    const sources = readChapters().flatMap((chapter) => chapter.examples.flatMap((example) => example.blocks))
    const safe = sources.filter((source) => !hasUnsafeLink(parse(source)))
    expect(safe.length).toBeGreaterThan(500)
    for (const source of safe) expect(String(chain.processSync(source)), source).toBe(toHtml(source))
  })

  it('shows a link whose scheme is not allowed as a span without attributes', () => {
    expect(String(chain.processSync('[a *b*](javascript:c)'))).toBe('<p><span>a <em>b</em></span></p>')
  })
})

describe('the tree, beside that of remark-parse', () => {
  it.each([
    'plain words',
    '# one\n\n## two',
    '**strong** and *emphasis*, ***both***',
    '`code` and [a *label*](https://example.com/x)',
    '* one\n* two **strong**',
    '```js meta\nconst a = 1\n```',
  ])('is the same where CommonMark has the construct: %s', (source) => {
    expect(stripped(blockmark.parse(source))).toEqual(stripped(unified().use(remarkParse).parse(source)))
  })
})

/** Without what only one of the two writes down. */
function stripped(tree: Root): unknown {
  const skipped = new Set(['position', 'data', 'checked', 'start'])
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (skipped.has(key) ? undefined : value)))
}
