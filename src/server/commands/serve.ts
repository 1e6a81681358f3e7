/** `blockmark-server serve`: the service, until a signal stops it. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import type { FirstKey } from '../operator/keys.js'
import type { Welcome } from '../operator/welcome.js'
import type { Announcement } from '../serve.js'
import { inOneLine } from './backend.js'
import { settings } from './settings.js'

const EXIT_MILLISECONDS = 1000

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark-server --welcome', 'PORT=8080 DATA=/srv/messages blockmark-server serve'],
  options: { welcome: { help: 'let the first start create a channel with a thread that shows the dialect' } },
  notes: settings,
  run: async ({ values: { welcome }, operands }) => {
    if (operands[0] !== undefined)
      throw new UsageError(`unexpected word after serve: ${operands[0]}; settings are environment variables`)
    await inOneLine(async () => {
      const { readConfig, serve } = await import('../index.js')
      const stopped = signaled()
      const announce = (news: Announcement): Promise<void> => write(greeting(news, welcome))
      const server = await serve({ ...readConfig(process.env), welcome, announce })
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

function greeting({ siteUrl, first, welcome, organizations }: Announcement, isWelcome: boolean): string {
  const ready = `blockmark is ready on ${siteUrl}, its documentation on ${siteUrl}/docs, the playground on ${siteUrl}/playground\n`
  if (first !== null) return ready + introduction(siteUrl, first, welcome)
  return isWelcome ? ready + reminder(siteUrl, organizations) : ready
}

/** The API key is shown here and never again. The commands post a first thread. */
function introduction(
  siteUrl: string,
  { key, organization, bot, isAnother }: FirstKey,
  welcome: Welcome | null,
): string {
  const headers = `-H "Authorization: Bearer $BLOCKMARK_API_KEY" -H 'Content-Type: application/json'`
  const api = '$BLOCKMARK_URL/api/public'
  const channel = welcome === null ? 'general' : 'welcome'
  const making = welcome === null ? `${headers} -d '{"name":"general"}' ${api}/createChannel --next ` : ''
  const pages =
    welcome === null
      ? ''
      : `The first channel, for everyone who signs in:
${welcome.channelURL}
Its first thread, for everyone with this URL:
${welcome.threadURL}
`
  const why = isAnother
    ? 'The last start ended before its API key was shown: that key is revoked, and this is a new one.\n'
    : ''
  return `${pages}${why}The first API key, of ${bot} in ${organization}. It is shown only once:
export BLOCKMARK_URL=${siteUrl}
export BLOCKMARK_API_KEY=${key}
Post a thread:
curl ${making}${headers} -d '{"channel":"${channel}","blocks":["# Hello","from **curl**"]}' ${api}/postThread
`
}

/** A later start has no API key to show. */
function reminder(siteUrl: string, [organization = 'NAME', ...others]: readonly string[]): string {
  const name = others.length > 0 ? 'NAME' : /^[\w.-]+$/.test(organization) ? organization : JSON.stringify(organization)
  return `The database exists already: sign in on ${siteUrl}/sign-in to see its channels.
An API key is shown only when it is created. Create another one: blockmark-server keys create --organization ${name} --bot NAME
Let a person sign in: blockmark-server people add NAME EMAIL, then blockmark-server people link EMAIL
`
}
