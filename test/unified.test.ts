/** The plugins in the chains that the README shows. */

import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { Link, Nodes, Root } from 'mdast'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { renderToStaticMarkup } from 'react-dom/server'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkLinkRewrite from 'remark-link-rewrite'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { reporter } from 'vfile-reporter'
import { describe, expect, it } from 'vitest'
import { fromMarkdown } from '../src/convert/index.js'
import { parse, stringify, toHtml } from '../src/index.js'
import type { AnyNode } from '../src/tree.js'
import { blockmarkParse, blockmarkStringify, blockmarkToRemark, remarkBlockmark } from '../src/unified/index.js'
import { readConversions } from './convert/examples.js'
import { readChapters } from './fixtures/chapter.js'
import { property } from './properties/property.js'
import { source } from './properties/sources.js'

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

  property(
    'gives the bytes of toHtml for every source',
    source.map((input) => ({ sources: [input] as const })),
    ({ sources: [input] }) => {
      if (!hasUnsafeLink(parse(input))) expect(String(chain.processSync(input))).toBe(toHtml(input))
    },
  )

  it('keeps the space at the start of a label after a break', () => {
    const input = 'a\n[ **b** `c`](https://d.e)'
    expect(String(chain.processSync(input))).toBe(toHtml(input))
    expect(toHtml(input)).toContain('> <strong>')
  })

  it('shows a link whose scheme is not allowed as a span without attributes', () => {
    expect(String(chain.processSync('[a *b*](javascript:c)'))).toBe('<p><span>a <em>b</em></span></p>')
  })
})

