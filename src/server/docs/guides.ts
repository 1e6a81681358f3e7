/** The pages that are written by hand: the rules that all endpoints share, the packages, and the use with models. */

import { limits } from '../../api/contract/schemas.js'
import { dialectPrompt } from '../../index.js'
import { Markup, markup } from '../pages/markup.js'
import { readPackageFile } from './package-files.js'
import { codeOf, prose } from './prose.js'
import type { DocsPage, DocsSite } from './site.js'

const count = (number: number): string => number.toLocaleString('en')

/** The packages are not on npm yet. */
const install = `\`\`\`sh
# In a clone of blockmark: writes both packages into ../packages.
npm ci && npm run pack -- ../packages
# In your project:
npm install ../packages/blockmark-[0-9]*.tgz
\`\`\``

export const guides: readonly DocsPage[] = [
  guide(
    '',
    'Begin here',
    (siteUrl, origin) => `A bot posts threads in channels, comments on threads, and writes in chats. It writes
[the dialect](page:dialect-1), and its [API key](page:authentication) decides what it may do.

\`\`\`sh
export BLOCKMARK_URL=${siteUrl}
export BLOCKMARK_API_KEY=wsk_…
curl ${siteUrl}/api/public/ping -H "Authorization: Bearer $BLOCKMARK_API_KEY"
\`\`\`

\`\`\`sh
curl ${siteUrl}/api/public/postThread \\
  -H "Authorization: Bearer $BLOCKMARK_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"channel":"welcome","blocks":["# Hello","from **curl**"]}'
\`\`\`

Every response is JSON with \`ok\`. If it is \`true\`, \`result\` has the fields that the endpoint returns. Otherwise \`error\` says
[what to change](page:errors). Fields are only ever added: ignore fields that you do not know.

The channel \`welcome\` exists on a service that was started with \`--welcome\`. The examples of [the endpoints](page:endpoints)
name ids by variables: \`$THREAD_ID\` is the \`threadID\` of an earlier response, \`$USER_ID\` is a \`userID\` of [users](page:endpoints-organization#users).

**There are no events.** Bots only write: the service calls no webhook, and no endpoint reads messages back.

## Install

The packages are not on npm yet. They need Node.js 20.19 or newer and install from a clone:

${install}

From TypeScript, use [the client](page:client): it repeats lost requests and never posts twice. Programs read
[the OpenAPI document](${origin}/openapi.json), and people try the dialect in [the playground](${origin}/playground).`,
  ),
  guide(
    'authentication',
    'Authentication',
    (siteUrl) => `Every request carries an API key of a bot:

\`\`\`sh
curl ${siteUrl}/api/public/ping -H "Authorization: Bearer $BLOCKMARK_API_KEY"
\`\`\`

An API key is \`wsk_\`, 43 random characters and a 6-character checksum. It belongs to one bot of one organization. It is shown
once, when it is created; only its hash is stored. The operator creates, rotates and revokes API keys:

\`\`\`sh
blockmark-server keys create --organization Acme --bot Deploys
blockmark-server keys rotate KEY_ID --grace 24
blockmark-server keys revoke KEY_ID
\`\`\`

During a rotation the old and the new API key both work. A revoked API key stops working at once. A request without an API key
that works gets 401 with \`WWW-Authenticate\`, whatever else it contains.

A bot sees the public channels of its organization, and the private channels and chats that it is a member of. Everything else
is reported as not found. A bot can delete only its own posts, channels and chats.`,
  ),
  guide(
    'errors',
    'Errors and retries',
    () => `A response that is not \`ok\` says what to change, in one sentence:

\`\`\`json
{
  "ok": false,
  "error": {
    "code": "validation_failed",
    "message": "\`blocks[1]\` is blank: leave it out or write something.",
    "requestID": "019aa5c2-7a10-7c3e-9b1d-2f6c1a4e8d57",
    "details": [{ "path": ["blocks", 1], "code": "blocks/blank", "message": "\`blocks[1]\` is blank: leave it out or write something." }]
  }
}
\`\`\`

Decide by \`code\`: codes never change, sentences may. \`details\` lists every problem of the body at once. The operator finds the
request in the log by \`requestID\`, which is also in the header \`X-Request-Id\`.

## When to send it again

| Status | Action |
| --- | --- |
| 400, 404, 405, 413, 415, 422 | Change the request; the same request fails again. |
| 401, 403 | Use another API key, or ask the bot that owns the object to delete it. |
| 408 | Send it again, without a pause in the body. |
| 409 \`idempotency_in_progress\` | Wait a second: the first request is still running. |
| 409, others | Change the name, or send the id. |
| 429, 503 | Wait for the number of seconds in \`Retry-After\`. |
| 500, or no response | Send it again after 1, 2, 4 … seconds. |

## Idempotency-Key

A request may have been done even if its response was lost. Send the header \`Idempotency-Key\` with every POST: 1 to 255
characters of your choice, the same for each repetition. The request is then done once. Every repetition within 24 hours gets
the first response, with \`Idempotent-Replayed: true\`. Only successes are kept; an error leaves the idempotency key free. An
idempotency key with another body is 422 \`idempotency_mismatch\`. Each bot has its own idempotency keys for each endpoint,
whichever of its API keys it uses.`,
  ),
  guide(
    'limits',
    'Limits',
    () => `| Field | Limit |
| --- | --- |
| \`blocks\` of a thread or comment | 1 to ${limits.blocks}, each of 1 to ${count(limits.blockLength)} characters, none blank |
| \`body\` of a chat message | 1 to ${count(limits.bodyLength)} characters, not blank |
| \`name\` | 1 to ${limits.name} characters, no control characters |
| \`description\` | at most ${count(limits.description)} characters |
| \`userIDs\` and \`emails\` together | at most ${count(limits.people)} |
| \`privacy\` | \`public\` or \`private\` |
| a JSON body | 8 MiB, 64 levels deep, 1,000 fields in one object |
| a file | 512 MiB, unless the operator has set another limit |

Characters are Unicode code points. Strings contain neither U+0000 nor a lone surrogate. Send one target: \`channelID\` or
\`channel\`, \`chatID\` or \`chat\`. If you send both, they must match.

## Rate

A bot may send 100 requests a second, with a burst of 200, and 5 uploads a second. Each response says in \`RateLimit\` and
\`RateLimit-Policy\` how many are left. Beyond that the response is 429 with \`Retry-After\`. Pages have their own limit, 20 a
second for each reader.`,
  ),
  guide(
    'lists',
    'Lists and pages',
    (siteUrl) => `The lists of channels and users are complete. With \`limit\`, 1 to 1,000, they come in pages:

\`\`\`sh
curl "${siteUrl}/api/public/users?limit=100" -H "Authorization: Bearer $BLOCKMARK_API_KEY"
\`\`\`

If there are more, the response has \`nextCursor\` next to \`result\`. Send it as \`cursor\`, for example
\`?limit=100&cursor=MTAwMDAx\`. A page starts after an id, not at a number, so additions in the meantime repeat nothing.
Both lists answer POST as well, because existing clients send it.`,
  ),
  guide(
    'files',
    'Files in messages',
    (siteUrl) => `Upload a file first, then show it in a message, as a block or on its own line:

\`\`\`sh
curl ${siteUrl}/api/public/upload \\
  -H "Authorization: Bearer $BLOCKMARK_API_KEY" -F data=@latency.png
\`\`\`

\`\`\`sh
curl ${siteUrl}/api/public/postThread \\
  -H "Authorization: Bearer $BLOCKMARK_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"channel":"welcome","blocks":["Before and after:","<!'$FILE_ID'|Response times>"]}'
\`\`\`

The label after the bar is the picture's text for readers who cannot see it. Images, video, PDF and text are accepted; the
content decides the type, not the name. SVG and HTML count as text. A bot can show files that it uploaded, and files of
messages that it can see; any other id is 422. A file that no message shows may be removed after a day.`,
  ),
  guide(
    'urls',
    'URLs of pages',
    (siteUrl) => `Every \`…URL\` of a response opens a page:

| URL | Page | Readers |
| --- | --- | --- |
| \`${siteUrl}/100004\` | a channel, newest thread first | its members; everyone in the organization if it is public |
| \`${siteUrl}/100005?s=…\` | a thread with its comments | everyone who has the whole URL |
| \`${siteUrl}/100006?s=…\` | the same, with that comment marked | everyone who has the whole URL |
| \`${siteUrl}/CHAT_ID\`, \`${siteUrl}/messages/CHAT_ID\` | a chat | its members |
| \`${siteUrl}/CHAT_ID/MESSAGE_ID\` | the same, with that message marked | its members |
| \`${siteUrl}/files/100007\` | a file | readers of a message that shows it |

The \`s\` in the URL of a thread is its share token. Keep it in the URL, and give the URL only to people who may read the thread.`,
  ),
  {
    ...{ slug: 'models', title: 'For model authors', group: 'Guides' },
    draw: async (site) => markup`${prose(
      `A model writes either the dialect, because its prompt describes it, or CommonMark, which is then converted.

## Describe the dialect

\`dialectPrompt\` of \`blockmark\` describes it in ${count(dialectPrompt.length)} characters, for a system prompt. A test reads each of its examples:`,
      site,
    )}
