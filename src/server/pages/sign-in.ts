/** Signing in, by a one-time link or by a bot's API key, and signing out. */

import { ApiError } from '../../api/contract/errors.js'
import { hashOfKey } from '../../api/keys.js'
import { mediaTypeOf, readBytes } from '../../api/rules/body.js'
import type { IncomingRequest, ServiceResponse } from '../../api/rules/types.js'
import { StoreError } from '../../api/store/store.js'
import { type Markup, markup } from '../../page/markup.js'
import type { RequestContext } from '../admission/index.js'
import { networkOf } from '../http/request.js'
import { callFor } from '../program.js'
import { beginSession, endSession, readSecret, type SignedInUser } from '../session.js'
import { html } from './layout.js'

const EXPIRED = 'This link has been used, or is older than 15 minutes. Ask the person who gave it to you for a new one.'

/**
 * Responds to `/sign-in`. A link only shows a button: other programs open links too, and the link must work afterwards.
 */
export async function respondToSignIn(context: RequestContext): Promise<ServiceResponse> {
  const { request, url, siteUrl, signIns } = context
  if (request.method !== 'POST') return signInPage(context, url.searchParams)
  const fields = await readForm(request)
  if (!isOwnForm(context)) return signInPage(context, fields, 403, `This form is not from ${siteUrl}/sign-in.`)
  const network = networkOf(request.address)
  // The attempt counts as failed until the result is known, so that parallel attempts count too.
  signIns.take(network, context.now)
  const cookie = await signIn(context, fields)
  if (cookie === null) {
    const reason = fields.has('link') ? EXPIRED : 'This API key does not work.'
    return signInPage(context, fields, 401, reason)
  }
  signIns.charge(network, context.now, -1)
  return redirect(returnPath(fields.get('return'), siteUrl), cookie)
}

/** Responds to `/sign-out`: deletes the session in the store and its cookie. */
export async function respondToSignOut(context: RequestContext): Promise<ServiceResponse> {
  const isForm = context.request.method === 'POST' && isOwnForm(context)
  return isForm ? redirect('/', await endSession(context)) : redirect('/')
}

/** Maximum size of a form in bytes. A form with an API key and a return path is far smaller. */
const FORM_BYTES_MAX = 16_384

/** Reads a form. Throws `unsupported_media_type`, `too_large`. */
async function readForm(request: IncomingRequest): Promise<URLSearchParams> {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new ApiError('unsupported_media_type', 'This URL accepts a form only.')
  }
  return new URLSearchParams(Buffer.from(await readBytes(request, FORM_BYTES_MAX)).toString())
}

/**
 * Whether a form was sent from a page of this site. Browsers report the origin in a header that no script can set. Only other
 * programs omit the header, and they have no cookies.
 */
function isOwnForm({ request: { headers }, siteUrl }: RequestContext): boolean {
  const origin = headers.get('origin')
  if (origin === null) return true
  // A site on https has one origin, which SITE_URL names. A site on http may be opened by several names of its machine.
  if (siteUrl.startsWith('https:')) return origin === siteUrl
  const hosts = [new URL(siteUrl).host, headers.get('host')]
  return URL.canParse(origin) && hosts.includes(new URL(origin).host)
}

/** Redirects to the sign-in page, and from there back to the requested page. */
export function redirectToSignIn(path: string): ServiceResponse {
  return redirect(`/sign-in?return=${encodeURIComponent(path)}`)
}

/** Signs in by a link or an API key, and returns the value of Set-Cookie; null if neither works. */
async function signIn(context: RequestContext, fields: URLSearchParams): Promise<string | null> {
  const user = await userOf(context, fields)
  if (user === null) return null
  try {
    await endSession(context)
    return await beginSession(context, user)
  } catch (error) {
    // `gone` means that the API key or the person was removed a moment ago.
    if (error instanceof StoreError && error.reason === 'gone') return null
    throw error
  }
}

/** Returns the person whom a link signs in, and uses up the link, or the bot of an API key; null if neither works. */
async function userOf({ store, now }: RequestContext, fields: URLSearchParams): Promise<SignedInUser | null> {
  const link = fields.get('link')
  if (link === null) {
    const keyHash = hashOfKey(fields.get('key')?.trim() ?? '')
    const bot = keyHash === null ? null : await store.identify(keyHash, now)
    return bot === null || bot === 'suspended' ? null : { organization: bot.organization, userID: bot.botID, keyHash }
  }
  const secret = readSecret(link)
  if (secret === null) return null
  const { organization, hash } = secret
  const userID = await store.write(organization, (rows) => rows.takeLink(hash, now))
  return userID === null ? null : { organization, userID, keyHash: null }
}

function redirect(location: string, cookie?: string): ServiceResponse {
  const headers = { location, 'cache-control': 'no-store', ...(cookie === undefined ? {} : { 'set-cookie': cookie }) }
  return { status: 303, headers, body: null }
}

/** Shows the form. After a failed sign-in, shows it again with the reason. */
function signInPage(
  context: RequestContext,
  fields: URLSearchParams,
  status = 200,
  reason: string | null = null,
): ServiceResponse {
  const { siteUrl } = context
  const link = status === 401 ? null : fields.get('link')
  const keyFields = keyMarkup(siteUrl, status === 401 && !fields.has('link'))
  const body = markup`<section class="sign-in">
<h1>Sign in</h1>
${reason === null ? null : markup`<p class="alert" role="alert">${reason}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="return" value="${returnPath(fields.get('return'), siteUrl)}">
${link === null ? keyFields : markup`<p>Your link works once.</p>\n<input type="hidden" name="link" value="${link}">`}
<button class="primary"${link === null ? null : markup` autofocus`}>Sign in</button>
</form>
</section>`
  return html(context, { title: 'Sign in', body }, { status })
}

/** Draws the field for an API key, below the advice to open a link. */
function keyMarkup(siteUrl: string, isInvalid: boolean): Markup {
  return markup`<h2>People</h2>
<p>Open your sign-in link. It works once, for 15 minutes.</p>
<p class="quiet">To get one, ask the person who runs this service. The command is <code>${callFor(siteUrl)} people link EMAIL</code>, with the server's <code>DATA</code> or <code>DATABASE_URL</code>.</p>
<h2>Bots</h2>
<label for="key">API key of a bot</label>
<input id="key" name="key" type="password" dir="ltr" autocomplete="off" spellcheck="false" required placeholder="wsk_…"${isInvalid ? markup` aria-invalid="true"` : null} aria-describedby="key-help">
<p id="key-help" class="quiet">You see what the bot sees, for twelve hours.</p>`
}

/** Reads a return path: a path of this site with its query, or `/` if the value is anything else. */
export function returnPath(value: string | null, siteUrl: string): string {
  // Browsers read `//other.example` and `/\other.example` as URLs of another site.
  if (value === null || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(value)) return '/'
  const url = new URL(value, siteUrl)
  const path = url.pathname + url.search
  return url.origin === new URL(siteUrl).origin && !path.startsWith('//') ? path : '/'
}
