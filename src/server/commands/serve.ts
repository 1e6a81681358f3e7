/** `blockmark-server serve`: the service, until it is told to stop. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import type { FirstKey } from '../operator/organizations.js'
import type { Welcome } from '../operator/welcome.js'
import type { Announcement } from '../serve.js'
import { inOneLine } from './backend.js'
import { settings } from './settings.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark-server --welcome', 'PORT=8080 DATA=/srv/messages blockmark-server serve'],
  options: { welcome: { help: 'let the first start make a channel with a thread that shows what can be written' } },
  notes: settings,
  run: async ({ values: { welcome }, operands }) => {
    if (operands[0] !== undefined)
      throw new UsageError(`serve takes no ${operands[0]}; settings come from the environment`)
    await inOneLine(async () => {
      const { readConfig, serve } = await import('../index.js')
      const stopped = signalled()
      const announce = (news: Announcement): Promise<void> => write(greeting(news, welcome))
      const server = await serve({ ...readConfig(process.env), welcome, announce })
      await stopped
      await server.close()
    })
  },
})

/** A terminal and npm each pass the same signal on: every one after the first changes nothing. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
}

function greeting({ siteUrl, first, welcome, organizations }: Announcement, isWelcome: boolean): string {
  const ready = `blockmark is ready on ${siteUrl}, its documentation on ${siteUrl}/docs, the playground on ${siteUrl}/playground\n`
  if (first !== null) return ready + introduction(siteUrl, first, welcome)
  return isWelcome ? ready + reminder(siteUrl, organizations) : ready
}

/** The key is shown here and never again, so that it stands last. One line of curl posts a thread. */
function introduction(
  siteUrl: string,
  { key, organization, bot, isAnother }: FirstKey,
  welcome: Welcome | null,
): string {
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`
  const api = `${siteUrl}/api/public`
  const channel = welcome === null ? 'general' : 'welcome'
  const making = welcome === null ? `${headers} -d '{"name":"general"}' ${api}/createChannel --next ` : ''
  const pages =
    welcome === null
      ? ''
      : `The first channel, for whoever is signed in:
${welcome.channelURL}
Its first thread, for whoever has the address:
${welcome.threadURL}
`
  const why = isAnother
    ? 'The last start ended before its key was shown; that key is revoked, this is another one.\n'
    : ''
  return `${pages}Post a thread:
curl ${making}${headers} -d '{"channel":"${channel}","blocks":["# Hello","from **curl**"]}' ${api}/postThread
${why}The first key, of ${bot} in ${organization}; it is shown only now:
${key}
`
}

/** A later start has no key to show. */
function reminder(siteUrl: string, [organization = 'NAME', ...others]: readonly string[]): string {
  const name = others.length > 0 ? 'NAME' : /^[\w.-]+$/.test(organization) ? organization : JSON.stringify(organization)
  return `What the first start made is still there: sign in on ${siteUrl}/sign-in to see its channels.
A key is shown only when it is made. Another one: blockmark-server keys create --organization ${name} --bot NAME
Somebody who is to sign in: blockmark-server users add NAME EMAIL, and then blockmark-server users link EMAIL
`
}
