/** The first page: what there is for whoever looks. */

import type { SiteRows } from '../rows.js'
import type { PageContent } from './layout.js'
import { type Markup, markup } from './markup.js'
import { PRIVATE } from './message.js'
import type { Viewer } from './viewer.js'

/** More than anybody looks through; the others are reached by their own addresses. */
const LISTED_MAX = 500

const programs: Markup = markup`<a href="/docs">How programs post here</a> · <a href="/playground">Try the dialect</a>`

/** The first page of somebody who has not signed in. */
export const welcome: PageContent = {
  title: 'blockmark',
  body: markup`<h1>blockmark</h1>
<p>Messages for teams. A thread opens by the address that you were given; everything else after you <a href="/sign-in">sign in</a>.</p>
<p>${programs}</p>`,
}

/** The first page of somebody who has signed in. */
export async function homePage(rows: SiteRows, viewer: Viewer): Promise<PageContent> {
  const [channels, chats] = await Promise.all([
    rows.channels(viewer.userID, { after: null, count: LISTED_MAX }),
    rows.chats(viewer.userID, LISTED_MAX),
  ])
  const body = markup`<h1 dir="auto">${viewer.organizationName}</h1>
${listOf('Channels', 'There is no channel yet.', channels, '#')}
${listOf('Chats', 'You are in no chat yet.', chats)}
<p class="quiet">${programs}</p>`
  return { title: viewer.organizationName, body }
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly isPrivate?: boolean
}

function listOf(title: string, nothing: string, listed: readonly Listed[], sign = ''): Markup {
  const items = listed.map(({ id, name, description = '', isPrivate = false }) => {
    const note = description === '' ? null : markup` <span class="quiet" dir="auto">${description}</span>`
    return markup`<li><a href="/${id}" dir="auto">${sign}${name}</a>${isPrivate ? PRIVATE : null}${note}</li>`
  })
  const list =
    items.length === 0 ? markup`<p class="quiet">${nothing}</p>` : markup`<ul class="places">\n${items}\n</ul>`
  return markup`<section>
<h2>${title}</h2>
${list}
</section>`
}
