/** A whole HTML document around rendered messages. */

import { type Heading, parse, type Root, toHtml, toText } from '../index.js'
import { escapeText } from '../render/escape.js'
import type { Message } from './input.js'

/** The look of a page: readable on any width, in light and dark, each paragraph in its own direction. */
const style = `:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --ground: #fff; --raised: #f3f4f6; --line: #d1d5db; --link: #0a5cc2 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --quiet: #a3abb5; --ground: #16181c; --raised: #24272d; --line: #3d424b; --link: #86b7ff } }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; color: var(--text); background: var(--ground); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word }
article + article { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem }
h1, h2, p, li, .file { unicode-bidi: plaintext; text-align: start }
h1, h2 { line-height: 1.25; margin: 1.5em 0 .5em }
h1 { font-size: 1.6rem }
h2 { font-size: 1.25rem }
p, ul, pre, .file { margin: .75em 0 }
ul { padding-inline-start: 1.5em }
a { color: var(--link) }
code { font: .875em/1.5 ui-monospace, monospace; background: var(--raised); border-radius: .25em; padding: .1em .3em }
pre { overflow-x: auto; background: var(--raised); border-radius: .375em; padding: .75em 1em }
pre code { padding: 0; background: none }
.mention { background: var(--raised); border-radius: .25em; padding: 0 .2em; font-weight: 600 }
.file { color: var(--quiet); border: 1px solid var(--line); border-radius: .375em; padding: .5em .75em }
@media print { body { max-width: none; padding: 0 } pre { white-space: pre-wrap } }`

/**
 * One document that holds an article for each message.
 *
 * @param messages - at least one; the first heading in them is the title, else the first one's name is
 * @param language - a well-formed language tag
 * @returns the document, with a line ending at its end
 */
export function page(messages: readonly Message[], language: string): string {
  const trees = messages.map(({ text }) => parse(text, { position: false }))
  const articles = trees.map((tree) => `<article>\n${toHtml(tree)}\n</article>\n`).join('')
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(titleOf(trees) ?? messages[0]?.name ?? '')}</title>
<style>
${style}
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
