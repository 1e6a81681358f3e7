/** The pages behind the addresses that the API gives out. */

import type { Service } from '../service/index.js'
import { mustRead } from '../service/operation-pages.js'
import type { Answer, Exchange } from '../service/options.js'
import type { Location, Rows } from '../store/store.js'
import { html, type PageContent } from './layout.js'
import { channelPage, chatPage } from './lists.js'
import { markup } from './markup.js'
import { threadPage } from './thread.js'
import { type Viewer, viewerOf } from './viewer.js'

/** What a page is about, and who looks at it. */
export interface PageRequest {
  readonly rows: Rows
  readonly id: string
  /** The message that the address names inside the page. */
  readonly markedID: string | null
  readonly viewer: Viewer | null
  /** The share token that came with the address. */
  readonly token: string | null
}

type Page = (request: PageRequest) => Promise<PageContent | null>

const pages: Readonly<Record<Location['kind'], Page>> = {
  channel: channelPage,
  thread: (request) => threadPage(request, request.id),
  comment: async (request) => {
    const comment = await request.rows.comment(request.id, null)
    return comment === null ? null : threadPage({ ...request, markedID: comment.id }, comment.threadID)
  },
  chat: chatPage,
  file: async () => null,
}

const home: PageContent = {
  title: 'blockmark',
  body: markup`<h1>blockmark</h1>
<p>The service is running. <a href="/docs">How to use its API</a>, and <a href="/openapi.json">its OpenAPI document</a>.</p>`,
}

/**
 * Answers a request for a page.
 *
 * @param service - the service
 * @param exchange - the request
 * @returns the page, or null where the path is none of a page
 */
export async function answerPage(service: Service, exchange: Exchange): Promise<Answer | null> {
  const { pathname, searchParams } = exchange.url
  const found = /^\/(?:messages\/)?([\w-]{1,128})(?:\/([\w-]{1,128}))?$/.exec(pathname)
  if (pathname !== '/' && found === null) return null
  exchange.endpoint = 'page'
  mustRead(exchange.request)
  if (pathname === '/') return html(home)
  const [, id = '', markedID = null] = found ?? []
  const viewer = await viewerOf(service, exchange)
  const location = await service.store.locate(id.toLowerCase())
  const token = searchParams.get('s')
  const isOwn = viewer === null || viewer.organization === location?.organization
  const content =
    location === null || !isOwn
      ? null
      : await service.store.read(location.organization, (rows) =>
          pages[location.kind]({ rows, id: id.toLowerCase(), markedID, viewer, token }),
        )
  return content === null ? refusal(viewer) : html(content)
}

/** The same page for what is not there and for what may not be seen. */
function refusal(viewer: Viewer | null): Answer {
  if (viewer !== null) {
    return html(
      { title: 'Not found', body: markup`<h1>Not found</h1>\n<p>There is nothing here that you can see.</p>` },
      404,
    )
  }
  const body = markup`<h1>Sign in to see this page</h1>
<p>There is nothing here that everybody can see. A thread opens with the whole of its address, the part behind the question mark included.</p>`
  return html({ title: 'Sign in', body }, 401)
}
