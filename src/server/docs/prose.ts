/** Prose in CommonMark with tables, drawn for a page. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { Colors, languageName, prepareLanguage } from '../pages/colors.js'
import { Markup } from '../pages/markup.js'
import { type DocsSite, textOf, unescaped } from './site.js'

const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] }

/** Renders prose; raw HTML in it is text. Every heading can be linked to, and every § leads to its chapter. */
export function prose(markdown: string, site: DocsSite): Markup {
  const html = micromark(markdown, options)
    .replace(
      /<h([23])>(.*?)<\/h\1>/gs,
      (_, depth, title) => `<h${depth} id="${slugOf(textOf(title))}">${title}</h${depth}>`,
    )
    .replace(/<pre><code(?: class="language-(\w+)")?>(.*?)<\/code><\/pre>/gs, (...[, language = null, code]) =>
      codeOf(unescaped(code).trimEnd(), language),
    )
    .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>')
    // Links to other parts and files of a package's document lead nowhere here.
    .replace(/<a href="(?!https?:|mailto:|page:|\/)[^"]*">(.*?)<\/a>/gs, '$1')
    .replace(
      /<a href="page:([\w-]*)((?:#[\w-]+)?)">/g,
      (_, slug, hash) => `<a href="${site.pageAddress(slug)}${hash}">`,
    )
  return new Markup(
    html.replace(
      /§([1-8])(?:\.\d+)?/g,
      (section, chapter) => `<a href="${site.pageAddress(`dialect-${chapter}`)}">${section}</a>`,
    ),
  )
}

/** Draws code in its colors, below a bar with a label. A page is drawn once, so the colors may take their time. */
export function codeOf(
  code: string,
  language: string | null,
  label: string = languageName(language ?? 'Text'),
): string {
  if (language !== null) prepareLanguage(language)
  const painted = new Colors(1000).paint(code, language)?.html ?? code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<div class="code"><p class="language">${label}</p><pre tabindex="0"><code>${painted}</code></pre></div>`
}

/** Returns the id of a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

export function readPackageFile(name: string): Promise<string> {
  return readFile(join(dirname(createRequire(import.meta.url).resolve('blockmark/package.json')), name), 'utf8')
}
