/** The pages that are written by hand: what all endpoints share, and what the packages say of themselves. */

import { limits } from '../../api/contract/schemas.js'
import { dialectPrompt } from '../../index.js'
import { Markup, markup } from '../pages/markup.js'
import { readmeSections } from './package-files.js'
import { codeOf, prose } from './prose.js'
import type { DocsPage, DocsSite } from './site.js'

const count = (number: number): string => number.toLocaleString('en')

export const guides: readonly DocsPage[] = [
  guide(
    '',
    'Begin here',
    (siteUrl, origin) => `A bot posts threads in channels, comments on them, and writes in chats. What it writes is
[the dialect](page:dialect-1) of a team chat; what it may do is decided by [its key](page:authentication).

\`\`\`sh
export BLOCKMARK_KEY=wsk_…
curl ${siteUrl}/api/public/ping -H "Authorization: Bearer $BLOCKMARK_KEY"
curl ${siteUrl}/api/public/postThread -H "Authorization: Bearer $BLOCKMARK_KEY" \\
  -H 'Content-Type: application/json' -d '{"channel":"deploys","blocks":["# Hello","from **curl**"]}'
\`\`\`

Every answer is JSON with \`ok\`. Where that is \`true\`, \`result\` holds what an endpoint gives; else \`error\` says
[what to change](page:errors). Fields are only ever added: ignore those that you do not know.

From TypeScript take [the client](page:client), which sends again what was lost and never posts twice. Programs read
[the OpenAPI document](${origin}/openapi.json), and people try the dialect in [the playground](${origin}/playground).`,
  ),
  guide(
    'authentication',
    'Authentication',
    (siteUrl) => `Every request carries a bot's key:

\`\`\`sh
curl ${siteUrl}/api/public/ping -H "Authorization: Bearer $BLOCKMARK_KEY"
\`\`\`

A key is \`wsk_\` and 49 letters and digits. It belongs to one bot of one organization, is shown once, when it is made, and is
stored as a hash. Whoever runs this service makes, rotates and revokes keys:

\`\`\`sh
blockmark-server keys create --organization Acme --bot Deploys
blockmark-server keys rotate KEY_ID --grace 24
blockmark-server keys revoke KEY_ID
\`\`\`

While a key is rotated the old one and the new one both work. A revoked key stops working at once. Without a key that works the
answer is 401 with \`WWW-Authenticate\`, whatever was sent.

A bot sees the public channels of its organization and the private ones and chats that it is a member of. What it does not see
answers as what is not there. Only what it posted itself can it delete.`,
  ),
  guide(
    'errors',
    'Errors and retries',
    () => `An answer that is not \`ok\` says what to change, in one sentence:

\`\`\`json
{
  "ok": false,
  "error": {
    "code": "validation_failed",
    "message": "\`blocks[1]\` is blank: leave it out or write something.",
    "requestID": "019aa5c2-7a10-7c3e-9b1d-2f6c1a4e8d57",
    "details": [{ "path": ["blocks", 1], "code": "blank", "message": "\`blocks[1]\` is blank: leave it out or write something." }]
  }
}
\`\`\`

Decide by \`code\`: codes never change, sentences may. \`details\` names every problem of a body at once. \`requestID\`, which is
also in the header \`X-Request-Id\`, is how the operator finds the request in the log.

## When to send it again

| status | what to do |
| --- | --- |
| 400, 404, 405, 413, 415, 422 | change the request; the same again fails again |
| 401, 403 | take another key, or ask who owns what you want to delete |
| 408 | send it again, without a pause in the body |
| 409 \`idempotency_in_progress\` | the first one is still under way: wait a second |
| 409, others | change the name, or send the id |
| 429, 503 | wait as many seconds as \`Retry-After\` says |
| 500, or no answer at all | send it again, after a second, two, four … |

## Idempotency-Key

A request whose answer was lost may have been done. Send the header \`Idempotency-Key\` with every POST, 1 to 255 characters of your
choice, the same whenever you repeat it: then it is done once, and every repetition within 24 hours gets the first
answer, with \`Idempotent-Replayed: true\`. Only successes are kept; an error leaves the key free. A key with another body is
422 \`idempotency_mismatch\`. Keys are a bot's own, for each endpoint, whichever of its API keys it uses.`,
  ),
  guide(
    'limits',
    'Limits',
    () => `| what | how much |
| --- | --- |
| \`blocks\` of a thread or comment | 1 to ${limits.blocks}, each of 1 to ${count(limits.blockLength)} characters, none blank |
| \`body\` of a chat message | 1 to ${count(limits.bodyLength)} characters, not blank |
| \`name\` | 1 to ${limits.name} characters, no control characters |
| \`description\` | at most ${count(limits.description)} characters |
| \`userIDs\` and \`emails\` together | at most ${count(limits.people)} |
| \`privacy\` | \`public\` or \`private\` |
| a JSON body | 8 MiB, 64 levels deep, 1,000 fields in one object |
| a file | 512 MiB, unless the operator has set another limit |

Characters are Unicode code points. Strings hold neither U+0000 nor half a character. Exactly one target is enough: \`channelID\` or
\`channel\`, \`chatID\` or \`chat\`; where both are sent they have to agree.

## Rate

A bot has 100 requests a second, with room for 200 at once, and 5 uploads a second. Every answer says in \`RateLimit\` and
\`RateLimit-Policy\` what is left. Beyond that the answer is 429, with \`Retry-After\`. Pages have a limit of their own, 20 a second
for each reader.`,
  ),
  guide(
    'lists',
    'Lists and pages',
    (
      siteUrl,
    ) => `Channels and users come whole. With \`limit\`, 1 to 1,000, they come in pages, and \`nextCursor\` beside \`result\` leads to the
next one; the last page has none:

\`\`\`sh
curl "${siteUrl}/api/public/users?limit=100" -H "Authorization: Bearer $BLOCKMARK_KEY"
curl "${siteUrl}/api/public/users?limit=100&cursor=$NEXT_CURSOR" -H "Authorization: Bearer $BLOCKMARK_KEY"
\`\`\`

A page begins behind an id, not at a number, so that nothing is listed twice when somebody is added meanwhile. Both lists
answer POST as well, since existing clients send it.`,
  ),
  guide(
    'files',
    'Files',
    (siteUrl) => `Upload first, then show the file in a message, as a block or a line of its own:

\`\`\`sh
curl ${siteUrl}/api/public/upload -H "Authorization: Bearer $BLOCKMARK_KEY" -F data=@latency.png
curl ${siteUrl}/api/public/postThread -H "Authorization: Bearer $BLOCKMARK_KEY" -H 'Content-Type: application/json' \\
  -d '{"channel":"deploys","blocks":["Before and after:","<!100007|How long answers take>"]}'
\`\`\`

The label behind the bar is the picture's text, for whoever does not see it. Images, video, pdf and text are taken; what a file is
is found from its content, not from its name. SVG and HTML are text. A bot shows the files that it uploaded or that a
message it sees shows already; any other id is 422. A file that no message shows may be removed after a day.`,
  ),
  guide(
    'urls',
    'Addresses',
    (siteUrl) => `Every \`…URL\` of an answer opens a page:

| address | what it shows | who sees it |
| --- | --- | --- |
| \`${siteUrl}/100004\` | a channel, newest thread first | its members; everybody in the organization where it is public |
| \`${siteUrl}/100005?s=…\` | a thread with its comments | whoever has the whole address |
| \`${siteUrl}/100006?s=…\` | the same, with that comment marked | whoever has the whole address |
| \`${siteUrl}/CHAT_ID\`, \`${siteUrl}/messages/CHAT_ID\` | a chat | its members |
| \`${siteUrl}/CHAT_ID/MESSAGE_ID\` | the same, with that message marked | its members |
| \`${siteUrl}/files/100007\` | a file | whoever sees a message that shows it |

The \`s\` of a thread's address is its share token: leave it in, and give the address to nobody who should not read the thread.`,
  ),
  {
    ...{ slug: 'models', title: 'For model authors', group: 'Guides' },
    draw: async (site) => markup`${await models(site)}`,
  },
  readme('library', 'The library', [
    'Which import do I need',
    'Render',
    'Write',
    'Lint',
    'The dialect',
    'unified',
    'Set-ups',
    'Stability',
  ]),
  readme('client', 'Client and testing', ['Client']),
]