${new Markup(codeOf(dialectPrompt, null))}
${prose(models(site.siteUrl), site)}`,
  },
  {
    ...{ slug: 'library', title: 'The library', group: 'Packages' },
    // Everything from the first heading on: the lines before it are for readers of the repository.
    draw: async (site) => prose((await readPackageFile('README.md')).replace(/^.*?(?=^## )/ms, ''), site),
  },
  guide('client', 'Client and testing', client, 'Packages'),
]

function guide(
  slug: string,
  title: string,
  text: (siteUrl: string, origin: string) => string,
  group: string = 'Guides',
): DocsPage {
  const draw = async (site: DocsSite): Promise<Markup> =>
    prose(text(site.siteUrl, site.isService ? '' : site.siteUrl), site)
  return { slug, title, group, draw }
}

function models(siteUrl: string): string {
  return `## Convert CommonMark

\`fromMarkdown\` reads CommonMark and GFM, tables and formulas included. It reports each construct that the dialect lacks:

\`\`\`ts
import { fromMarkdown } from 'blockmark/markdown'

const { tree, messages } = fromMarkdown('1. **First** step')
await bot.postThread({ channel: 'welcome', blocks: tree })
\`\`\`

## Post while it writes

\`sendStream\` of [the client](page:client) posts a model's output while it arrives, in messages that never change afterwards.
\`reader\` is \`createStream()\` for the dialect or \`createMarkdownStream()\` for CommonMark:

\`\`\`ts
import { createClient } from 'blockmark/client'
import { createMarkdownStream } from 'blockmark/markdown'

const bot = createClient({ baseUrl: '${siteUrl}', apiKey: process.env.BLOCKMARK_API_KEY ?? '' })
await bot.sendStream(
  { threadID, source: output, reader: createMarkdownStream() },
  { idempotencyKey: \`output \${questionID}\` },
)
\`\`\`

A second call with the same text and idempotency key posts only the rest. A model that is asked again writes another text, so
append its output to a file as it arrives; after a crash, send the file's text and continue from there.`
}

