/** Writes a whole HTML document around rendered messages. */

import { type Heading, parse, type Root, toHtml, toText } from '../index.js'
import messageStyle from '../page/style.css'
import { escapeText } from '../render/escape.js'
import type { Message } from '../terminal/input.js'

/** The style of a page: readable on any width, in light and dark. */
const style = `:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --ground: #fff; --line: #d1d5db; --link: #0a5cc2 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --quiet: #a3abb5; --ground: #16181c; --line: #3d424b; --link: #86b7ff } }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; color: var(--text); background: var(--ground); font: 1rem/1.55 system-ui, sans-serif}
article + article { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem }
a { color: var(--link) }
.file { color: var(--quiet) }
@media print { body { max-width: none; padding: 0 } }`

/**
 * Writes one document with an article for each message. The title is the first heading of the messages, or the name of the
 * first message if there is no heading.
 */
export function writePage(messages: readonly Message[], language: string): string {
  const trees = messages.map(({ text }) => parse(text, { position: false }))
  const articles = trees.map((tree) => `<article class="blockmark">\n${toHtml(tree)}\n</article>\n`).join('')
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(titleOf(trees) ?? messages[0]?.name ?? '')}</title>
<style>
${messageStyle}${style}
</style>
</head>
<body>
<main>
${articles}</main>
</body>
</html>
`
}

function titleOf(trees: readonly Root[]): string | undefined {
  const heading = trees.flatMap((tree) => tree.children).find((block): block is Heading => block.type === 'heading')
  return heading && toText({ type: 'root', children: [heading] })
}
