/** `blockmark-server serve`: the service, until a signal stops it. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { settings } from '../config.js'
import type { RunningServer } from '../index.js'
import { callFor } from '../program.js'

/** Maximum time from a signal to the end of the process: requests in progress have 10 s, and so has PostgreSQL. */
const EXIT_MILLISECONDS = 20_000

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
    const { readConfig, serve } = await import('../index.js')
    const stopped = firstSignal()
    // The process ends even if `close` still waits, for example for PostgreSQL to read its log, or for a bucket.
    void stopped.then(() => setTimeout(() => process.exit(), EXIT_MILLISECONDS).unref())
    const server = await serve({ ...readConfig(process.env), welcome })
    try {
      await write(greeting(server, welcome))
      await stopped
    } finally {
      await server.close()
    }
  },
})

/** Resolves at the first signal, and ignores further ones: a terminal and npm may both send the same signal. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
}

function greeting({ siteUrl, first, welcome, organizations }: RunningServer, isWelcome: boolean): string {
  const ready = `blockmark is ready on ${siteUrl}, its documentation on ${siteUrl}/docs, the playground on ${siteUrl}/playground\n`
  const call = callFor(siteUrl, process.env['DATA'])
  const people = `Let a person sign in on ${siteUrl}/sign-in:
${call} people add NAME EMAIL
${call} people link EMAIL
`
  if (first !== null && welcome !== null) {
    return `${ready}The first channel, for everyone who signs in:
${welcome.channelURL}
Its first thread, for everyone with this URL:
${welcome.threadURL}
${people}The first API key, of ${first.bot} in ${first.organization}. It is shown only once:
export BLOCKMARK_URL=${siteUrl}
export BLOCKMARK_API_KEY=${first.key}
Post a thread:
curl -H "Authorization: Bearer $BLOCKMARK_API_KEY" -H 'Content-Type: application/json' -d '{"channel":"welcome","blocks":["# Hello","from **curl**"]}' $BLOCKMARK_URL/api/public/postThread
`
  }
  const [name = 'NAME', ...others] = organizations
  if (organizations.length > 0 && !isWelcome) return ready
  const reason =
    organizations.length === 0
      ? 'There is no organization yet. This creates one, with a bot and its API key:'
      : 'The database exists already. An API key is shown only when it is created. This creates another one:'
  const organization = others.length === 0 && /^[\w.-]+$/.test(name) ? name : 'NAME'
  return `${ready}${reason}
${call} keys create --organization ${organization} --bot NAME
${people}`
}
