/** The dialect's chapters and the rules of lint: their prose, and each example as it is typed with its result. */

import type { RootContent } from 'hast'
import { toHtml as write } from 'hast-util-to-html'
import { toHast } from '../index.js'
import { lint } from '../lint/index.js'
import { Markup, markup } from '../page/markup.js'
import { type Draft, prose } from './prose.js'

/** The result that the examples of a chapter show, by the chapter's number. Other chapters show the rendered message. */
const resultOfChapter: Readonly<Record<string, string>> = { 5: 'tree', 6: 'html', 7: 'text', 8: 'dialect' }

/** The explanation of the signs for invisible characters, for chapters that have them. */
const SIGNS =
  'In examples, `␠` is a space at the end of a line, `␉` a tab, `␍` a carriage return, and `⟦U+200B⟧` the character with that number.'

/** Draws a chapter, for example `4-emphasis`. */
export function chapterMarkup(name: string, text: string, draft: Draft): Markup {
  // Pages do not show how a chapter writes its examples, nor where a rule comes from.
  const visibleText = text
    .replace(/^# .*\n/, '')
    .replace(/^An example (?:contains|holds) .*?\n\n/ms, '')
    .replaceAll(/ \*\((?:decided|added) here\)\*/g, '')
  const parts: Markup[] = /⟦U\+|[␠␉␍]$/m.test(visibleText) ? [prose(SIGNS, draft)] : []
  let end = 0
  for (const match of visibleText.matchAll(/^(`{4,}) example (\S+)\n([\s\S]*?)\n?^\1$/gm)) {
    parts.push(
      prose(visibleText.slice(end, match.index), draft),
      exampleMarkup(name, match[2] ?? '', match[3] ?? '', draft),
    )
    end = match.index + match[0].length
  }
  return markup`${[...parts, prose(visibleText.slice(end), draft)]}`
}

function exampleMarkup(chapterName: string, name: string, content: string, draft: Draft): Markup {
  const [source = '', ...parts] = content.split(/^=> (?=\w+(?: .+)?$)/m)
  const others = new Map(
    parts.map((part) => [/^\w+(?: .*)?/.exec(part)?.[0] ?? '', part.replace(/^.*\n?/, '').trimEnd()]),
  )
  const next = parts.filter((part) => /^block$/m.test(part)).map((part) => part.replace(/^block\n?/, ''))
  const blocks = [source, ...next].map((block) => block.replace(/\n$/, ''))
  const view = resultOfChapter[chapterName.charAt(0)] ?? 'rendered'
  return markup`<figure class="example" id="${name}">
<figcaption><a class="example-name" href="#${name}">${name}</a></figcaption>
<pre><code>${blocks.join('\n— next block —\n')}</code></pre>
${resultOf(view, blocks.map(fromVisible), others, { ...draft, sections: [] })}
</figure>`
}

function resultOf(view: string, blocks: readonly string[], others: ReadonlyMap<string, string>, draft: Draft): Markup {
  const limitedLint = [...others.keys()].find((head) => head.startsWith('lint '))
  if (limitedLint !== undefined) return resultBlock(others.get(limitedLint) ?? '')
  if (others.has('lint')) {
    const problems = lint(blocks).map(({ reason, line = 1, column = 1 }) => `* ${line}:${column} ${reason}`)
    if (problems.length === 0) return markup`<p class="quiet">No diagnostics.</p>`
    return markup`<div class="remarks">${prose(problems.join('\n'), draft)}</div>`
  }
  if (view === 'dialect' && !others.has(view)) return markup`<p class="quiet">Written as typed.</p>`
  // Names that resolvers return are not in the source, so the page shows the expected HTML.
  const expectedResult = others.get(view) ?? (others.has('resolvers') ? others.get('html') : undefined)
  if (expectedResult !== undefined) return resultBlock(expectedResult)
  return markup`<div class="blockmark">${new Markup(write(toHast(blocks).children.map(withoutHeadingsAndLinks), options))}</div>`
}

const options = { characterReferences: { useNamedReferences: true } }

function resultBlock(text: string): Markup {
  return markup`<pre class="result"><code>${text}</code></pre>`
}

/** Replaces headings of an example, which are not headings of the page, by `div`s, and the URL of each link by a title. */
function withoutHeadingsAndLinks(node: RootContent): RootContent {
  if (node.type !== 'element') return node
  const children = node.children.map((child) => withoutHeadingsAndLinks(child)) as typeof node.children // The types of nodes do not change.
  if (/^h[12]$/.test(node.tagName))
    return { ...node, tagName: 'div', properties: { className: [node.tagName] }, children }
  const { href } = node.properties
  return { ...node, properties: href === undefined ? node.properties : { title: href }, children }
}

const meanings: Readonly<Record<string, string>> = { '␠': ' ', '␉': '\t', '␍': '\r', '␀': '\0' }

/** Replaces the signs that chapters use for invisible characters by these characters. */
function fromVisible(text: string): string {
  return text
    .replace(/[␠␉␍␀]/gu, (symbol) => String(meanings[symbol]))
    .replace(/⟦U\+([0-9A-F]{4,6})⟧/gu, (_, number) => String.fromCodePoint(Number.parseInt(number, 16)))
}
