/** The search of the documentation: a dialog over an index of all sections, error codes and exports. */

import MiniSearch, { type SearchResult } from 'minisearch'
import type { SearchEntry } from '../search-entry.js'
import { create } from './copy.js'

const input = create('input', { type: 'search', placeholder: 'Search the documentation', autocomplete: 'off' })
const attributes = {
  role: 'combobox',
  'aria-label': 'Search',
  'aria-controls': 'found',
  'aria-expanded': 'true',
  'aria-autocomplete': 'list',
}
for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
const resultList = create('div', { id: 'found', role: 'listbox', ariaLabel: 'Found' })
const countLine = create('p', { className: 'quiet', role: 'status' })
const dialog = create('dialog', { className: 'search', ariaLabel: 'Search' }, input, countLine, resultList)
document.body.append(dialog)

let selectedIndex = 0
const searchIndex = loadIndex()

async function loadIndex(): Promise<MiniSearch> {
  const entries: SearchEntry[] = await (await fetch('/docs/search.json')).json()
  const index = new MiniSearch({
    fields: ['section', 'page', 'text'],
    storeFields: ['url', 'page', 'section', 'text'],
    // A name with `_`, for example `name_taken`, is found by the whole name and by its parts.
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
    searchOptions: {
      boost: { section: 6, page: 3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  index.addAll(entries.map(([url, page, section, text], id) => ({ id, url, page, section, text })))
  return index
}

export function open(): void {
  if (!dialog.open) dialog.showModal()
  input.select()
}

dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close()
})
input.addEventListener('input', async () => {
  const words = input.value.trim().toLowerCase()
  const results = words === '' ? [] : find(await searchIndex, words)
  // Each page is shown once, with its best section.
  const pages = new Map<string, SearchResult>()
  for (const result of results) if (!pages.has(result['page'])) pages.set(result['page'], result)
  const items = [...pages.values()].slice(0, 10)
  resultList.replaceChildren(...items.map(itemOf))
  countLine.textContent =
    words === '' ? '' : items.length === 0 ? 'Nothing found' : items.length === 1 ? '1 page' : `${items.length} pages`
  select(0)
})
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    select(selectedIndex + (event.key === 'ArrowDown' ? 1 : -1))
  } else if (event.key === 'Enter') resultList.querySelector<HTMLElement>('[aria-selected=true]')?.click()
  // The browser alone would only empty the field at the first Escape.
  else if (event.key === 'Escape') {
    dialog.close()
    input.blur()
  }
})

/** Finds sections with all of the words, or else with any of them. */
function find(index: MiniSearch, words: string): SearchResult[] {
  const exactResults = index.search(words)
  return exactResults.length > 0 ? exactResults : index.search(words, { combineWith: 'OR' })
}

function select(to: number): void {
  const options = [...resultList.children]
  selectedIndex = options.length === 0 ? 0 : (to + options.length) % options.length
  for (const [index, each] of options.entries()) each.setAttribute('aria-selected', String(index === selectedIndex))
  options[selectedIndex]?.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', options[selectedIndex]?.id ?? '')
}

function itemOf({ url, page, section, text, terms }: SearchResult, index: number): HTMLElement {
  const title = create('b', { textContent: section === '' ? page : `${page} › ${section}` })
  const link = create('a', { id: `found-${index}`, role: 'option', href: url, tabIndex: -1 }, title, create('br', {}))
  const words = new RegExp(`(${terms.map((term) => term.replace(/[^\p{L}\p{N}_]/gu, '\\$&')).join('|')})`, 'iu')
  const start = Math.max(0, text.lastIndexOf(' ', text.search(words) - 40))
  const excerpt = `${start > 0 ? '… ' : ''}${text.slice(start, text.indexOf(' ', start + 150) + 1 || undefined)}`
  const excerptParts = excerpt
    .split(words)
    .map((part, number) => (number % 2 === 1 ? create('mark', { textContent: part }) : part))
  link.append(...excerptParts)
  return link
}
