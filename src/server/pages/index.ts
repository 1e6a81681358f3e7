/** The pages of the URLs that the API returns, and the pages that lead to them. */

import { readShareToken, type ShareToken } from '../../api/rules/share-token.js'
import type { ServiceResponse } from '../../api/rules/types.js'
import { playgroundPage, readPlayground } from '../../page/playground.js'
import type { RequestContext } from '../admission/index.js'
import { networkOf } from '../http/request.js'
import type { Viewer } from '../request-context.js'
import { viewerOf } from '../session.js'
import type { Kind } from '../site-store.js'
import { assetPath } from '../static.js'
import { homePage, welcome } from './home.js'
import { html, type PageContent, type PageRequest, pageNotFound } from './layout.js'
import { channelPage, chatPage, threadPage } from './lists.js'
import { redirectToSignIn, respondToSignIn, respondToSignOut } from './sign-in.js'

const pages: Readonly<Record<Kind, (request: PageRequest) => Promise<PageContent | string | null>>> = {
  channel: channelPage,
  thread: (request) => threadPage(request, request.id),
  comment: async (request) => {
    const threadID = await request.rows.threadOf(request.id)
    return threadID === null ? null : threadPage({ ...request, markedID: request.id }, threadID)
  },
  chat: chatPage,
}

/** The pages with a fixed path. */
export const handlers: ReadonlyMap<string, (context: RequestContext) => Promise<ServiceResponse>> = new Map([
  ['/', respondWithinLimit],
  ['/sign-in', respondToSignIn],
  ['/sign-out', respondToSignOut],
  ['/playground', respondWithPlayground],
])

/** Paths of forms, which accept POST too. */
export const FORM_PATHS: ReadonlySet<string> = new Set(['/sign-in', '/sign-out'])

/** Responds to a request that no other part of the service handles. */
export function respondWithPage(context: RequestContext): Promise<ServiceResponse> {
  const respond = handlers.get(context.url.pathname) ?? respondWithinLimit
  return respond(context)
}

async function respondWithPlayground({ siteUrl }: RequestContext): Promise<ServiceResponse> {
  return playgroundPage(await readPlayground(), { docs: '/docs', card: siteUrl + assetPath('card.jpg') })
}

/** Responds with a page of messages, or the home page. */
function respondWithinLimit(context: RequestContext): Promise<ServiceResponse> {
  const { store, slices, url } = context
  return withPageLimit(context, 1, async (viewer) => {
    if (url.pathname !== '/') return respondWithMessages(context, viewer)
    if (viewer === null) return html(context, welcome, { cache: 'public' })
    const rows = store.rows(viewer.organization)
    return html(context, await store.draw(() => homePage(rows, viewer, slices)))
  })
}

/**
 * Finds the viewer, and does the work for a response if the page limit allows it. Charges the reader for the time of CPU and
 * database. The reader is the viewer, or the network of a person who has not signed in. A response may count as a part of a page.
 */
export async function withPageLimit<Result>(
  context: RequestContext,
  pageCount: number,
  work: (viewer: Viewer | null) => Promise<Result>,
): Promise<Result> {
  const { pageLimit, slices, request } = context
  const viewer = await viewerOf(context)
  // Read after the query, because a bucket whose time goes back would fill up twice.
  const { now } = context
  context.viewer = viewer
  const reader = viewer === null ? networkOf(request.address) : `${viewer.organization} ${viewer.userID}`
  pageLimit.take(reader, now, pageCount)
  const millisecondsBefore = slices.milliseconds
  try {
    return await work(viewer)
  } finally {
    pageLimit.chargeTime(reader, now, slices.milliseconds - millisecondsBefore)
  }
}

/** Responds with the page of a channel, thread, comment, chat or chat message. */
async function respondWithMessages(context: RequestContext, viewer: Viewer | null): Promise<ServiceResponse> {
  const { store, slices } = context
  const { pathname, search, searchParams } = context.url
  const pathMatch = /^\/(?:messages\/)?([1-9]\d{0,15}|[\da-f-]{36})(?:\/([\w-]{1,128}))?$/i.exec(pathname)
  if (pathMatch === null) throw pageNotFound()
  const [id, markedID] = [pathMatch[1]?.toLowerCase() ?? '', pathMatch[2]?.toLowerCase() ?? null]
  const token = readShareToken(searchParams.get('s'))
  if (viewer === null && !searchParams.get('s')) return redirectToSignIn(pathname + search)
  for (const organization of organizationsOf(viewer, token)) {
    // A member of another organization sees the same page as everyone who has the URL.
    const member = viewer?.organization === organization ? viewer : null
    const rows = store.rows(organization)
    const secret = token?.secret ?? null
    const request = { rows, organization, id, markedID, viewer: member, secret, query: searchParams, slices }
    const content = await store.draw(async () => {
      const kind = await rows.kindOf(id)
      // Only messages of chats have paths with two parts.
      return kind === null || (markedID !== null && kind !== 'chat') ? null : pages[kind](request)
    })
    if (content !== null) return html(context, content, { cache: member === null ? 'shared' : 'private' })
  }
  throw pageNotFound()
}

/** Returns the organizations that may have the page: the share token's organization and the viewer's. */
export function organizationsOf(viewer: Viewer | null, token: ShareToken | null): ReadonlySet<string> {
  return new Set([token?.organization, viewer?.organization].filter((each) => each !== undefined))
}