describe('remark-parse, remark-gfm, remarkBlockmark, blockmarkStringify', () => {
  const intoDialect = unified().use(remarkParse).use(remarkGfm).use(remarkBlockmark).use(blockmarkStringify)

  // remark-parse knows no formulas (remark-math adds them), takes a tag of any name for HTML and `>=` for a quote, links escaped
  // URLs, and does not parse Markdown in HTML. remark-gfm strikes with one tilde.
  const others = new Set([
    'math-blocks',
    'math-in-sentences',
    'tags-of-models',
    'escapes',
    'one-tilde',
    'comparisons',
    'latex-environment',
    'markdown-in-details',
    'tags-without-an-end',
    'mentions',
  ])
  const examples = readConversions().filter((entry) => typeof entry !== 'string' && entry.from === 'markdown')

  it.each(examples.filter((entry) => typeof entry !== 'string' && !others.has(entry.name)))(
    'gives what fromMarkdown does: $name',
    (example) => {
      if (typeof example === 'string') return
      const { tree, diagnostics } = fromMarkdown(example.input)
      const file = intoDialect.processSync(example.input)
      expect(String(file)).toBe(`${stringify(tree)}\n`)
      // Only starts are compared: remark-parse includes the blank lines of a quote in the list before them.
      const startOf = ({ ruleId, place }: { ruleId?: string | undefined; place?: unknown }): unknown =>
        typeof place === 'object' && place !== null && 'start' in place ? [ruleId, place.start] : [ruleId, place]
      expect(file.messages.map(startOf)).toEqual(diagnostics.map(startOf))
    },
  )

  it('makes code of the formulas of remark-math', () => {
    const formulas = unified()
      .use(remarkParse)
      .use(() => (tree) => {
        const math = { type: 'math', value: 'a*b*' }
        const paragraph = { type: 'paragraph', children: [{ type: 'inlineMath', value: 'c_d_' }] }
        Object.assign(tree, { children: [math, paragraph] })
      })
    const file = formulas.use(remarkBlockmark).use(blockmarkStringify).processSync('')
    expect(String(file)).toBe('```math\na*b*\n```\n\n`c_d_`\n')
    expect(file.messages.map(({ ruleId }) => ruleId)).toEqual(['math', 'math'])
  })

  it('closes emphasis where the dialect does, or to the letter', () => {
    const input = '**注意：**正文 **Status:**OK'
    const letter = unified().use(remarkParse).use(remarkGfm).use(remarkBlockmark, { commonmark: true })
    expect(String(intoDialect.processSync(input))).toBe(`${input}\n`)
    expect(String(letter.use(blockmarkStringify).processSync(input))).toBe(
      `${stringify(fromMarkdown(input, { commonmark: true }).tree)}\n`,
    )
    expect(fromMarkdown(input, { commonmark: true }).tree).not.toEqual(fromMarkdown(input).tree)
  })

  it('reports with rule and place', () => {
    const file = intoDialect.processSync('a\n\n### b')
    expect(reporter(file, { color: false })).toBe(
      '3:1-3:6 warning a heading of depth 3 to 6 becomes a bold paragraph heading-depth blockmark\n\n⚠ 1 warning',
    )
  })

  it('goes on to HTML without handlers', () => {
    const toPage = unified().use(remarkParse).use(remarkGfm).use(remarkBlockmark)
    const html = toPage.use(remarkRehype).use(rehypeStringify).processSync('### <u>b</u> [c](javascript:d)')
    expect(String(html)).toBe('<p><strong><u>b</u> <span>c</span></strong></p>')
  })

  it('leaves a tree of the dialect as it is', () => {
    const same = unified().use(blockmarkParse).use(remarkBlockmark).use(blockmarkStringify)
    for (const input of ['# _a_ <@7|b>\n\n<!9|c.pdf>\n\n* d\n* `e` -f-', '\\<@7|a>', 'a\nb\n\n```js\nc\n```']) {
      expect(String(same.processSync(input))).toBe(`${input}\n`)
    }
  })

  it('takes what other plugins add: its content, or its value', () => {
    const math = { type: 'math', value: 'x^2' }
    const note = { type: 'containerDirective', name: 'note', children: [{ type: 'paragraph', children: [text('a')] }] }
    const badge = { type: 'paragraph', children: [{ type: 'textDirective', name: 'b', children: [text('c')] }] }
    const tree = { type: 'root', children: [math, note, badge] } as unknown as Root
    const converted = unified().use(remarkBlockmark).use(blockmarkStringify)
    expect(converted.stringify(converted.runSync(tree))).toBe('```math\nx^2\n```\n\na\n\nc\n')
  })

  it('accepts 500 levels, and throws if a tree has more', () => {
    const nested = (levels: number): Root => ({ type: 'root', children: [quoteOf(levels - 1)] }) as unknown as Root
    const quoteOf = (levels: number): object => {
      let node: object = { type: 'paragraph', children: [] }
      for (let level = 1; level < levels; level += 1) node = { type: 'blockquote', children: [node] }
      return node
    }
    const converter = unified().use(remarkBlockmark)
    expect(converter.runSync(nested(500))).toMatchObject({ type: 'root' })
    expect(() => converter.runSync(nested(100_000))).toThrow(
      expect.objectContaining({
        code: 'tree/depth',
        problems: [expect.objectContaining({ path: Array.from({ length: 500 }, () => ['children', 0]).flat() })],
      }),
    )
  })

  it('throws at a node that the dialect lacks, and names remarkBlockmark', () => {
    const wrong = unified().use(remarkParse).use(blockmarkStringify)
    expect(() => wrong.processSync('![a](b)')).toThrow(
      'tree/child: expected phrasing, received image at /children/0/children/0: use remarkBlockmark before blockmarkStringify',
    )
  })

  function text(value: string): object {
    return { type: 'text', value }
  }
})

describe('blockmarkParse, blockmarkToRemark, remark-stringify', () => {
  const intoMarkdown = unified().use(blockmarkParse).use(blockmarkToRemark).use(remarkStringify)

  it('writes CommonMark', () => {
    const input = '# _a_ -b-\n* <@7|Ann>\n* [c](https://d.e)\n<!9|f.pdf>\n\n```js\ng\n```'
    expect(String(intoMarkdown.use(remarkGfm).processSync(input))).toBe(
      '# *a* ~~b~~\n\n* @Ann\n* [c](https://d.e)\n\n\\[file: f.pdf]\n\n```js\ng\n```\n',
    )
  })

  it('writes struck text without remark-gfm', () => {
    const plain = unified().use(blockmarkParse).use(blockmarkToRemark).use(remarkStringify)
    expect(String(plain.processSync('-old- new ~5 **a -_b_ c-**'))).toBe('~~old~~ new \\~5 **a ~~*b* c~~**\n')
  })

  it('names users and files as the caller does', () => {
    const options = {
      file: () => ({ name: 'f', mediaType: 'text/plain', href: 'https://g.h/f' }),
      mention: () => ({ name: 'Bo' }),
    }
    const chain = unified().use(blockmarkParse).use(blockmarkToRemark, options).use(remarkStringify)
    expect(String(chain.processSync('<@7|Ann>\n\n<!9|>'))).toBe('@Bo\n\n[f](https://g.h/f)\n')
  })

  it('leaves only nodes of mdast', () => {
    const types = (node: Nodes): string[] => [node.type, ...('children' in node ? node.children.flatMap(types) : [])]
    const tree = unified()
      .use(blockmarkToRemark)
      .runSync(parse('_a_ <@7>\n\n<!9|>') as Root)
    expect(types(tree).toSorted().join(' ')).toBe('emphasis paragraph paragraph root text text text')
  })
})

