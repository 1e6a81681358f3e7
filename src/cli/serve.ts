/** `blockmark serve`: the service, until it is told to stop. */

import type { FirstKey } from '../api/operator/first-key.js'
import type { Welcome } from '../api/operator/welcome.js'
import { variables } from '../api/server/config.js'
import type { RunningServer } from '../api/server/serve.js'
import { inOneLine } from './backend.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { write } from './output.js'

const width: number = Math.max(...variables.map(({ name }) => name.length))

const settings: string = variables
  .map(
    ({ name, help, default: value }) =>
      `  ${name.padEnd(width)}  ${help}${value === '' ? '' : ` (default ${value})`}\n`,
  )
  .join('')

export const command: Command = defineCommand({
  operands: '',
  options: { welcome: { help: 'let the first start make a channel with a thread that shows what can be written' } },
  notes: `Settings, from the environment:\n${settings.trimEnd()}`,
  run: async ({ values: { welcome }, operands }) => {
    if (operands[0] !== undefined)
      throw new UsageError(`serve takes no ${operands[0]}; settings come from the environment`)
    await inOneLine(async () => {
      const { readConfig, serve } = await import('../api/server/index.js')
      const stopped = signalled()
      const server = await serve(readConfig(process.env), { welcome })
      await write(greeting(server))
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

function greeting({ siteUrl, first, welcome }: RunningServer): string {
  const ready = `blockmark is ready on ${siteUrl}, its documentation on ${siteUrl}/docs, the playground on ${siteUrl}/playground\n`
  return first === null ? ready : ready + introduction(siteUrl, first, welcome)
}

/** The key is shown here and never again. One line of curl posts a thread, and makes the channel for it first. */
function introduction(siteUrl: string, { key, organization, bot }: FirstKey, welcome: Welcome | null): string {
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
  return `The first key, of ${bot} in ${organization}; it is shown only now:
${key}
${pages}Post a thread:
curl ${making}${headers} -d '{"channel":"${channel}","blocks":["# Hello","from **curl**"]}' ${api}/postThread
`
}
