/** The frame of every page of the documentation: header, contents, sections of the page, previous and next page. */

import { createHash } from 'node:crypto'
import { browserMetas } from '../pages/layout.js'
import { Markup, markup } from '../pages/markup.js'
import { type DocsPage, type DocsSite, sectionsOf } from './site.js'

/** Runs before anything is shown, so that nothing moves: it finds the language that the reader chose last. */
const languageScript = `try { document.documentElement.dataset.language = localStorage.getItem('language') ?? 'curl' }
catch { document.documentElement.dataset.language = 'curl' }`

/** The source that a policy names to let this one inline script run. */
export const languageScriptSource: string = `'sha256-${createHash('sha256').update(languageScript).digest('base64')}'`

export async function documentOf(page: DocsPage, all: readonly DocsPage[], site: DocsSite): Promise<string> {
  const body = await page.draw(site)
  const at = all.indexOf(page)
  const isReference = page.endpoints !== undefined
  const sections = sectionList(body.html)
  return markup`<!doctype html>
<html lang="en">
<head>
${browserMetas}
<title>${page.title} · blockmark</title>
<link rel="icon" href="${site.assetAddress('icon')}" type="image/svg+xml">
<link rel="stylesheet" href="${site.assetAddress('style')}">
<link rel="stylesheet" href="${site.assetAddress('docs-style')}">
<script>${new Markup(languageScript)}</script>
<script src="${site.assetAddress('script')}" defer></script>
<script src="${site.assetAddress('docs-script')}" data-index="${site.assetAddress('docs-index')}" defer></script>
</head>
<body class="docs${isReference ? ' reference' : ''}">
<a class="skip" href="#main">Skip to the content</a>
<header class="banner">
<a class="home" href="${site.pageAddress('')}">blockmark</a>
<nav class="site" aria-label="Site">
<a href="${site.pageAddress('')}">Docs</a>
<a href="${site.pageAddress('endpoints')}">API</a>
<a href="${site.isService ? '' : site.siteUrl}/playground">Playground</a>
</nav>
<a class="to-contents" href="#contents">Contents</a>
<button type="button" class="to-search">Search <kbd>/</kbd></button>
</header>
<div class="columns">
<nav class="contents" id="contents" aria-label="Documentation">
<a class="close" href="#main">Close</a>
${contents(page, all, site)}
</nav>
<main id="main" tabindex="-1">
<h1>${page.title}</h1>
${sections === null ? null : markup`<details class="on-page"><summary>On this page</summary>${sections}</details>`}
${body}
${at < 0 ? null : ways(all[at - 1], all[at + 1], site)}
</main>
${sections === null || isReference ? null : markup`<nav class="sections" aria-label="On this page"><p>On this page</p>${sections}</nav>`}
</div>
</body>
</html>
`.html
}

function contents(page: DocsPage, all: readonly DocsPage[], site: DocsSite): Markup {
  const groups = [...new Set(all.map(({ group }) => group))]
  return markup`${groups.map((group) => {
    const items = all.filter((each) => each.group === group).map((each) => contentsItem(each, each === page, site))
    return markup`<p>${group}</p><ul>${items}</ul>`
  })}`
}

function contentsItem({ slug, title, endpoints = [] }: DocsPage, isCurrent: boolean, site: DocsSite): Markup {
  const address = site.pageAddress(slug)
  const parts = endpoints.map(
    ({ name, method }) => markup`<li><a href="${address}#${name}"><b class="method">${method}</b> ${name}</a></li>`,
  )
  const list = parts.length === 0 ? null : markup`<ul>${parts}</ul>`
  return markup`<li><a href="${address}"${isCurrent ? markup` aria-current="page"` : null}>${title}</a>${list}</li>`
}

function sectionList(html: string): Markup | null {
  const sections = sectionsOf(html)
  if (sections.length < 2) return null
  const items = sections.map(
    ({ id, title, depth }) => markup`<li class="depth-${depth}"><a href="#${id}">${title}</a></li>`,
  )
  return markup`<ul>${items}</ul>`
}

function ways(before: DocsPage | undefined, next: DocsPage | undefined, site: DocsSite): Markup {
  const link = (page: DocsPage | undefined, rel: 'prev' | 'next'): Markup | null =>
    page === undefined
      ? null
      : markup`<a rel="${rel}" href="${site.pageAddress(page.slug)}">${rel === 'prev' ? 'Previous' : 'Next'}: ${page.title}</a>`
  return markup`<nav class="ways" aria-label="Previous and next page">${link(before, 'prev')} ${link(next, 'next')}</nav>`
}
