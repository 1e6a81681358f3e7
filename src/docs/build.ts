/**
 * The documentation, drawn when the package is built: every page is a file. Our own code generates the pages, because they work
 * without a script, take at most 20 KB with all that they load, and are made from the tables that the service runs on.
 */

import { limits } from '../api/contract/types.js'
import { dialectPrompt } from '../index.js'
import { markup } from '../page/markup.js'
import type { SearchEntry } from '../page/search-entry.js'
import { chapterMarkup } from './chapters.js'
import { endpointMarkup, endpointsByTag, indexOfEndpoints, slugOf } from './endpoints.js'
import { type DocsAsset, type DocsPage, type DrawnPage, documentOf, type Part } from './layout.js'
import { type Draft, prose, type Section } from './prose.js'

/** The texts that the pages are made of, and the URLs of the files that they load. */
export interface Sources {
  /** The project's documents by their paths, for example `src/LIBRARY.md`. */
  readonly documents: Readonly<Record<string, string>>
  /** The reference of each entry, for example `blockmark/lint`. */
  readonly reference: Readonly<Record<string, string>>
  readonly assets: Readonly<Record<DocsAsset, string>>
}

/** The documents of the project that are pages. */
const documentPages: readonly (readonly [slug: string, path: string, part: Part, group: string, title?: string])[] = [
  ['library', 'src/LIBRARY.md', 'Library', 'Guides'],
  ['markdown', 'src/convert/README.md', 'Library', 'Guides', 'Convert Markdown'],
  ['messengers', 'src/messengers/README.md', 'Library', 'Guides'],
  ['client', 'src/api/client/README.md', 'Library', 'Guides'],
  ['models', 'src/api/client/models.md', 'Library', 'Guides'],
  ['changes', 'src/CHANGELOG.md', 'Library', 'Guides'],
  ['server', 'src/server/README.md', 'API', 'Operate', 'Operate the service'],
]

const guides = ['begin', 'authentication', 'errors', 'limits', 'lists', 'files', 'urls']

/** Sections for contributors, which name files that readers do not have. */
const CONTRIBUTOR_SECTION = /^## (?:Where things are|Measured|Pages|Dependencies)$/m

