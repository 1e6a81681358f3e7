/**
 * Lists that are longer than a page, newest first. A part of a list starts at a row, not at a number. So new posts do not move
 * the other parts, and the ten-thousandth part is as fast as the first.
 */

import { hash } from 'node:crypto'
import { type Markup, markup } from '../../page/markup.js'
import type { ListedPost, Part } from '../site-store.js'
import type { PageRequest } from './layout.js'

const ROWS_MAX = 50

/** Bytes of content after which a page shows no more rows, on each side of its start. Further rows are on the next page. */
const PAGE_BYTES_MAX = 150_000

/** Reads the rows of a part, in order of the distance from its start; without a start, newest first. */
type ReadRows = (part: Part) => Promise<readonly ListedPost[]>

/** A part of a list. */
export interface ListPart {
  /** The rows, newest first. */
  readonly rows: readonly ListedPost[]
  /** The ids of the rows at which the next parts begin; null at an end of the list. */
  readonly older: string | null
  readonly newer: string | null
  /** Changes if a row is added to the newest part, or removed from it. */
  readonly version: string
}

/**
 * Reads the part of a list that a URL names: the rows around a marked row; with `from`, a row and older ones; with `to`, a row and
 * newer ones; otherwise the newest rows. With `poll`, a script of the page gets only the version.
 */
export async function readList(
  read: ReadRows,
  { query, markedID }: Pick<PageRequest, 'query' | 'markedID'>,
): Promise<ListPart | string> {
  const newest = await read({ from: null, towards: 'older', count: ROWS_MAX, bytes: -1 })
  const version = hash('sha256', newest.map(({ id }) => id).join(), 'base64url').slice(0, 16)
  if (query.has('poll')) return version
  const from = idOf(query.get('from'))
  const id = markedID ?? from ?? idOf(query.get('to'))
  if (id === null) {
    const { shown, next } = await readSide(read, 'older', null, ROWS_MAX)
    return { rows: shown, older: next, newer: null, version }
  }
  const olderMax = markedID !== null ? ROWS_MAX / 2 : from !== null ? ROWS_MAX : 0
  // Both sides begin with the row itself, so it is removed from one of them.
  const [older, newer] = await Promise.all([
    readSide(read, 'older', id, olderMax, olderMax === 0 ? id : null),
    readSide(read, 'newer', id, ROWS_MAX - olderMax, olderMax === 0 ? null : id),
  ])
  return { rows: [...newer.shown.toReversed(), ...older.shown], older: older.next, newer: newer.next, version }
}

function idOf(text: string | null): string | null {
  return /^(?:[1-9]\d{0,15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text ?? '')?.[0] ?? null
}

/** Reads the rows that a page shows on one side of its start, and the row after them. No content is read if `rowsMax` is 0. */
async function readSide(
  read: ReadRows,
  towards: Part['towards'],
  from: string | null,
  rowsMax: number,
  removedID: string | null = null,
): Promise<{ shown: readonly ListedPost[]; next: string | null }> {
  const allRows = await read({ from, towards, count: rowsMax + 2, bytes: rowsMax === 0 ? -1 : PAGE_BYTES_MAX })
  const rows = allRows.filter(({ id }) => id !== removedID)
  const shown = rows.slice(0, rowsMax).filter(({ isRead }) => isRead)
  return { shown, next: rows[shown.length]?.id ?? null }
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
export function listMarkup({ older, newer, version }: ListPart, frame: ListFrame, content: Markup | null): Markup {
  const { url, noun, isNewestFirst = false } = frame
  const urlOf = (name: string, row: string): string => `${url}${url.includes('?') ? '&' : '?'}${name}=${row}`
  const linksTo = (name: 'Older' | 'Newer', row: string | null): Markup | null => {
    if (row === null) return null
    const [field, rel] = name === 'Older' ? ['from', 'next'] : ['to', 'prev']
    const newest = name === 'Older' ? null : markup`\n<a class="button" href="${url}">Newest ${noun}</a>`
    return markup`<nav class="pages" aria-label="${name} ${noun}">
<a class="button" href="${urlOf(field, row)}" rel="${rel}">${name} ${noun}</a>${newest}
</nav>`
  }
  const [olderLinks, newerLinks] = [linksTo('Older', older), linksTo('Newer', newer)]
  const empty = older === null && newer === null ? `There are no ${noun} yet.` : `There are no more ${noun}.`
  const poll = newer === null ? markup` data-poll="${urlOf('poll', '')}" data-version="${version}"` : null
  const list = markup`<div class="live"${poll}>${content ?? markup`<p class="quiet">${empty}</p>`}</div>`
  return markup`${isNewestFirst ? newerLinks : olderLinks}
${list}
${isNewestFirst ? olderLinks : newerLinks}`
}
