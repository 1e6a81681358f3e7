/** Signing in: by link and by key, once, from our own form only, not too often, and back to this site only. */

import { expect, test } from 'vitest'
import { StoreError } from '../../src/api/store/store.js'
import { listKeys, revokeKey, rotateKey } from '../../src/server/operator/keys.js'
import { createSignInLink, removePerson } from '../../src/server/operator/members.js'
import { returnPath } from '../../src/server/pages/sign-in.js'
import type { SiteOptions } from '../../src/server/request-context.js'
import type { SiteStore } from '../../src/server/site-store.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { tidy } from '../../src/server/store/tidy.js'
import { sharedBackend } from '../api/support/backends.js'
import { createWorld, type DatabaseWorld, SITE } from '../api/support/world.js'

const { backend, folder } = await sharedBackend()

const world = (options: Partial<SiteOptions> = {}): Promise<DatabaseWorld> => createWorld(backend, folder, options)

/** A client that sends forms and keeps cookies. */
function visitor(here: DatabaseWorld): {
  get(path: string): Promise<Response>
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  signIn(fields: Record<string, string>): Promise<Response>
  readonly cookies: Map<string, string>
} {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit, headers: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await here.fetch(new Request(SITE + path, { ...init, headers: { ...headers, cookie } }))
    const [, name = '', value = ''] = /^([\w-]+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? []
    if (name !== '') cookies.set(name, value)
    return response
  }
  const get = (path: string): Promise<Response> => send(path, {}, {})
  const post = (path: string, fields: Record<string, string>, headers = {}): Promise<Response> =>
    send(path, { method: 'POST', body: new URLSearchParams(fields) }, headers)
  return {
    ...{ cookies, get, post },
    signIn: (fields) => post('/sign-in', fields),
  }
}

async function personsLink(here: DatabaseWorld, name: string, now = new Date()): Promise<string> {
  const { email } = await here.person(name)
  const link = await createSignInLink(here.database.run, here.organization, email, SITE, now)
  return new URL(link).searchParams.get('link') ?? ''
}

test('a link signs a person in once, also of many at once, for 15 minutes; opening it does not use it up', async () => {
  const here = await world()
  const bot = await here.bot('First')
  const link = await personsLink(here, 'ada')
  const { userID } = await here.person('ada')
  const { channelURL } = (await bot.call('createChannel', { name: 'a', privacy: 'private', userIDs: [userID] })).body
    .result
  const path = new URL(channelURL).pathname
  const ada = visitor(here)
  expect((await ada.get(path)).status).toBe(303)
  for (let look = 0; look < 3; look += 1) expect((await ada.get(`/sign-in?link=${link}`)).status).toBe(200)
  const entered = await ada.signIn({ link, return: path })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, path])
  expect(entered.headers.get('set-cookie')).toMatch(/; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
  const page = await (await ada.get(path)).text()
  expect(page).toContain('<h1 dir="auto">#a <span class="tag">private</span></h1>')
  expect(page).toContain('ada</span>')
  const old = await personsLink(here, 'bob', new Date(Date.now() - 15 * 60_000))
  for (const none of [link, old, 'no link']) {
    const again = await visitor(here).signIn({ link: none })
    expect([again.status, await again.text()]).toEqual([401, expect.stringContaining('Ask the person who')])
  }
  const many = await personsLink(here, 'bob')
  const all = await Promise.all(Array.from({ length: 5 }, () => visitor(here).signIn({ link: many })))
  expect(all.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401, 401])
})

test('the form says how to get a link, with the URL of this site', async () => {
  const here = await world()
  const html = await (await visitor(here).get('/sign-in')).text()
  expect(html).toMatch(/<code>SITE_URL=http:\/\/site\.test [^<]*people link EMAIL<\/code>/)
})

