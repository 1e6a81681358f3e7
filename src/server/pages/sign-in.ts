/** Signing in, by a one-time link or by a bot's key, and signing out. */

import { ApiError } from '../../api/contract/errors.js'
import { hashOfKey } from '../../api/keys.js'
import type { ServiceResponse } from '../../api/rules/types.js'
import { StoreError } from '../../api/store/store.js'
import { type Markup, markup } from '../../page/markup.js'
import { networkOf } from '../admission/rates.js'
import { mustRead } from '../operation-pages.js'
import { program } from '../program.js'
import type { RequestContext } from '../request-context.js'
import { beginSession, endSession, readSecret, type SignedIn, sessionSecret } from '../session.js'
import type { Site } from '../site.js'
import type { SessionUser } from '../site-store.js'
import { guestForm, isOwnForm, readForm } from './form.js'
import { html } from './layout.js'

/** The reason why the form is shown again. */
interface Refusal {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

const expired: Refusal = {
  status: 401,
  reason: 'This link has been used, or is older than 15 minutes. Ask the person who gave it to you for a new one.',
}

/**
 * Answers `/sign-in`. A link only shows a button: other programs open links too, and the link must work afterwards.
 */
export async function answerSignIn(site: Site, context: RequestContext): Promise<ServiceResponse> {
  const { request, url } = context
  if (request.method !== 'POST') {
    mustRead(request, 'POST')
    const link = url.searchParams.get('link')
    const user = link === null ? null : await userOf(site, context, link)
    return form(site, context, url.searchParams, {
      user,
      ...(link !== null && user === null ? { reason: expired.reason } : {}),
    })
  }
  const fields = await readForm(request)
  const again = async (refusal: Refusal): Promise<ServiceResponse> => {
    const user = refusal.status === 401 ? null : await userOf(site, context, fields.get('link') ?? '')
    return form(site, context, fields, { user, ...refusal })
  }
  if (!isOwnForm(site, context, fields, null)) {
    const reason = 'This form was open for too long, or does not come from this site. Try again.'
    return again({ status: 403, reason })
  }
  const network = networkOf(request.address)
  try {
    // Counted as failed before the result is known, so that parallel attempts count too.
    site.signIns.take(network, context.now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { headers } = error
    const reason = `Too many sign-ins have failed. Try again in ${headers['retry-after']} seconds.`
    return again({ status: 429, reason, headers })
  }
  const cookie = await enter(site, context, fields)
  if (cookie === null) {
    return again(fields.has('link') ? expired : { status: 401, reason: 'This API key does not work.' })
  }
  site.signIns.charge(network, -1)
  return redirect(returnAddress(fields.get('return'), site.siteUrl), cookie)
}

/** Answers `/sign-out`: the session ends, here and everywhere. */
export async function answerSignOut(site: Site, context: RequestContext): Promise<ServiceResponse> {
  const { request } = context
  if (request.method !== 'POST') {
    mustRead(request, 'POST')
    return redirect('/')
  }
  const fields = await readForm(request)
  const secret = sessionSecret(site, context)
  if (secret === null || !isOwnForm(site, context, fields, secret.text)) return redirect('/')
  return redirect('/', await endSession(site, context))
}

/** Redirects to the sign-in page, and from there back to the requested page. */
export function signInFirst(path: string): ServiceResponse {
  return redirect(`/sign-in?return=${encodeURIComponent(path)}`)
}

async function enter(site: Site, context: RequestContext, fields: URLSearchParams): Promise<string | null> {
  const link = fields.get('link')
  const who =
    link === null ? await botOf(site, context, fields.get('key')?.trim() ?? '') : await personOf(site, context, link)
  return who === null ? null : await enterAs(site, context, who)
}

async function enterAs(site: Site, context: RequestContext, who: SignedIn): Promise<string | null> {
  try {
    await endSession(site, context)
    return await beginSession(site, context, who)
  } catch (error) {
    // The API key or the person was removed a moment ago.
    if (error instanceof StoreError && error.reason === 'gone') return null
    throw error
  }
}

/** The user that a link is for, if it still works. */
async function userOf(site: Site, { now }: RequestContext, link: string): Promise<SessionUser | null> {
  const secret = readSecret(link)
  return secret === null ? null : site.store.read(secret.organization, (rows) => rows.linkUser(secret.hash, now))
}

async function personOf(site: Site, { now }: RequestContext, link: string): Promise<SignedIn | null> {
  const secret = readSecret(link)
  if (secret === null) return null
  const { organization, hash } = secret
  const userID = await site.store.write(organization, (rows) => rows.takeLink(hash, now))
  return userID === null ? null : { organization, userID, keyHash: null }
}

async function botOf(site: Site, { now }: RequestContext, key: string): Promise<SignedIn | null> {
  const keyHash = hashOfKey(key)
  const bot = keyHash === null ? null : await site.store.identify(keyHash, now)
  return bot === null || bot === 'suspended' ? null : { organization: bot.organization, userID: bot.botID, keyHash }
}

function redirect(location: string, cookie?: string): ServiceResponse {
  const headers = { location, 'cache-control': 'no-store', ...(cookie === undefined ? {} : { 'set-cookie': cookie }) }
  return { status: 303, headers, body: null }
}

/** The contents of the form: the user whose link was opened, and the reason why it is shown again. */
interface Shown extends Partial<Refusal> {
  readonly user: SessionUser | null
}

function form(site: Site, context: RequestContext, fields: URLSearchParams, shown: Shown): ServiceResponse {
  const { token, cookie } = guestForm(site, context)
  const link = fields.get('link')
  const { user, reason, status = 200, headers = {} } = shown
  const start = markup`<form method="post" action="/sign-in">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="return" value="${returnAddress(fields.get('return'), site.siteUrl)}">`
  const body = markup`<section class="sign-in">
<h1>Sign in</h1>
${reason === undefined ? null : markup`<p class="alert" role="alert">${reason}</p>`}
${user === null ? twoWays(start, status === 401 && link === null) : byLink(start, link ?? '', user)}
</section>`
  const more = { ...headers, 'set-cookie': cookie, 'referrer-policy': 'same-origin' }
  return html({ title: 'Sign in', body }, { status, isSignIn: true, headers: more })
}

function byLink(start: Markup, link: string, { userName, organizationName }: SessionUser): Markup {
  return markup`<p>To <b dir="auto">${organizationName}</b>, as <b dir="auto">${userName}</b>. Your link works once.</p>
${start}
<input type="hidden" name="link" value="${link}">
<button class="primary" autofocus>Sign in</button>
</form>`
}

function twoWays(start: Markup, isInvalid: boolean): Markup {
  return markup`<h2>People</h2>
<p>Open your sign-in link. It works once, for 15 minutes.</p>
<p class="quiet">To get one, ask the person who runs this service. The command is <code>${program} people link EMAIL</code>.</p>
<h2>Bots</h2>
${start}
<label for="key">API key of a bot</label>
<input id="key" name="key" type="password" dir="ltr" autocomplete="off" spellcheck="false" required placeholder="wsk_…"${isInvalid ? markup` aria-invalid="true"` : null} aria-describedby="key-help">
<p id="key-help" class="quiet">You see what the bot sees, for twelve hours.</p>
<button class="primary">Sign in</button>
</form>`
}

/** Reads a return path: a path of this site with its query, or `/` if the value is anything else. */
export function returnAddress(given: string | null, siteUrl: string): string {
  // Browsers read `//other.example` and `/\other.example` as URLs of another site.
  if (given === null || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(given)) return '/'
  const url = new URL(given, siteUrl)
  const path = url.pathname + url.search
  return url.origin === new URL(siteUrl).origin && !path.startsWith('//') ? path : '/'
}
