/** The first page: the channels and chats of the viewer, each with its newest post. */

import type { TimeSlices } from '../../api/rules/scheduler.js'
import type { ChannelRow } from '../../api/store/store.js'
import { type Markup, markup } from '../../page/markup.js'
import type { Viewer } from '../request-context.js'
import type { LatestPost, ListedChat, SiteRows } from '../site-store.js'
import type { PageContent } from './layout.js'
import { beginningOf, privateTag, type References, referencesOf, timeOf } from './message.js'

/** Maximum number of listed channels or chats; the others are reached by their own URLs. */
const LISTED_MAX = 500

/** The home page for visitors who are not signed in. */
export const welcome: PageContent = {
  title: 'blockmark',
  body: markup`<section class="welcome">
<h1>Messages for teams, written by bots</h1>
<p>This is a messaging service. Bots post threads, comments and chat messages by its API, in a small Markdown dialect.</p>
<p>A thread opens with the link that you were given. Everything else opens after you sign in.</p>
<p><a class="button primary" href="/sign-in">Sign in</a> <a class="button" href="/docs">Documentation</a> <a class="button" href="/playground">Playground</a></p>
</section>`,
}

export async function homePage(rows: SiteRows, viewer: Viewer, slices: TimeSlices): Promise<PageContent> {
  const [channels, chats] = await Promise.all([
    rows.channels(viewer.userID, { after: '0', count: LISTED_MAX }),
    rows.chats(viewer.userID, LISTED_MAX),
  ])
  const idsOf = (groups: readonly Group[]): string[] => groups.map(({ id }) => id)
  const [threads, messages] = await Promise.all([
    rows.latestPosts('threads', idsOf(channels)),
    rows.latestPosts('messages', idsOf(chats)),
  ])
  const references = await referencesOf([...threads, ...messages], { rows, slices })
  // Only screen readers get this heading, because the header of the page shows the name.
  const body = markup`<h1 class="unseen">${viewer.organizationName}</h1>
<div class="lists">
${listOf('Channels', channels, threads, references)}
${listOf('Chats', chats, messages, references)}
</div>`
  return { title: viewer.organizationName, body }
}

/** A channel, or a chat, which has only an id and a name. */
type Group = ListedChat & Partial<ChannelRow>

/** Lists channels or chats, the one with the newest post first. */
function listOf(
  title: 'Channels' | 'Chats',
  groups: readonly Group[],
  latest: readonly LatestPost[],
  references: References,
): Markup {
  const latestByID = new Map(latest.map((row) => [row.groupID, row]))
  const latestTimeOf = ({ id }: Group): number => latestByID.get(id)?.createdAt.getTime() ?? 0
  const sortedGroups = groups.toSorted((one, other) => latestTimeOf(other) - latestTimeOf(one))
  const sign = title === 'Channels' ? '#' : ''
  const items = sortedGroups.map((group) => itemOf(group, sign, latestByID.get(group.id), references))
  const list =
    items.length === 0
      ? markup`<p class="quiet">There are no ${title.toLowerCase()} yet.</p>`
      : markup`<ul class="places">\n${items}\n</ul>`
  return markup`<section>
<h2>${title}</h2>
${list}
</section>`
}

function itemOf(
  { id, name, description = '', isPrivate = false }: Group,
  sign: string,
  latest: LatestPost | undefined,
  references: References,
): Markup {
  const author = references.names.get(latest?.authorID ?? '') ?? latest?.authorID
  const last =
    latest &&
    markup`
<p class="quiet" dir="auto"><bdi>${author ?? ''}</bdi>: <bdi>${beginningOf(latest, references).title}</bdi></p>`
  return markup`<li>
<p class="head"><span><a href="/${id}" dir="auto">${sign}${name}</a>${isPrivate ? privateTag : null}</span> ${latest ? timeOf(latest.createdAt, 'brief') : null}</p>
${description === '' ? null : markup`<p class="quiet" dir="auto">${description}</p>`}${last ?? null}</li>`
}
