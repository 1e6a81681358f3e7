/** `blockmark serve`: the service, until it is told to stop. */

import { once } from 'node:events'
import type { FirstKey } from '../api/operator/first-key.js'
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
  options: { welcome: { help: 'say more on the first start' } },
  notes: `Settings, from the environment:\n${settings.trimEnd()}`,
  run: async ({ operands }) => {
    if (operands[0] !== undefined)
      throw new UsageError(`serve takes no ${operands[0]}; settings come from the environment`)
    await inOneLine(async () => {
      const { readConfig, serve } = await import('../api/server/index.js')
      const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
      const server = await serve(readConfig(process.env))
      await write(greeting(server))
      await stopped
      await server.close()
    })
  },
})

function greeting({ siteUrl, first }: RunningServer): string {
  const ready = `blockmark is ready on ${siteUrl}, its documentation on ${siteUrl}/docs\n`
  return first === null ? ready : ready + introduction(siteUrl, first)
}

/** The key is shown here and never again. One line of curl makes a channel and posts a thread in it. */
function introduction(siteUrl: string, { key, organization, bot }: FirstKey): string {
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`
  const api = `${siteUrl}/api/public`
  return `The first key, of ${bot} in ${organization}; it is shown only now:
${key}
Post a thread:
curl ${headers} -d '{"name":"general"}' ${api}/createChannel --next ${headers} -d '{"channel":"general","blocks":["# Hello","from **curl**"]}' ${api}/postThread
`
}
