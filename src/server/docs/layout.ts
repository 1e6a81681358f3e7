/** What all pages of the documentation share: contents at the side, the search, the ways on. */

import { type Markup, markup } from '../pages/markup.js'
import { type DocsPage, type DocsSite, sectionsOf } from './site.js'

/** A page as a document. */
export async function documentOf(page: DocsPage, all: readonly DocsPage[], site: DocsSite): Promise<string> {
  const body = await page.draw(site)
  const at = all.indexOf(page)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · blockmark</title>
<link rel="icon" href="${site.assetAddress('icon')}" type="image/svg+xml">
<link rel="stylesheet" href="${site.assetAddress('style')}">
<link rel="stylesheet" href="${site.assetAddress('docs-style')}">
<script src="${site.assetAddress('docs-language')}"></script>
<script src="${site.assetAddress('docs-script')}" data-index="${site.assetAddress('docs-index')}" defer></script>
</head>
<body class="docs">
<a class="skip" href="#main">Skip to the content</a>
<header class="banner">
<a class="home" href="${site.pageAddress('')}">blockmark documentation</a>
<a class="to-contents" href="#contents">Contents</a>
<form class="search" role="search"><label for="search">Search</label> <input id="search" type="search" autocomplete="off" aria-controls="found"></form>
</header>
<div class="columns">
<nav class="contents" id="contents" aria-label="Documentation">
${contents(page, all, site)}
</nav>
<main id="main" tabindex="-1">
<section id="found" aria-live="polite" aria-label="Found" hidden></section>
<h1>${page.title}</h1>
${body}
${ways(all[at - 1], all[at + 1], site)}
</main>
${onThisPage(body.html)}
</div>
</body>
</html>
`.html
}

function contents(page: DocsPage, all: readonly DocsPage[], site: DocsSite): Markup {
  const groups = [...new Set(all.map(({ group }) => group))]
  return markup`${groups.map((group) => {
    const items = all
      .filter((each) => each.group === group)
      .map((each) => {
        const current = each === page ? markup` aria-current="page"` : null
        return markup`<li><a href="${site.pageAddress(each.slug)}"${current}>${each.title}</a></li>`
      })
    return markup`<p>${group}</p><ul>${items}</ul>`
  })}`
}

function onThisPage(html: string): Markup | null {
  const sections = sectionsOf(html)
  if (sections.length < 2) return null
  const items = sections.map(
    ({ id, title, depth }) => markup`<li class="depth-${depth}"><a href="#${id}">${title}</a></li>`,
  )
  return markup`<nav class="sections" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`
}

function ways(before: DocsPage | undefined, next: DocsPage | undefined, site: DocsSite): Markup {
  const link = (page: DocsPage | undefined, rel: 'prev' | 'next'): Markup | null =>
    page === undefined
      ? null
      : markup`<a rel="${rel}" href="${site.pageAddress(page.slug)}">${rel === 'prev' ? 'Before' : 'Next'}: ${page.title}</a>`
  return markup`<nav class="ways" aria-label="Before and next">${link(before, 'prev')} ${link(next, 'next')}</nav>`
}
