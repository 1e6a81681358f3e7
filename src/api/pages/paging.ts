/**
 * Lists that are longer than a page, newest first. A page begins at a row and not at a number, so that what is posted
 * meanwhile moves nothing, and the ten-thousandth page is as fast as the first.
 */

import type { From } from '../store/store.js'
import { type Markup, markup } from './markup.js'

/** Rows on a page. */
const ROWS_MAX = 50

/** What the rows of a page take at most in bytes, unless one alone takes more. */
const PAGE_BYTES_MAX = 150_000

/** Which part of a list is asked for: older or newer ones from a row on, or those around it; null for the newest. */
export type Start = { readonly id: string; readonly towards: 'older' | 'newer' | 'both' } | null

/** Reads rows, nearest first. */
export type List<Row> = (from: From | null, count: number) => Promise<readonly Row[]>

/** The rows that may be on a page, on each side nearest first, and whether they are shown or only known to be there. */
export interface Candidates<Row> {
  readonly older: readonly Row[]
  readonly newer: readonly Row[]
  readonly showsOlder: boolean
  readonly showsNewer: boolean
}

/**
 * Reads where a page starts from its address.
 *
 * @param query - `from`, for this row and older ones, or `to`, for this row and newer ones
 * @returns the start; what is no id starts nowhere
 */
export function startOf(query: URLSearchParams): Start {
  const [from, to] = [query.get('from'), query.get('to')]
  if (isId(from)) return { id: from, towards: 'older' }
  return isId(to) ? { id: to, towards: 'newer' } : null
}

function isId(text: string | null): text is string {
  return text !== null && /^(?:[1-9]\d{0,15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.test(text)
}

/**
 * Reads the rows that a page may show, and one more on each side.
 *
 * @param list - how to read them
 * @param start - where the page starts
 * @returns the rows
 */
export async function candidates<Row extends { readonly id: string }>(
  list: List<Row>,
  start: Start,
): Promise<Candidates<Row>> {
  if (start === null) {
    return { older: await list(null, ROWS_MAX + 1), newer: [], showsOlder: true, showsNewer: false }
  }
  const { id, towards } = start
  const [showsOlder, showsNewer] = [towards !== 'newer', towards !== 'older']
  // Both sides begin with the row itself; it is left out of the side that is only looked at, or else of the newer one.
  const [older, newer] = await Promise.all([
    list({ id, towards: 'older' }, showsOlder ? ROWS_MAX + 1 : 2),
    list({ id, towards: 'newer' }, showsNewer ? ROWS_MAX + 2 : 2),
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

/**
 * Fills a page, from its start outwards, with as many rows as it takes.
 *
 * @param found - the rows
 * @param draw - makes a row's markup
 * @returns the page
 */
export function fill<Row extends { readonly id: string }>(
  { older, newer, showsOlder, showsNewer }: Candidates<Row>,
  draw: (row: Row) => Markup,
): Filled<Row> {
  const taken = { older: [] as Filled<Row>['items'][number][], newer: [] as Filled<Row>['items'][number][] }
  let bytes = 0
  while (taken.older.length + taken.newer.length < ROWS_MAX) {
    const nextOlder = showsOlder ? older[taken.older.length] : undefined
    const nextNewer = showsNewer ? newer[taken.newer.length] : undefined
    const isOlder = nextOlder !== undefined && (nextNewer === undefined || taken.older.length <= taken.newer.length)
    const row = isOlder ? nextOlder : nextNewer
    if (row === undefined) break
    const drawn = draw(row)
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

/** Where the pages of a list are. */
export interface PagesOf {
  readonly path: string
  /** Stands in each of their addresses: the share token, or nothing. */
  readonly query: URLSearchParams
  /** What the list holds, as `comments`. */
  readonly noun: string
}

/** The ways to newer rows, for above the list. */
export function newerLinks({ newer }: Pick<Filled<never>, 'newer'>, pages: PagesOf): Markup | null {
  if (newer === null) return null
  return markup`<nav class="pages" aria-label="Newer ${pages.noun}">
<a href="${addressOf(pages, null)}">Newest ${pages.noun}</a>
<a href="${addressOf(pages, ['to', newer])}" rel="prev">Newer ${pages.noun}</a>
</nav>`
}

/** The way to older rows, for below the list. */
export function olderLinks({ older }: Pick<Filled<never>, 'older'>, pages: PagesOf): Markup | null {
  if (older === null) return null
  return markup`<nav class="pages" aria-label="Older ${pages.noun}">
<a href="${addressOf(pages, ['from', older])}" rel="next">Older ${pages.noun}</a>
</nav>`
}

function addressOf({ path, query }: PagesOf, start: [string, string] | null): string {
  const parameters = new URLSearchParams([...query, ...(start === null ? [] : [start])]).toString()
  return parameters === '' ? path : `${path}?${parameters}`
}
