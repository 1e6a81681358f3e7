/**
 * Lists that are longer than a page, newest first. A page starts at a row, not at a number, so new posts do not move the
 * other pages, and the ten-thousandth page is as fast as the first.
 */

import { createHash } from 'node:crypto'
import { type Markup, markup } from '../../page/markup.js'
import type { Part } from '../site-store.js'

const ROWS_MAX = 50

/** Bytes of content that are read for a page on each side of its start. A row that does not fit is on the next page. */
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

/** The rows of a page, newest first, and where the next pages begin. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly older: string | null
  readonly newer: string | null
}

/** Reads where a page starts from its URL: `from` this row and older ones, or `to` this row and newer ones. */
export function startOf(query: URLSearchParams): Start {
  const [from, to] = [query.get('from'), query.get('to')]
  if (isId(from)) return { id: from, towards: 'older' }
  return isId(to) ? { id: to, towards: 'newer' } : null
}

function isId(text: string | null): text is string {
  return text !== null && /^(?:[1-9]\d{0,15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.test(text)
}

/** Reads a page. The content of rows that are not shown is not read. */
export async function pageOf<Row extends PartRow>(list: List<Row>, start: Start): Promise<Page<Row>> {
  if (start === null) {
    const { shown, next } = split(await list({ from: null, count: ROWS_MAX + 1, bytes: PAGE_BYTES_MAX }), ROWS_MAX)
    return { rows: shown, older: next, newer: null }
  }
  const { id, towards } = start
  const most = { older: towards === 'newer' ? 0 : ROWS_MAX, newer: towards === 'older' ? 0 : ROWS_MAX }
  if (towards === 'both') most.older = most.newer = ROWS_MAX / 2
  const read = (side: 'older' | 'newer'): Promise<readonly Row[]> =>
    list({ from: { id, towards: side }, count: most[side] + 2, bytes: most[side] === 0 ? -1 : PAGE_BYTES_MAX })
  const [older, newer] = await Promise.all([read('older'), read('newer')])
  // Both parts begin with the row itself, so one of them leaves it out.
  const isOther = (row: Row): boolean => row.id !== id
  const below = split(towards === 'newer' ? older.filter(isOther) : older, most.older)
  const above = split(towards === 'newer' ? newer : newer.filter(isOther), most.newer)
  return { rows: [...above.shown.toReversed(), ...below.shown], older: below.next, newer: above.next }
}

/** Splits rows into those that a page shows and the first one after them. */
function split<Row extends PartRow>(
  rows: readonly Row[],
  most: number,
): { shown: readonly Row[]; next: string | null } {
  const shown = rows.slice(0, most).filter(({ isRead }) => isRead)
  return { shown, next: rows[shown.length]?.id ?? null }
}

/** Returns a short text that changes if a row is added to the newest page of a list, or removed from it. */
export async function versionOf(list: List<PartRow>): Promise<string> {
  const rows = await list({ from: null, count: ROWS_MAX, bytes: -1 })
  return createHash('sha256')
    .update(rows.map(({ id }) => id).join())
    .digest('base64url')
    .slice(0, 16)
}

/** The URLs of the pages of a list. */
export interface PagesOf {
  readonly path: string
  /** The query of each URL: the share token, or nothing. */
  readonly query: URLSearchParams
  /** The rows' name, for example `comments`. */
  readonly noun: string
}

/** Frames a list that is live if it ends with the newest row: its script asks for the version every few seconds. */
export function live({ newer }: Page<unknown>, pages: PagesOf, version: string, content: Markup): Markup {
  const attributes = markup` data-poll="${addressOf(pages, ['poll', ''])}" data-version="${version}"`
  return markup`<div class="live"${newer === null ? attributes : null}>${content}</div>`
}

/** Draws the links to newer and the newest rows. */
export function newerLinks({ newer }: Page<unknown>, pages: PagesOf): Markup | null {
  if (newer === null) return null
  return markup`<nav class="pages" aria-label="Newer ${pages.noun}">
<a class="button" href="${addressOf(pages, ['to', newer])}" rel="prev">Newer ${pages.noun}</a>
<a class="button" href="${addressOf(pages, null)}">Newest ${pages.noun}</a>
</nav>`
}

export function olderLinks({ older }: Page<unknown>, pages: PagesOf): Markup | null {
  if (older === null) return null
  return markup`<nav class="pages" aria-label="Older ${pages.noun}">
<a class="button" href="${addressOf(pages, ['from', older])}" rel="next">Older ${pages.noun}</a>
</nav>`
}

function addressOf({ path, query }: PagesOf, start: [string, string] | null): string {
  const parameters = new URLSearchParams([...query, ...(start === null ? [] : [start])]).toString()
  return parameters === '' ? path : `${path}?${parameters}`
}
