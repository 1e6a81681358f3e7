/**
 * Lists that are longer than a page, newest first. A page starts at a row, not at a number, so new posts do not move the
 * other pages, and the ten-thousandth page is as fast as the first.
 */

import { type Markup, markup } from '../../page/markup.js'
import type { Part } from '../site-store.js'

const ROWS_MAX = 50

/** Maximum size of the rows of a page in bytes; a single row may be larger. */
const PAGE_BYTES_MAX = 150_000

/** The start of a page: a row, and whether older or newer rows follow or both; null for the newest rows. */
export type Start = { readonly id: string; readonly towards: 'older' | 'newer' | 'both' } | null

/** Reads rows, nearest first. */
export type List<Row> = (part: Part) => Promise<readonly Row[]>

/** The fields of a row that paging needs. */
export interface PartRow {
  readonly id: string
  readonly isRead: boolean
}

/** The rows that may be on a page, on each side nearest first, and whether they are shown or only known to be there. */
export interface Candidates<Row> {
  readonly older: readonly Row[]
  readonly newer: readonly Row[]
  readonly showsOlder: boolean
  readonly showsNewer: boolean
}

/**
 * Reads where a page starts from its URL: `from` this row and older ones, or `to` this row and newer ones; `after` is the
 * same as `to`, and asks whether there are newer ones. Anything that is not an id is ignored.
 */
export function startOf(query: URLSearchParams): Start {
  const [from, to] = [query.get('from'), query.get('to') ?? query.get('after')]
  if (isId(from)) return { id: from, towards: 'older' }
  return isId(to) ? { id: to, towards: 'newer' } : null
}

function isId(text: string | null): text is string {
  return text !== null && /^(?:[1-9]\d{0,15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.test(text)
}

/** Reads the rows that a page may show, and one more on each side. */
export async function candidates<Row extends PartRow>(list: List<Row>, start: Start): Promise<Candidates<Row>> {
  if (start === null) {
    const older = await list({ from: null, count: ROWS_MAX + 1, bytes: PAGE_BYTES_MAX })
    return { older, newer: [], showsOlder: true, showsNewer: false }
  }
  const { id, towards } = start
  const [showsOlder, showsNewer] = [towards !== 'newer', towards !== 'older']
  // Both queries, for older and for newer rows, start with the row itself, so one of the two results leaves it out.
  // The content of rows that are not shown is not read.
  const bytes = PAGE_BYTES_MAX
  const [older, newer] = await Promise.all([
    list({ from: { id, towards: 'older' }, count: showsOlder ? ROWS_MAX + 1 : 2, bytes: showsOlder ? bytes : -1 }),
    list({ from: { id, towards: 'newer' }, count: showsNewer ? ROWS_MAX + 2 : 2, bytes: showsNewer ? bytes : -1 }),
  ])
  const others = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => row.id !== id)
  if (!showsOlder) return { older: others(older), newer, showsOlder, showsNewer }
  return { older, newer: others(newer), showsOlder, showsNewer }
}

/** The rows of a page, newest first, with their markup, and where the next pages begin. */
export interface Filled<Row> {
  readonly items: readonly { readonly row: Row; readonly markup: Markup }[]
  readonly older: string | null
  readonly newer: string | null
}

/** Fills a page, from its start outwards, with as many rows as it takes. */
export async function fill<Row extends PartRow>(
  { older, newer, showsOlder, showsNewer }: Candidates<Row>,
  draw: (row: Row) => Promise<Markup>,
): Promise<Filled<Row>> {
  const taken = { older: [] as Filled<Row>['items'][number][], newer: [] as Filled<Row>['items'][number][] }
  let bytes = 0
  while (taken.older.length + taken.newer.length < ROWS_MAX) {
    const nextOlder = showsOlder ? older[taken.older.length] : undefined
    const nextNewer = showsNewer ? newer[taken.newer.length] : undefined
    const isOlder = nextOlder !== undefined && (nextNewer === undefined || taken.older.length <= taken.newer.length)
    const row = isOlder ? nextOlder : nextNewer
    // A row without content is on the next page.
    if (row === undefined || !row.isRead) break
    const drawn = await draw(row)
    bytes += Buffer.byteLength(drawn.html)
    if (bytes > PAGE_BYTES_MAX && bytes > Buffer.byteLength(drawn.html)) break
    taken[isOlder ? 'older' : 'newer'].push({ row, markup: drawn })
  }
  return {
    items: [...taken.newer.toReversed(), ...taken.older],
    older: older[taken.older.length]?.id ?? null,
    newer: newer[taken.newer.length]?.id ?? null,
  }
}

/** The URLs of the pages of a list. */
export interface PagesOf {
  readonly path: string
  /** The query of each URL: the share token, or nothing. */
  readonly query: URLSearchParams
  /** The rows' name, for example `comments`. */
  readonly noun: string
}

/** Draws the links to newer and the newest rows. */
export function newerLinks({ newer }: Pick<Filled<never>, 'newer'>, pages: PagesOf): Markup | null {
  if (newer === null) return null
  return markup`<nav class="pages" aria-label="Newer ${pages.noun}">
<a href="${addressOf(pages, ['to', newer])}" rel="prev">Newer ${pages.noun}</a>
<a href="${addressOf(pages, null)}">Newest ${pages.noun}</a>
</nav>`
}

export function olderLinks({ older }: Pick<Filled<never>, 'older'>, pages: PagesOf): Markup | null {
  if (older === null) return null
  return markup`<nav class="pages" aria-label="Older ${pages.noun}">
<a href="${addressOf(pages, ['from', older])}" rel="next">Older ${pages.noun}</a>
</nav>`
}

/** Says which rows a page shows, and in which order. */
export function orderNote({ items, older, newer }: Filled<unknown>, { noun }: PagesOf): Markup | null {
  if (items.length < 2) return null
  const which = newer !== null ? 'Some of the' : older !== null ? `The newest ${items.length}` : `All ${items.length}`
  return markup`<p class="quiet order">${which} ${noun}, oldest first.</p>`
}

function addressOf({ path, query }: PagesOf, start: [string, string] | null): string {
  const parameters = new URLSearchParams([...query, ...(start === null ? [] : [start])]).toString()
  return parameters === '' ? path : `${path}?${parameters}`
}