describe('plugins of others', () => {
  it('may leave nothing to write', () => {
    expect(String(unified().use(blockmarkParse).use(blockmarkStringify).processSync(''))).toBe('')
  })

  it('rewrite links, and what is shown follows', async () => {
    const rewriting = unified()
      .use(blockmarkParse)
      .use(remarkLinkRewrite, {
        replacer: (url: string) => url.replace('http:', 'https:').replace('old:', 'javascript:'),
      })
      .use(remarkRehype)
      .use(rehypeStringify)
    const file = await rewriting.process('[a](http://b.c/d_e) http://f.g and [h](old:i)')
    expect(String(file)).toBe(
      '<p><a href="https://b.c/d_e" rel="nofollow noopener noreferrer">a</a> <a href="https://f.g" rel="nofollow noopener noreferrer">http://f.g</a> and <span>h</span></p>',
    )
  })

  it('may add a node that the dialect lacks to a link after a break', () => {
    const plugin = () => (tree: Root) => {
      const [paragraph] = tree.children
      const link = paragraph?.type === 'paragraph' ? (paragraph.children[2] as Link) : undefined
      link?.children.push({ type: 'image', url: 'https://e.f', alt: 'g' })
    }
    const html = unified()
      .use(blockmarkParse)
      .use(plugin)
      .use(remarkRehype)
      .use(rehypeStringify)
      .processSync('a\n[ b](https://c.d)')
    expect(String(html)).toContain('>b<img src="https://e.f" alt="g"></a>')
  })

  it('may set what is shown themselves', () => {
    const plugin = () => (tree: Root) => {
      const [paragraph] = tree.children
      const link = paragraph?.type === 'paragraph' ? (paragraph.children[0] as Link) : undefined
      Object.assign(link?.data?.hProperties ?? {}, { target: '_blank', href: '/go' })
    }
    const html = unified()
      .use(blockmarkParse)
      .use(plugin)
      .use(remarkRehype)
      .use(rehypeStringify)
      .processSync('[a](https://b.c)')
    expect(String(html)).toBe('<p><a href="/go" rel="nofollow noopener noreferrer" target="_blank">a</a></p>')
  })
})

describe('React on the server', () => {
  it('shows a message through hast-util-to-jsx-runtime', () => {
    const processor = unified().use(blockmarkParse).use(remarkRehype)
    const hast = processor.runSync(processor.parse('# Hi\n_all_ <@7|Ann>: [log](https://a.b/c?d=1&e=2)'))
    const element = toJsxRuntime(hast, { Fragment, jsx, jsxs, components: { span: 'b' } })
    expect(renderToStaticMarkup(element)).toBe(
      '<h1>Hi</h1>\n<p><u>all</u> <b class="mention" data-user-id="7">@Ann</b>: <a href="https://a.b/c?d=1&amp;e=2" rel="nofollow noopener noreferrer">log</a></p>',
    )
  })
})

describe('the tree, compared with that of remark-parse', () => {
  it.each([
    'plain words',
    '# one\n\n## two',
    '**strong** and *emphasis*, ***both***',
    '`code` and [a *label*](https://example.com/x)',
    '* one\n* two **strong**',
    '```js\nconst a = 1\n```',
  ])('is the same where CommonMark has the construct: %s', (source) => {
    expect(stripped(blockmark.parse(source))).toEqual(stripped(unified().use(remarkParse).parse(source)))
  })
})

/** Returns a tree without the fields that only one of the two parsers sets. */
function stripped(tree: Root): unknown {
  const skipped = new Set(['position', 'data', 'checked', 'start'])
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (skipped.has(key) ? undefined : value)))
}