test('an API key signs in as its bot, and the session ends when it is revoked or expires', async () => {
  const here = await world()
  const bot = await here.bot('First')
  const [first, second] = [visitor(here), visitor(here)]
  expect((await first.signIn({ key: `${bot.key}x` })).status).toBe(401)
  expect((await first.signIn({ key: bot.key })).status).toBe(303)
  expect(await (await first.get('/')).text()).toContain('First</span>')
  const [entry] = await listKeys(here.database.run, here.organization)
  const newer = await rotateKey(here.database.run, here.organization, entry?.id ?? '', new Date(Date.now() - 1))
  expect(await (await first.get('/')).text()).not.toContain('First</span>')
  expect((await second.signIn({ key: newer })).status).toBe(303)
  const [next] = await listKeys(here.database.run, here.organization)
  await revokeKey(here.database.run, here.organization, next?.id ?? '')
  expect(await (await second.get('/')).text()).not.toContain('First</span>')
  expect((await second.signIn({ key: newer })).status).toBe(401)
})

test('a user who is removed while signing in is rejected', async () => {
  const here = await world()
  const { key } = await here.bot('First')
  const store = createPostgresStore(here.database)
  const failing: SiteStore = {
    ...store,
    write: (organization, work) =>
      store.write(organization, (rows) => work({ ...rows, addSession: () => Promise.reject(new StoreError('gone')) })),
  }
  expect((await visitor(await world({ store: failing })).signIn({ key })).status).toBe(401)
})

test('signing in and out accept only GET, HEAD and POST, and a small form', async () => {
  const here = await world()
  const send = async (path: string, method: string, type: string, body: string): Promise<unknown[]> => {
    const headers = { 'content-type': type, accept: 'text/html' }
    const response = await here.fetch(new Request(SITE + path, { method, headers, body }))
    return [response.status, response.headers.get('content-type'), response.headers.get('allow')]
  }
  const [form, html] = ['application/x-www-form-urlencoded', 'text/html; charset=utf-8']
  for (const path of ['/sign-in', '/sign-out'])
    expect([path, await send(path, 'PUT', form, '')]).toEqual([path, [405, html, 'GET, HEAD, POST']])
  expect(await send('/sign-in', 'POST', 'application/json', '{}')).toEqual([415, html, null])
  expect(await send('/sign-in', 'POST', form, `key=${'x'.repeat(20_000)}`)).toEqual([413, html, null])
})

test('a session ends after 12 hours, with the person, and by signing out; then its cookie is rejected', async () => {
  const clock = { now: new Date() }
  const here = await world({ now: () => clock.now })
  const [eve, kim, lee] = [visitor(here), visitor(here), visitor(here)]
  for (const [who, name] of [
    [eve, 'eve'],
    [kim, 'kim'],
    [lee, 'lee'],
  ] as const) {
    await who.signIn({ link: await personsLink(here, name, clock.now) })
    expect(await (await who.get('/')).text()).toContain(`${name}</span>`)
  }
  await removePerson(here.database.run, here.organization, 'kim@people.test')
  expect(await (await kim.get('/')).text()).not.toContain('kim</span>')
  const kept = new Map(eve.cookies)
  expect((await eve.get('/sign-out')).status).toBe(303)
  expect(await (await eve.get('/')).text()).toContain('eve</span>')
  const left = await eve.post('/sign-out', {})
  expect(left.headers.get('set-cookie')).toMatch(/^blockmark-session=; Path=\/; Max-Age=0;/)
  for (const [name, value] of kept) eve.cookies.set(name, value)
  expect(await (await eve.get('/')).text()).not.toContain('eve</span>')
  clock.now = new Date(clock.now.getTime() + 12 * 3_600_000 - 1)
  expect(await (await lee.get('/')).text()).toContain('lee</span>')
  clock.now = new Date(clock.now.getTime() + 1)
  expect(await (await lee.get('/')).text()).not.toContain('lee</span>')
  await here.database.run(`UPDATE sessions SET expires_at = now() WHERE expires_at <= $1`, [clock.now])
  await tidy(here.database)
  const { rows } = await here.database.run('SELECT hash FROM sessions WHERE organization = $1', [here.organization])
  expect(rows).toEqual([])
})