function client(siteUrl: string): string {
  return `The client has a method for each endpoint. It repeats a request that got no response, 429 or 5xx, for up to 30 seconds, and
never posts twice. Install it from a clone:

${install}

\`\`\`ts
import { md } from 'blockmark'
import { createClient } from 'blockmark/client'

const bot = createClient({ baseUrl: '${siteUrl}', apiKey: process.env.BLOCKMARK_API_KEY ?? '' })
const { threadURL } = await bot.postThread({ channel: 'welcome', blocks: md\`**v7** is out\` })
\`\`\`

\`blocks\` and \`body\` take Markdown of the dialect, a tree, or an array of both. They are checked before anything is sent.

## Repeat a call safely

Each call has its own idempotency key and keeps it over all retries. To repeat a call after a crash, choose the idempotency key
yourself, for the upload too:

\`\`\`ts
const { fileID } = await bot.upload('build.log', { idempotencyKey: 'log of build 7' })
await bot.postThread(
  { channel: 'welcome', blocks: [\`<!\${fileID}|build.log>\`] },
  { idempotencyKey: 'build 7' },
)
\`\`\`

\`sendAll\` posts a text that needs several messages; [\`sendStream\`](page:models#post-while-it-writes) posts a text while it arrives.

## From the shell

\`blockmark post\`, \`message\` and \`upload\` read \`BLOCKMARK_URL\` and \`BLOCKMARK_API_KEY\`.

## Test a bot

\`createTestService\` is the real handler with a store in memory: no port, no file, no process. It can lose responses and fail:

\`\`\`ts
import { createTestService } from 'blockmark/testing'

const service = createTestService({ channels: ['welcome'] })
const bot = createClient({ apiKey: service.apiKey, fetch: service.fetch, baseUrl: service.baseUrl })
service.lose(1, { endpoint: 'postThread' })
await bot.postThread({ channel: 'welcome', blocks: 'Hello' })
expect(service.threads).toHaveLength(1)
\`\`\``
}