function guide(slug: string, title: string, text: (siteUrl: string, origin: string) => string): DocsPage {
  return {
    slug,
    title,
    group: 'Guides',
    draw: async (site) => prose(text(site.siteUrl, site.isService ? '' : site.siteUrl), site),
  }
}

function readme(slug: string, title: string, sections: readonly string[]): DocsPage {
  return { slug, title, group: 'Packages', draw: async (site) => prose(await readmeSections(...sections), site) }
}

async function models(site: DocsSite): Promise<Markup> {
  const sections = await readmeSections('Models, Markdown and Slack')
  return markup`${prose(
    `A model writes either the dialect, because it was told how, or CommonMark, which every model does best, and which is converted.

## Tell it the dialect

\`dialectPrompt\` of \`blockmark\` teaches it in ${count(dialectPrompt.length)} characters, for a system prompt. Each of its examples reads as it says, which a test holds:`,
    site,
  )}
${new Markup(codeOf(dialectPrompt, null))}
${prose(
  `## Post while it writes

\`sendStream\` of the client posts what a model writes while it writes, in messages that are settled; a second call after a crash
repeats none. \`reader\` is \`createStream()\` for the dialect, or \`createMarkdownStream()\` for CommonMark:

\`\`\`ts
import { createClient } from 'blockmark/client'
import { createMarkdownStream } from 'blockmark/markdown'

const bot = createClient({ baseUrl: '${site.siteUrl}', apiKey: process.env.BLOCKMARK_KEY ?? '' })
await bot.sendStream({ threadID, source: answer, id: \`answer \${questionID}\`, reader: createMarkdownStream() })
\`\`\`

`,
  site,
)}
${prose(sections, site)}`
}
