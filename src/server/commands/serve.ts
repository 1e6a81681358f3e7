/** `blockmark-server serve`: the service, until a signal stops it. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { settings } from '../config.js'
import type { FirstKey } from '../operator/keys.js'
import type { Welcome } from '../operator/welcome.js'
import { program } from '../program.js'
import type { Announcement } from '../serve.js'
import { inOneLine } from './backend.js'

const EXIT_MILLISECONDS = 1000

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark-server --welcome', 'PORT=8080 DATA=/srv/messages blockmark-server serve'],
  options: {
    welcome: { help: 'create an organization, a bot, an API key and a first thread in an empty database' },
  },
  notes: settings,
  run: async ({ values: { welcome }, operands }) => {
    if (operands[0] !== undefined)
      throw new UsageError(`unexpected word after serve: ${operands[0]}; settings are environment variables`)
    await inOneLine(async () => {
      const { readConfig, serve } = await import('../index.js')
      const stopped = signaled()
      const server = await serve({
        ...readConfig(process.env),
        welcome,
        showKey: (first, siteUrl) => write(introduction(first, siteUrl)),
        announce: (news) => write(greeting(news, welcome)),
      })
      await stopped
      await server.close()
      // Requests to a bucket that does not respond would keep the process for a minute.
      setTimeout(() => process.exit(), EXIT_MILLISECONDS).unref()
    })
  },
})

/** Resolves at the first signal. A terminal and npm may both send the same one. */
function signaled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
}

/** The API key is shown here and never again. */
function introduction({ key, organization, bot }: FirstKey, siteUrl: string): string {
  return `The first API key, of ${bot} in ${organization}. It is shown only once:
export BLOCKMARK_URL=${siteUrl}
export BLOCKMARK_API_KEY=${key}
`
}

function greeting(news: Announcement, isWelcome: boolean): string {
  const { siteUrl, welcome, organizations } = news
  const ready = `blockmark is ready on ${siteUrl}, its documentation on ${siteUrl}/docs, the playground on ${siteUrl}/playground\n`
  const call = callFor(siteUrl)
  const people = `Let a person sign in on ${siteUrl}/sign-in:
${call} people add NAME EMAIL
${call} people link EMAIL
`
  if (organizations.length === 0) {
    return `${ready}There is no organization yet. This creates one, with a bot and its API key:
${call} keys create --organization NAME --bot NAME
${people}`
  }
  if (!isWelcome) return ready
  return ready + (welcome === null ? reminder(call, organizations) : tour(welcome)) + people
}

/** A call that works in any shell, except for the secrets in DATABASE_URL: it names the settings that are not the default. */
function callFor(siteUrl: string): string {
  const { DATA } = process.env
  const settings = [
    ...(DATA ? [`DATA=${/^[\w./-]+$/.test(DATA) ? DATA : `'${DATA.replaceAll("'", String.raw`'\''`)}'`}`] : []),
    ...(siteUrl === DEFAULT_URL ? [] : [`SITE_URL=${siteUrl}`]),
  ]
  return [...settings, program].join(' ')
}

const DEFAULT_URL = 'http://127.0.0.1:3000'

/** The pages of the first start, and a command that posts a second thread. */
function tour({ channelURL, threadURL }: Welcome): string {
  return `The first channel, for everyone who signs in:
${channelURL}
Its first thread, for everyone with this URL:
${threadURL}
Post a thread:
curl -H "Authorization: Bearer $BLOCKMARK_API_KEY" -H 'Content-Type: application/json' -d '{"channel":"welcome","blocks":["# Hello","from **curl**"]}' $BLOCKMARK_URL/api/public/postThread
`
}

/** A later start has no API key to show. */
function reminder(call: string, [organization = 'NAME', ...others]: readonly string[]): string {
  const name = others.length > 0 ? 'NAME' : /^[\w.-]+$/.test(organization) ? organization : JSON.stringify(organization)
  return `The database exists already. An API key is shown only when it is created. Create another one:
${call} keys create --organization ${name} --bot NAME
`
}
