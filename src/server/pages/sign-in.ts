/** Signing in, by a one-time link or by a bot's key, and signing out. */

import { hashOfKey } from '../../api/keys.js'
import type { Answer, Exchange } from '../../api/service/options.js'
import { StoreError } from '../../api/store/store.js'
import { mustRead } from '../operation-pages.js'
import type { Service } from '../site.js'
import { guestForm, isOwnForm, readForm } from './form.js'
import { html } from './layout.js'
import { type Markup, markup } from './markup.js'
import { returnAddress } from './return-address.js'
import { beginSession, endSession, readSecret, type SignedIn, sessionSecret } from './session.js'

/** Why the form is shown again. */
interface Refusal {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers `/sign-in`. A link only shows a button, for programs look at links too, and one that was looked at has to
 * work still.
 */
export async function answerSignIn(service: Service, exchange: Exchange): Promise<Answer> {
  const { request, url } = exchange
  if (request.method !== 'POST') {
    mustRead(request, 'POST')
    return form(service, exchange, url.searchParams)
  }
  const fields = await readForm(request)
  const again = (refusal: Refusal): Answer => form(service, exchange, fields, refusal)
  if (!isOwnForm(service, exchange, fields, null)) {
    const reason = 'This form was open for too long, or does not come from this site. Try again.'
    return again({ status: 403, reason })
  }
  const wait = service.attempts.begin(request.address, exchange.now)
  if (wait > 0) {
    const reason = `Too many sign-ins have failed. Try again in ${wait} seconds.`
    return again({ status: 429, reason, headers: { 'retry-after': String(wait) } })
  }
  const cookie = await enter(service, exchange, fields)
  if (cookie === null) {
    const [link, key] = ['This link was used already, or is older than 15 minutes.', 'This key does not work.']
    return again({ status: 401, reason: fields.has('link') ? link : key })
  }
  service.attempts.succeed(request.address)
  return redirect(returnAddress(fields.get('return'), service.siteUrl), cookie)
}

/** Answers `/sign-out`: the session ends, here and everywhere. */
export async function answerSignOut(service: Service, exchange: Exchange): Promise<Answer> {
  const { request } = exchange
  if (request.method !== 'POST') {
    mustRead(request, 'POST')
    return redirect('/')
  }
  const fields = await readForm(request)
  const secret = sessionSecret(service, exchange)
  if (secret === null || !isOwnForm(service, exchange, fields, secret.text)) return redirect('/')
  return redirect('/', await endSession(service, exchange))
}

/** Leads to the sign-in page, and from there back to the page that was asked for. */
export function signInFirst(path: string): Answer {
  return redirect(`/sign-in?return=${encodeURIComponent(path)}`)
}

async function enter(service: Service, exchange: Exchange, fields: URLSearchParams): Promise<string | null> {
  const link = fields.get('link')
  const who =
    link === null
      ? await botOf(service, exchange, fields.get('key')?.trim() ?? '')
      : await personOf(service, exchange, link)
  return who === null ? null : await enterAs(service, exchange, who)
}

async function enterAs(service: Service, exchange: Exchange, who: SignedIn): Promise<string | null> {
  try {
    await endSession(service, exchange)
    return await beginSession(service, exchange, who)
  } catch (error) {
    // The key, or the person, was removed a moment ago.
    if (error instanceof StoreError && error.reason === 'gone') return null
    throw error
  }
}

async function personOf(service: Service, { now }: Exchange, link: string): Promise<SignedIn | null> {
  const secret = readSecret(link)
  if (secret === null) return null
  const { organization, hash } = secret
  const userID = await service.store.write(organization, (rows) => rows.takeLink(hash, now))
  return userID === null ? null : { organization, userID, keyHash: null }
}

async function botOf(service: Service, { now }: Exchange, key: string): Promise<SignedIn | null> {
  const keyHash = hashOfKey(key)
  const bot = keyHash === null ? null : await service.store.identify(keyHash, now)
  return bot === null ? null : { organization: bot.organization, userID: bot.botID, keyHash }
}

function redirect(location: string, cookie?: string): Answer {
  const headers = { location, 'cache-control': 'no-store', ...(cookie === undefined ? {} : { 'set-cookie': cookie }) }
  return { status: 303, headers, body: null }
}

function form(service: Service, exchange: Exchange, fields: URLSearchParams, refusal?: Refusal): Answer {
  const { token, cookie } = guestForm(service, exchange)
  const link = fields.get('link')
  // A link that did not work is not offered again.
  const isByLink = link !== null && refusal?.status !== 401
  const body = markup`<section class="sign-in">
<h1>Sign in</h1>
${refusal === undefined ? null : markup`<p class="alert" role="alert">${refusal.reason}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="return" value="${returnAddress(fields.get('return'), service.siteUrl)}">
${isByLink ? linkFields(link) : keyFields(refusal)}
</form>
</section>`
  const { status = 200, headers = {} } = refusal ?? {}
  const more = { ...headers, 'set-cookie': cookie, 'referrer-policy': 'same-origin' }
  return html({ title: 'Sign in', body }, { status, isSignIn: true, headers: more })
}

function linkFields(link: string): Markup {
  return markup`<input type="hidden" name="link" value="${link}">
<p>Your link is good for one sign-in.</p>
<button autofocus>Sign in</button>`
}

function keyFields(refusal?: Refusal): Markup {
  const invalid = refusal?.status === 401 ? markup` aria-invalid="true"` : null
  return markup`<label for="key">A bot’s key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required placeholder="wsk_…"${invalid} aria-describedby="key-help">
<p id="key-help" class="quiet">You see what the bot sees, for twelve hours.</p>
<button>Sign in</button>
<p class="quiet">People sign in by a link, which whoever runs this service makes: <code>blockmark-server users link EMAIL</code></p>`
}
