/** `blockmark-server keys`: the API keys of bots. */

import type { Command } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { databaseOf } from '../backend.js'
import { createBotKey, listKeys, revokeKey, rotateKey } from '../operator/keys.js'
import { organizationNamed } from '../operator/organizations.js'
import { type Action, defineActions, type Operator, rowsOption, withBackend, writeRows } from './backend.js'

/** The time for which an old API key works next to its successor. */
const GRACE_HOURS = '24'

/** The operator, and the options of the call. */
interface Scope extends Operator {
  readonly organization: string | undefined
  readonly bot: string | undefined
  readonly json: boolean
  readonly grace: string | undefined
}

const actions: Readonly<Record<string, Action<Scope>>> = {
  list: {
    operands: [],
    async run({ database, json, organization: name }) {
      const { organization } = await organizationNamed(database.run, name)
      const keys = await listKeys(database.run, organization)
      await writeRows(keys, json, ({ id, bot, createdAt, expiresAt }) => [
        ...[id, bot, `created ${createdAt.toISOString()}`],
        expiresAt === null ? '' : `ends ${expiresAt.toISOString()}`,
      ])
    },
  },
  create: {
    operands: [],
    async run({ config, database, siteUrl, organization, bot }) {
      if (organization === undefined || bot === undefined) {
        throw new UsageError('keys create needs --organization and --bot')
      }
      const created: string[] = []
      const key = await createBotKey(database, { organization, bot, siteUrl, onCreate: (what) => created.push(what) })
      const additions = created.length === 0 ? '' : `; added ${created.join(' and ')}`
      process.stderr.write(`database: ${databaseOf(config)}${additions}\n`)
      await write(`${key}\n`)
    },
  },
  rotate: {
    operands: ['ID'],
    async run({ database, organization: name, grace = GRACE_HOURS }, [id = '']) {
      if (!/^\d+(\.\d+)?$/.test(grace)) throw new UsageError(`--grace is not a number of hours: ${grace}`)
      const { organization } = await organizationNamed(database.run, name)
      const end = new Date(Date.now() + Number(grace) * 60 * 60 * 1000)
      const key = await rotateKey(database, organization, id, end)
      process.stderr.write(`the API key ${id} works until ${end.toISOString()}; its successor:\n`)
      await write(`${key}\n`)
    },
  },
  revoke: {
    operands: ['ID'],
    async run({ database, organization: name }, [id = '']) {
      const { organization } = await organizationNamed(database.run, name)
      await revokeKey(database, organization, id)
      await write(`revoked the API key ${id}\n`)
    },
  },
}

export const command: Command = defineActions('keys', {
  actions,
  examples: [
    'blockmark-server keys create --organization Acme --bot Deploys',
    'blockmark-server keys rotate 7 --grace 1',
  ],
  options: {
    organization: { value: 'NAME', help: 'the organization; needed by create, and if there are several' },
    bot: { value: 'NAME', help: 'the bot for which create makes an API key' },
    ...rowsOption,
    grace: { value: 'HOURS', help: `hours for which rotate lets the old API key work (default ${GRACE_HOURS})` },
  },
  notes: `Without an action, it lists them. create adds a missing organization or bot, prints the API key alone on
standard output, and names the database on standard error.`,
  perform: (values, work) => withBackend((operator) => work({ ...operator, ...values })),
})
