/**
 * Lists that are longer than a page, newest first. A part of a list starts at a row, not at a number. So new posts do not move
 * the other parts, and the ten-thousandth part is as fast as the first.
 */

import { createHash } from 'node:crypto'
import { type Markup, markup } from '../../page/markup.js'
import type { Part } from '../site-store.js'
import type { PageRequest } from './layout.js'

const ROWS_MAX = 50

/** Bytes of content that are read for a page on each side of its start. A row that does not fit is on the next page. */
const PAGE_BYTES_MAX = 150_000

/** The row at which a part starts, and the maximum number of rows on each side; null for the newest rows. */
type Start = { readonly id: string; readonly older: number; readonly newer: number } | null

/** Reads the rows of a part, in order of the distance from its start; without a start, newest first. */
type ReadRows<Row> = (part: Part) => Promise<readonly Row[]>

/** The fields of a row that paging needs. */
interface PartRow {
  readonly id: string
  readonly isRead: boolean
}

/** A part of a list. */
export interface ListPart<Row> {
  /** The rows, newest first. */
  readonly rows: readonly Row[]
  /** The rows at which the next parts begin. */
  readonly older: string | null
  readonly newer: string | null
  /** Changes if a row is added to the newest part, or removed from it. */
  readonly version: string
}

/**
 * Reads the part of a list that a URL names: the rows around the marked one; with `from`, a row and older ones; with `to`, a row and
 * newer ones; otherwise the newest rows. With `poll`, a script of the page gets only the version.
 */
export async function readList<Row extends PartRow>(
  read: ReadRows<Row>,
  { query, markedID }: Pick<PageRequest, 'query' | 'markedID'>,
): Promise<ListPart<Row> | string> {
  const version = await versionOf(read)
  if (query.has('poll')) return version
  const start = markedID === null ? startOf(query) : { id: markedID, older: ROWS_MAX / 2, newer: ROWS_MAX / 2 }
  return { ...(await rowsFrom(read, start)), version }
}

function startOf(query: URLSearchParams): Start {
  const [from, to] = [query.get('from'), query.get('to')]
  if (isId(from)) return { id: from, older: ROWS_MAX, newer: 0 }
  return isId(to) ? { id: to, older: 0, newer: ROWS_MAX } : null
}

function isId(text: string | null): text is string {
  return text !== null && /^(?:[1-9]\d{0,15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.test(text)
}

/** Reads the rows of a page. The content of rows that are not shown is not read. */
async function rowsFrom<Row extends PartRow>(
  read: ReadRows<Row>,
  start: Start,
): Promise<Pick<ListPart<Row>, 'rows' | 'older' | 'newer'>> {
  if (start === null) {
    const { shown, next } = split(await read({ from: null, count: ROWS_MAX + 1, bytes: PAGE_BYTES_MAX }), ROWS_MAX)
    return { rows: shown, older: next, newer: null }
  }
  const readSide = (towards: 'older' | 'newer'): Promise<readonly Row[]> =>
    read({
      from: { id: start.id, towards },
      ...{ count: start[towards] + 2, bytes: start[towards] === 0 ? -1 : PAGE_BYTES_MAX },
    })
  const [older, newer] = await Promise.all([readSide('older'), readSide('newer')])
  // Both sides begin with the row itself, so it is removed from one of them.
  const isOther = (row: Row): boolean => row.id !== start.id
  const below = split(start.older === 0 ? older.filter(isOther) : older, start.older)
  const above = split(start.older === 0 ? newer : newer.filter(isOther), start.newer)
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

async function versionOf(read: ReadRows<PartRow>): Promise<string> {
  const ids = (await read({ from: null, count: ROWS_MAX, bytes: -1 })).map(({ id }) => id)
  return createHash('sha256').update(ids.join()).digest('base64url').slice(0, 16)
}

/** The frame of a list. */
interface ListFrame {
  /** The URL of the newest part, with the share token if it needs one. */
  readonly url: string
  /** The name of the rows, for example `comments`. */
  readonly noun: string
  readonly isNewestFirst?: boolean
}

/**
 * Draws a part of a list between links to the next parts; `content` is null if the part has no rows. The script of the page asks
 * for the version every few seconds if the part ends with the newest row.
 */
export function listMarkup(
  { older, newer, version }: ListPart<unknown>,
  frame: ListFrame,
  content: Markup | null,
): Markup {
  const { url, noun, isNewestFirst = false } = frame
  const urlOf = (name: string, row: string): string => `${url}${url.includes('?') ? '&' : '?'}${name}=${row}`
  const newerLinks =
    newer === null
      ? null
      : markup`<nav class="pages" aria-label="Newer ${noun}">
<a class="button" href="${urlOf('to', newer)}" rel="prev">Newer ${noun}</a>
<a class="button" href="${url}">Newest ${noun}</a>
</nav>`
  const olderLinks =
    older === null
      ? null
      : markup`<nav class="pages" aria-label="Older ${noun}">
<a class="button" href="${urlOf('from', older)}" rel="next">Older ${noun}</a>
</nav>`
  const empty = older === null && newer === null ? `There are no ${noun} yet.` : `There are no more ${noun}.`
  const poll = newer === null ? markup` data-poll="${urlOf('poll', '')}" data-version="${version}"` : null
  const list = markup`<div class="live"${poll}>${content ?? markup`<p class="quiet">${empty}</p>`}</div>`
  return markup`${isNewestFirst ? newerLinks : olderLinks}
${list}
${isNewestFirst ? olderLinks : newerLinks}`
}