/** Lists all pages, in the order in which they are read. */
export function pagesOf({ documents, reference }: Sources): DocsPage[] {
  const page = (slug: string, path: string, part: Part | null, group: string, customTitle?: string): DocsPage => {
    const [head = '', ...sections] = (documents[path] ?? '').split(/^(?=## )/m)
    const text = [head, ...sections.filter((section) => !CONTRIBUTOR_SECTION.test(section))].join('')
    const [, title = path, body = ''] = /^# ([^\n]*)\n(.*)$/s.exec(text) ?? []
    return {
      slug,
      title: customTitle ?? title,
      part,
      group,
      draw: (draft) => prose(fillIn(body), draftOf(path, draft)),
    }
  }
  const guidePage = (name: string, part: Part | null, group: string, slug = name): DocsPage =>
    page(slug, `src/docs/guides/${name}.md`, part, group)
  const entries = Object.entries(reference).map(([entry, text]): DocsPage => {
    const slug = `reference-${entry.replace('blockmark/', '')}`
    return {
      slug,
      title: entry,
      part: 'Library',
      group: 'Reference',
      draw: (draft) => prose(text.replace(/^# .*/, ''), draft),
    }
  })
  const chapters = Object.entries(documents).flatMap(([path, text]): DocsPage[] => {
    const name = path.slice('fixtures/'.length)
    const [, number, title] = /^# (\d)\. (.*)/.exec(text) ?? []
    if (number === undefined) return []
    return [
      {
        ...{ slug: `dialect-${number}`, title: `§${number} ${title}`, part: 'Dialect', group: 'Chapters' },
        draw: (draft) => chapterMarkup(name, text, draft),
      },
    ]
  })
  const tags = [...endpointsByTag].map(
    ([title, names]): DocsPage => ({
      ...{ slug: slugOf(title), title, part: 'API', group: 'Endpoints', isWide: true },
      draw: (draft) => markup`${names.map((name) => endpointMarkup(name, draft))}`,
    }),
  )
  return [
    guidePage('index', null, '', ''),
    guidePage('install', 'Library', 'Guides'),
    ...documentPages.filter(([, , part]) => part === 'Library').map((each) => page(...each)),
    ...entries,
    ...chapters,
    {
      ...{ slug: 'lint', title: 'Rules of lint', part: 'Dialect', group: 'Tools' },
      draw: (draft) => chapterMarkup('lint', documents['fixtures/lint.md'] ?? '', draft),
    },
    guidePage('prompt', 'Dialect', 'Tools'),
    ...guides.map((name) => guidePage(name, 'API', 'Guides')),
    {
      ...{ slug: 'endpoints', title: 'All endpoints', part: 'API', group: 'Endpoints' },
      draw: (draft) => prose(indexOfEndpoints(), draft),
    },
    ...tags,
    ...documentPages.filter(([, , part]) => part === 'API').map((each) => page(...each)),
  ]
}

/** Replaces each `{{name}}` in a guide by the limit or the other value with this name. */
function fillIn(text: string): string {
  const values: Readonly<Record<string, string | number>> = {
    ...limits,
    promptLength: dialectPrompt.length,
    prompt: `\`\`\`\`\`text\n${dialectPrompt}\n\`\`\`\`\``,
  }
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name) => values[name]?.toLocaleString('en') ?? whole)
}

/** Returns the draft for a document, in which links to other documents lead to their pages. */
function draftOf(path: string, draft: Draft): Draft {
  const folder = new URL(path, 'file:///')
  return {
    ...draft,
    urlOf: (url) => {
      if (/^(?:[a-z]+:|\/|#)/.test(url)) return draft.urlOf(url)
      const { pathname, hash } = new URL(url, folder)
      const slug = documentPages.find((each) => `/${each[1]}` === pathname)?.[0]
      const chapterName = /^\/fixtures\/(?:([1-8])-.*|(lint))\.md$/.exec(pathname)
      const pageSlug = slug ?? (chapterName?.[1] === undefined ? chapterName?.[2] : `dialect-${chapterName[1]}`)
      return pageSlug === undefined ? null : `/docs/${pageSlug}${hash}`
    },
  }
}

/** Returns the files of the site by their paths: every page as HTML, and the search index, `/docs/search.json`. */
export function buildDocs(sources: Sources): ReadonlyMap<string, string> {
  const pages = pagesOf(sources).map((page): DrawnPage => {
    const sections: Section[] = [{ id: '', title: '', depth: 1, text: '' }]
    return { ...page, sections, body: page.draw({ sections, urlOf }) }
  })
  const notFoundPage: DrawnPage = {
    ...{ slug: '404', title: 'This page is not here', part: null, group: '', sections: [], draw: () => markup`` },
    body: markup`<p>Search for it, or begin with <a href="/docs">the overview</a> or <a href="/docs/endpoints">all endpoints</a>.</p>`,
  }
  const files = new Map(
    [...pages, notFoundPage].map((page) => [pathOf(page.slug), documentOf(page, pages, sources.assets)]),
  )
  const entries = pages.flatMap(({ slug, title, sections }) =>
    sections.map(
      (section): SearchEntry => [
        pathOf(slug) + (section.id === '' ? '' : `#${section.id}`),
        ...([title, section.title, section.text] as const),
      ],
    ),
  )
  return files.set('/docs/search.json', JSON.stringify(entries))
}

/** Returns the URL of a page. */
export function pathOf(slug: string): string {
  return slug === '' ? '/docs' : `/docs/${slug}`
}

/** Returns the URL of a link `page:slug#section`, or of one to another site; null if the link leads nowhere. */
function urlOf(to: string): string | null {
  if (/^(?:https?:|mailto:|\/|#)/.test(to)) return to
  return to.startsWith('page:') ? `/docs/${to.slice('page:'.length)}` : null
}
