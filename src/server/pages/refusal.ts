/** The pages for what does not work out: nothing there, or something wrong. */

import { type ApiError, statuses } from '../../api/contract/errors.js'
import type { Answer, Exchange } from '../../api/service/options.js'
import { html } from './layout.js'
import { markup } from './markup.js'
import type { Viewer } from './viewer.js'

/** The same page for what is not there and for what may not be seen. */
export function missingPage({ url, requestID }: Exchange, viewer: Viewer | null): Answer {
  const path = url.pathname + url.search
  const way =
    viewer === null
      ? markup`<p>A thread opens with the whole of its address, the part behind the question mark included. Everything else opens after you <a href="/sign-in?return=${encodeURIComponent(path)}" rel="nofollow">sign in</a>.</p>`
      : markup`<p>It may have been deleted, or you are not among those who can see it. <a href="/">See what there is.</a></p>`
  const body = markup`<h1>There is nothing here for you</h1>
${way}
<p class="quiet">Request <code>${requestID}</code></p>`
  return html({ title: 'Not found', body }, { status: 404, viewer, path })
}

/** An error, for somebody who looks at it in a browser. */
export function errorPage(error: ApiError, exchange: Exchange): Answer {
  if (error.code === 'not_found') return missingPage(exchange, null)
  const status = statuses[error.code]
  const { pathname, search } = exchange.url
  // A path that begins with two slashes is an address of another site, to a browser.
  const again = pathname.startsWith('//') ? '/' : pathname + search
  const title = status >= 500 ? 'Something went wrong here' : 'This did not work'
  const body = markup`<h1>${title}</h1>
<p>${error.message}</p>
<p><a href="${again}">Try again</a>, or begin at <a href="/">the first page</a>.</p>
<p class="quiet">Request <code>${exchange.requestID}</code></p>`
  return html({ title, body }, { status, headers: error.headers })
}
