/** The dialect's chapters and the rules of lint: their prose, and each example as it is typed and as it is shown. */

import { toHtml } from '../../index.js'
import { lint, ruleIds } from '../../lint/index.js'
import { readChapters } from '../../page/playground.js'
import { Markup, markup } from '../pages/markup.js'
import { prose } from './prose.js'
import type { DocsPage, DocsSite } from './site.js'

/** The chapters, by the section that they are. */
const chapters: Readonly<Record<string, string>> = {
  '1-characters-and-lines': 'Characters and lines',
  '2-blocks': 'Blocks',
  '3-inline-constructs': 'Inline constructs',
  '4-emphasis': 'Emphasis',
  '5-tree': 'The tree',
  '6-html': 'HTML',
  '7-plain-text': 'Plain text',
  '8-writing': 'Writing the dialect',
}

export const chapterPages: readonly DocsPage[] = [
  ...Object.entries(chapters).map(([file, title]) => ({
    ...{ slug: `dialect-${file.charAt(0)}`, title: `§${file.charAt(0)} ${title}`, group: 'The dialect' },
    draw: (site: DocsSite) => chapter(file, site),
  })),
  { slug: 'lint', title: 'Rules of lint', group: 'The dialect', draw: (site) => chapter('lint', site) },
]

async function chapter(file: string, site: DocsSite): Promise<Markup> {
  // Pages do not show how a chapter writes its examples.
  const text = ((await readChapters())[file] ?? '').replace(/^# .*\n/, '').replace(/^An example contains .*?\n\n/ms, '')
  const parts: Markup[] = []
  let end = 0
  for (const match of text.matchAll(/^(`{4,}) example (\S+)\n([\s\S]*?)\n?^\1$/gm)) {
    parts.push(prose(text.slice(end, match.index), site), example(match[2] ?? '', match[3] ?? ''))
    end = match.index + match[0].length
  }
  return markup`${[...parts, prose(text.slice(end), site)]}`
}

function example(name: string, content: string): Markup {
  const [source = '', ...parts] = content.split(/^=> (?=\w+(?: .+)?$)/m)
  const first = [...parts, ''].findIndex((part) => !part.startsWith('block'))
  const blocks = [source, ...parts.slice(0, first).map((part) => part.replace(/^block\n/, ''))]
  const others = new Map(
    parts.map((part) => {
      const [head = '', ...lines] = part.split('\n')
      return [head.replace(/ .*/, ' with'), lines.join('\n').trimEnd()]
    }),
  )
  const typed = blocks.map((block) => block.replace(/\n$/, ''))
  return markup`<figure class="example" id="${name}">
<figcaption><a href="#${name}">${captionOf(name)}</a></figcaption>
<pre><code>${typed.join('\n— next block —\n')}</code></pre>
${shown(typed.map(fromVisible), others)}
</figure>`
}

/** Writes the name of an example as a caption. The first two examples of a rule of lint have the rule's name. */
function captionOf(name: string): string {
  const [, no, rest = name] = /^lint-(no-)?(.*)$/.exec(name) ?? []
  if (ruleIds.some((id) => id === rest)) return no === undefined ? 'Reported' : 'Not reported'
  const words = rest.replaceAll('-', ' ').replaceAll(' s ', '’s ')
  return words.replace(/^.|\b(?:html|urls?|yaml)\b|(?<=class )\w/g, (word) => word.toUpperCase())
}

/** Draws the result of an example: rendered, as diagnostics of lint, or as HTML if it depends on resolvers. */
function shown(blocks: readonly string[], others: ReadonlyMap<string, string>): Markup {
  const limited = others.get('lint with')
  if (limited !== undefined) return markup`<pre class="result"><code>${limited}</code></pre>`
  if (others.has('lint')) {
    const remarks = lint(blocks).map(
      ({ reason, line = 1, column = 1 }) => markup`<li>${line}:${column} ${inline(reason)}</li>`,
    )
    return remarks.length === 0
      ? markup`<p class="quiet">No diagnostics.</p>`
      : markup`<ul class="remarks">${remarks}</ul>`
  }
  const html = others.has('resolvers') ? others.get('html') : undefined
  if (html !== undefined) return markup`<pre class="result"><code>${html}</code></pre>`
  const rendered = toHtml(blocks)
    // A heading of an example is not a heading of the page.
    .replace(/<(\/?)h([12])>/g, (_, slash, depth) => (slash === '' ? `<div class="h${depth}">` : '</div>'))
    // A link may have no text.
    .replace(/<a href="([^"]*)"/g, '$& title="$1"')
  return markup`<div class="blockmark">${new Markup(rendered)}</div>`
}

/** Draws a sentence that has code between backticks. */
export function inline(sentence: string): Markup {
  const parts = sentence.split(/(`+)(.+?)\1/g)
  // Text, the backticks, the code between them, and text again.
  const drawn = parts.map((part, index) => [markup`${part}`, null, markup`<code>${part}</code>`][index % 3]?.html ?? '')
  return new Markup(drawn.join(''))
}

const meanings: Readonly<Record<string, string>> = { '␠': ' ', '␉': '\t', '␍': '\r', '␀': '\0' }

/** Reads the symbols that chapters use for invisible characters: `␠`, `␉`, `␍`, `␀`, all others by number. */
function fromVisible(text: string): string {
  return text
    .replace(/[␠␉␍␀]/gu, (symbol) => String(meanings[symbol]))
    .replace(/⟦U\+([0-9A-F]{4,6})⟧/gu, (_, number) => String.fromCodePoint(Number.parseInt(number, 16)))
}