test('only a hash of a session is stored, and its cookie is sent over HTTPS only if the site uses it', async () => {
  const here = await world({ siteUrl: 'https://site.test' })
  const response = await visitor(here).signIn({ key: (await here.bot('First')).key })
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^__Host-blockmark-session=.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  const secret = /\.([\w-]+);/.exec(cookie)?.[1] ?? ''
  const { rows } = await here.database.run<{ hash: Buffer }>('SELECT hash FROM sessions WHERE organization = $1', [
    here.organization,
  ])
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(rows.map(({ hash }) => hash.toString('base64url'))).toEqual([expect.not.stringMatching(secret)])
})

test('a form of the same host without TLS cannot sign in on a site with TLS', async () => {
  const here = await world({ siteUrl: 'https://site.test' })
  const { key } = await here.bot('First')
  const statusFrom = async (origin: string): Promise<number> =>
    (await visitor(here).post('/sign-in', { key }, { origin })).status
  expect([await statusFrom('http://site.test'), await statusFrom('https://site.test')]).toEqual([403, 303])
})

test("another site's form cannot sign in or out", async () => {
  const here = await world()
  const { key } = await here.bot('First')
  const who = visitor(here)
  const others = ['https://evil.test', 'null', `${SITE}.evil.test`]
  for (const origin of others) expect((await who.post('/sign-in', { key }, { origin })).status).toBe(403)
  expect(who.cookies.size).toBe(0)
  expect((await who.post('/sign-in', { key }, { origin: SITE })).status).toBe(303)
  for (const origin of others) expect((await who.post('/sign-out', {}, { origin })).status).toBe(303)
  expect(await (await who.get('/')).text()).toContain('First</span>')
})

test('an eleventh failed sign-in of an IP address must wait for six seconds; other addresses do not', async () => {
  const clock = { now: new Date() }
  const here = await world({ now: () => clock.now })
  const { key } = await here.bot('First')
  const who = visitor(here)
  expect((await who.signIn({ key })).status).toBe(303)
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await who.signIn({ key: 'wrong' })).status).toBe(401)
  const refused = await who.signIn({ key })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
  clock.now = new Date(clock.now.getTime() + 4000)
  expect((await who.signIn({ key })).status).toBe(429)
  clock.now = new Date(clock.now.getTime() + 3000)
  expect((await who.signIn({ key })).status).toBe(303)
  expect((await who.signIn({ key })).status).toBe(303)
})

test('a form that arrives slowly neither keeps a link valid nor gives an IP address more attempts', async () => {
  const clock = { now: new Date() }
  const here = await world({ now: () => clock.now })
  const link = await personsLink(here, 'ada', clock.now)
  /** Sends a form whose fields arrive after the given milliseconds. */
  const sendSlowly = async (fields: string, milliseconds: number): Promise<number> => {
    const arrivedAt = clock.now.getTime()
    const pull = (controller: ReadableStreamDefaultController): void => {
      clock.now = new Date(arrivedAt + milliseconds)
      controller.enqueue(new TextEncoder().encode(fields))
      controller.close()
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = new Request(`${SITE}/sign-in`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    return (await here.fetch(request)).status
  }
  expect(await sendSlowly(`link=${link}`, 16 * 60_000)).toBe(401)
  const { signIn } = visitor(here)
  for (let attempt = 0; attempt < 9; attempt += 1) expect((await signIn({ key: 'wrong' })).status).toBe(401)
  const [arrivedAt, later] = [clock.now, new Date(clock.now.getTime() + 60_000)]
  clock.now = later
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await signIn({ key: 'wrong' })).status).toBe(401)
  clock.now = arrivedAt
  expect([await sendSlowly('key=wrong', 60_000), clock.now]).toEqual([429, later])
  expect((await signIn({ key: 'wrong' })).status).toBe(429)
})

test('the return path is a path of this site', () => {
  for (const path of ['/', '/1?s=x', '/a/b', '/%2f%2fevil.test']) expect(returnPath(path, SITE)).toBe(path)
  const absolute = [
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/..//evil.test',
    '/x\\..\\..//evil.test',
    '/.//evil.test',
  ]
  for (const given of [...absolute, 'https://evil.test', 'evil', '', null, 'javascript:alert(1)', '/a\r\nb: c'])
    expect([given, returnPath(given, SITE)]).toEqual([given, '/'])
})
