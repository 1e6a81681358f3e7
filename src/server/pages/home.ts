/** The first page: the channels and chats of the viewer, each with what was posted last. */

import type { TimeSlices } from '../../api/rules/scheduler.js'
import { type Markup, markup } from '../../page/markup.js'
import type { Viewer } from '../session.js'
import type { LatestRow, SiteRows } from '../site-store.js'
import type { PageContent } from './layout.js'
import { beginningOf, PRIVATE, type References, referencesOf, timeOf } from './message.js'

/** More than anyone reads through; the others are reached by their own URLs. */
const LISTED_MAX = 500

/** Threads and messages count as new for this long; which ones the viewer has read is not stored. */
const FRESH_MILLISECONDS = 24 * 60 * 60 * 1000

/** New threads and messages are counted up to this number. */
const COUNT_MAX = 100

const programs: Markup = markup`<a href="/docs">Documentation</a> · <a href="/docs/endpoints">API</a> · <a href="/playground">Playground</a>`

/** The first page without a session. */
export const welcome: PageContent = {
  title: 'blockmark',
  body: markup`<h1>blockmark</h1>
<p>Messages for teams. A thread opens with the link that you were given. Everything else opens after you <a href="/sign-in">sign in</a>.</p>
<p>${programs}</p>`,
}

export async function homePage(rows: SiteRows, viewer: Viewer, now: Date, slices: TimeSlices): Promise<PageContent> {
  const since = new Date(now.getTime() - FRESH_MILLISECONDS)
  const [channels, chats] = await Promise.all([
    rows.channels(viewer.userID, { after: null, count: LISTED_MAX }),
    rows.chats(viewer.userID, LISTED_MAX),
  ])
  const idsOf = (places: readonly Listed[]): string[] => places.map(({ id }) => id)
  const [threads, messages] = await Promise.all([
    rows.latestThreads(idsOf(channels), since, COUNT_MAX),
    rows.latestMessages(idsOf(chats), since, COUNT_MAX),
  ])
  const [shownInThreads, shownInMessages] = await Promise.all([
    rows.filesOfThreads(idsOf(threads), []),
    rows.filesOfMessages(idsOf(messages)),
  ])
  const files = [...shownInThreads, ...shownInMessages]
  const references = await referencesOf([...threads, ...messages], { rows, slices, files })
  const body = markup`<h1 dir="auto">${viewer.organizationName}</h1>
<div class="lists">
${listOf({ title: 'Channels', nothing: 'There are no channels yet.', sign: '#' }, channels, threads, references)}
${listOf({ title: 'Chats', nothing: 'You are not in any chat yet.', sign: '' }, chats, messages, references)}
</div>
<p class="quiet">New: posted in the last 24 hours. ${programs}</p>`
  return { title: viewer.organizationName, body }
}

interface Listed {
  readonly id: string
  readonly name?: string
  readonly description?: string
  readonly isPrivate?: boolean
}

interface Heading {
  readonly title: string
  readonly nothing: string
  readonly sign: string
}

/** Lists places, those with the most new posts first, then those that were posted in last. */
function listOf(
  { title, nothing, sign }: Heading,
  places: readonly Listed[],
  latest: readonly LatestRow[],
  references: References,
): Markup {
  const byPlace = new Map(latest.map((row) => [row.place, row]))
  const rank = ({ id }: Listed): readonly [number, number] => {
    const row = byPlace.get(id)
    return [row?.freshCount ?? 0, row?.createdAt.getTime() ?? 0]
  }
  const sorted = places.toSorted((one, other) => {
    const [[fresh, time], [otherFresh, otherTime]] = [rank(one), rank(other)]
    return otherFresh - fresh || otherTime - time
  })
  const items = sorted.map((place) => itemOf(place, sign, byPlace.get(place.id), references))
  const list =
    items.length === 0 ? markup`<p class="quiet">${nothing}</p>` : markup`<ul class="places">\n${items}\n</ul>`
  return markup`<section>
<h2>${title}</h2>
${list}
</section>`
}

function itemOf(
  { id, name = '', description = '', isPrivate = false }: Listed,
  sign: string,
  latest: LatestRow | undefined,
  references: References,
): Markup {
  const note = description === '' ? null : markup` <span class="quiet" dir="auto">${description}</span>`
  const head = markup`<a href="/${id}" dir="auto">${sign}${name}</a>${isPrivate ? PRIVATE : null}${note}`
  if (latest === undefined) return markup`<li>${head}</li>`
  const { authorID, createdAt, freshCount } = latest
  const count = freshCount >= COUNT_MAX ? `${COUNT_MAX - 1}+` : freshCount
  const fresh = freshCount === 0 ? null : markup`<b class="fresh">${count} new</b>`
  const author = references.names.get(authorID) ?? authorID
  return markup`<li>${fresh}${head}
<p class="quiet latest"><span dir="auto"><span dir="auto">${author}</span>: <span dir="auto">${beginningOf(latest, references).title}</span></span> ${timeOf(createdAt)}</p></li>`
}
