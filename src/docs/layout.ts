/** The frame of every page of the documentation: header, contents, sections of the page, previous and next page. */

import { headOf, type Markup, markup } from '../page/markup.js'
import type { Draft, Section } from './prose.js'

export type DocsAsset = 'docs.css' | 'docs.js' | 'search.js' | 'icon.svg'

/** The parts of the documentation, as the header names them. */
export type Part = 'Library' | 'Dialect' | 'API'

export interface DocsPage {
  /** The last part of the page's URL; empty for the first page. */
  readonly slug: string
  readonly title: string
  readonly part: Part | null
  readonly group: string
  /** Whether the page shows text and code next to each other. */
  readonly isWide?: boolean
  readonly draw: (draft: Draft) => Markup
}

/** A page with its HTML and its sections. */
export interface DrawnPage extends DocsPage {
  readonly body: Markup
  readonly sections: readonly Section[]
}

const searchIcon = markup`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentcolor" stroke-width="1.5" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 4 4"/></svg>`

/** The first page of each part. */
const firstPages: Readonly<Record<Part, string>> = {
  Library: '/docs/install',
  Dialect: '/docs/dialect-1',
  API: '/docs/begin',
}

export function documentOf(
  page: DrawnPage,
  all: readonly DrawnPage[],
  assets: Readonly<Record<DocsAsset, string>>,
): string {
  const { title, body, part, isWide = false } = page
  const sections = page.sections.filter(({ id }) => id !== '')
  const links = sections.map(({ id, title: name }) => markup`<li><a href="#${id}">${isWide ? id : name}</a></li>`)
  const list = links.length < 2 ? null : markup`<ul>${links}</ul>`
  const siblings = all.filter((each) => each.part === part && part !== null)
  return markup`<!doctype html>
<html lang="en">
<head>
${headOf(`${title} · blockmark`, descriptionOf(page))}
<link rel="icon" href="${assets['icon.svg']}" type="image/svg+xml">
<link rel="stylesheet" href="${assets['docs.css']}">
<script src="${assets['docs.js']}" data-search="${assets['search.js']}" defer></script>
</head>
<body class="docs${isWide ? ' wide' : ''}${part === null ? ' alone' : ''}">
<a class="skip" href="#main">Skip to the content</a>
<header class="banner">
<a class="home" href="/docs">blockmark</a>
<nav aria-label="Site">${Object.entries(firstPages).map(([name, to]) => markup`<a href="${to}"${name === part ? markup` aria-current="true"` : null}>${name}</a>`)}
<a href="/playground">Playground</a></nav>
<div class="end"><button type="button" class="to-search" aria-label="Search" hidden>${searchIcon}<span>Search</span> <kbd>/</kbd></button></div>
</header>
<div class="columns">
${part === null ? null : markup`<nav class="contents" id="contents" popover aria-label="${part}">${contentsOf(page, siblings)}</nav>`}
<main id="main" tabindex="-1">
${part === null ? null : markup`<button type="button" class="to-contents" popovertarget="contents">Contents</button>`}
<h1>${title}</h1>
${body}
${neighborLinks(siblings[siblings.indexOf(page) - 1], siblings[siblings.indexOf(page) + 1])}
</main>
${list === null || isWide ? null : markup`<nav class="sections" aria-label="On this page"><p>On this page</p>${list}</nav>`}
</div>
</body>
</html>
`.html
}

/** Describes a page by the beginning of its text. */
function descriptionOf({ title, sections }: DrawnPage): string {
  const text = sections.map((section) => section.text).find((each) => each !== '') ?? title
  return text.length <= 160 ? text : `${text.slice(0, text.lastIndexOf(' ', 160))} …`
}

function contentsOf(page: DrawnPage, siblings: readonly DrawnPage[]): Markup {
  const groups = [...new Set(siblings.map(({ group }) => group))]
  return markup`${groups.map((group) => {
    const items = siblings.filter((each) => each.group === group).map((each) => contentsItem(each, each === page))
    return markup`<p>${group}</p><ul>${items}</ul>`
  })}`
}

/** Returns a page's item in the contents. The item of the current page lists its endpoints, if it is a page of endpoints. */
function contentsItem({ slug, title, sections, isWide = false }: DrawnPage, isCurrent: boolean): Markup {
  const parts = sections.filter(({ id }) => id !== '').map(({ id }) => markup`<li><a href="#${id}">${id}</a></li>`)
  const list = isCurrent && isWide ? markup`<ul>${parts}</ul>` : null
  return markup`<li><a href="/docs/${slug}"${isCurrent ? markup` aria-current="page"` : null}>${title}</a>${list}</li>`
}

function neighborLinks(before: DrawnPage | undefined, next: DrawnPage | undefined): Markup | null {
  if (before === undefined && next === undefined) return null
  const link = (page: DrawnPage | undefined, rel: 'prev' | 'next'): Markup | null =>
    page === undefined ? null : markup`<a rel="${rel}" href="/docs/${page.slug}">${page.title}</a>`
  return markup`<nav class="ways" aria-label="Previous and next page">${link(before, 'prev')} ${link(next, 'next')}</nav>`
}
