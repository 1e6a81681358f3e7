/** The pages behind the addresses that the API gives out, and those that lead there. */

import type { Answer, Exchange } from '../../api/service/options.js'
import { playgroundPage } from '../../page/playground.js'
import { mustRead } from '../operation-pages.js'
import type { Location } from '../rows.js'
import type { Service } from '../site.js'
import { answerAsset } from './assets.js'
import { channelPage } from './channel.js'
import { chatPage } from './chat.js'
import { homePage, welcome } from './home.js'
import { type Cache, html, type PageContent } from './layout.js'
import { networkOf } from './limit.js'
import type { PageRequest } from './page-request.js'
import { missingPage } from './refusal.js'
import { answerSignIn, answerSignOut } from './sign-in.js'
import { threadPage } from './thread.js'
import { Turns } from './turns.js'
import { type Viewer, viewerOf } from './viewer.js'

type Page = (request: PageRequest) => Promise<PageContent | null>

/** Addresses with two parts name a message of a chat, and nothing else. */
const pages: Readonly<Record<Location['kind'], Page>> = {
  channel: unmarked(channelPage),
  thread: unmarked((request) => threadPage(request, request.id)),
  comment: unmarked(async (request) => {
    const threadID = await request.rows.threadOf(request.id)
    return threadID === null ? null : threadPage({ ...request, markedID: request.id }, threadID)
  }),
  chat: chatPage,
  file: async () => null,
}

function unmarked(page: Page): Page {
  return async (request) => (request.markedID === null ? page(request) : null)
}

type Handler = (service: Service, exchange: Exchange) => Promise<Answer>

const handlers: Readonly<Record<string, Handler>> = {
  '/': answerHome,
  '/sign-in': answerSignIn,
  '/sign-out': answerSignOut,
  '/playground': answerPlayground,
}

/** Answers a request for a page: whatever nothing else answered. */
export async function answerPage(service: Service, exchange: Exchange): Promise<Answer> {
  exchange.endpoint = 'page'
  const { pathname } = exchange.url
  const handler = Object.hasOwn(handlers, pathname) ? handlers[pathname] : undefined
  if (handler !== undefined) return handler(service, exchange)
  mustRead(exchange.request)
  return answerAsset(pathname) ?? answerPlace(service, exchange)
}

async function answerPlayground(service: Service, exchange: Exchange): Promise<Answer> {
  mustRead(exchange.request)
  if (service.playground === undefined) return missingPage(exchange, await viewerOf(service, exchange))
  return playgroundPage(await service.playground())
}

async function answerHome(service: Service, exchange: Exchange): Promise<Answer> {
  mustRead(exchange.request)
  const viewer = await viewerOf(service, exchange)
  service.pageLimit.take(whoLooks(exchange, viewer), exchange.now)
  if (viewer === null) return html(welcome, { cache: 'public' })
  return html(await service.store.read(viewer.organization, (rows) => homePage(rows, viewer)), { viewer })
}

async function answerPlace(service: Service, exchange: Exchange): Promise<Answer> {
  const { pathname, search, searchParams } = exchange.url
  const viewer = await viewerOf(service, exchange)
  const who = whoLooks(exchange, viewer)
  service.pageLimit.take(who, exchange.now)
  const found = /^\/(?:messages\/)?([\w-]{1,128})(?:\/([\w-]{1,128}))?$/.exec(pathname)
  const id = found?.[1]?.toLowerCase() ?? ''
  const markedID = found?.[2]?.toLowerCase() ?? null
  const location = found === null ? null : await service.store.locate(id)
  if (location === null) return missingPage(exchange, viewer)
  const { organization, kind } = location
  const token = searchParams.get('s')
  // A member of another organization sees what everybody sees who has the address.
  const member = viewer?.organization === organization ? viewer : null
  const turns = new Turns()
  const content = await service.store.read(organization, (rows) =>
    pages[kind]({ rows, id, markedID, viewer: member, token, query: searchParams, turns }),
  )
  service.pageLimit.charge(who, turns.milliseconds)
  if (content === null) return missingPage(exchange, viewer)
  const cache: Cache = member === null ? 'shared' : 'private'
  return html(content, { viewer, path: pathname + search, cache })
}

/** Whose pages are counted: somebody who has signed in may share an address with many. */
function whoLooks({ request }: Exchange, viewer: Viewer | null): string {
  return viewer === null ? networkOf(request.address) : `${viewer.organization} ${viewer.userID}`
}
