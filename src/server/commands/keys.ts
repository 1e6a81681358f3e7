/** `blockmark-server keys`: the API keys of bots. */

import { text } from 'node:stream/consumers'
import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { databaseOf } from '../backend.js'
import { createBotKey, listKeys, organizationOfKey, revokeKey, rotateKey } from '../operator/keys.js'
import { type Operator, rowsOption, withBackend, withOrganization, writeRows } from './backend.js'

/** The time for which an old API key works next to its successor. */
const GRACE_HOURS = '24'

export const command: Command = defineCommand({
  operands: '[list|create|rotate ID|revoke ID|revoke -]',
  examples: [
    'blockmark-server keys create --organization Acme --bot Deploys',
    'blockmark-server keys rotate 7 --grace 1',
  ],
  options: {
    organization: { value: 'NAME', help: 'the organization; needed by create, and by list if there are several' },
    bot: { value: 'NAME', help: 'the bot for which create makes an API key' },
    ...rowsOption,
    grace: { value: 'HOURS', help: `hours for which rotate lets the old API key work (default ${GRACE_HOURS})` },
  },
  notes: `Without an action, it lists them. create adds a missing organization or bot, prints the API key alone on
standard output, and names the database on standard error. revoke - reads an API key from standard
input.`,
  run: async ({ values: { organization, bot, json, grace = GRACE_HOURS }, operands }) => {
    const [action, id, ...rest] = operands
    if (rest[0] !== undefined) throw new UsageError(`unexpected word after keys ${action}: ${rest[0]}`)
    if (action === 'create') return create(organization, bot)
    if (action === 'list' || action === undefined) return list(organization, json)
    if (id === undefined && (action === 'rotate' || action === 'revoke')) {
      throw new UsageError(`keys ${action} needs the ID of an API key: see blockmark-server keys list`)
    }
    if (action === 'rotate' && id !== undefined) return rotate(organization, id, grace)
    if (action === 'revoke' && id !== undefined) return revoke(organization, id)
    throw new UsageError(`unknown action ${action}: choose list, create, rotate, revoke`)
  },
})

async function create(organization: string | undefined, bot: string | undefined): Promise<void> {
  if (organization === undefined || bot === undefined)
    throw new UsageError('keys create needs --organization and --bot')
  await withBackend(async ({ config, database, siteUrl }) => {
    const created: string[] = []
    const key = await createBotKey(database, { organization, bot, siteUrl, onCreate: (what) => created.push(what) })
    const additions = created.length === 0 ? '' : `; added ${created.join(' and ')}`
    process.stderr.write(`database: ${databaseOf(config)}${additions}\n`)
    await write(`${key}\n`)
  })
}

async function list(name: string | undefined, isJson: boolean): Promise<void> {
  await withOrganization(name, async ({ database }, { organization }) => {
    const keys = await listKeys(database.run, organization)
    await writeRows(keys, isJson, ({ id, bot, createdAt, expiresAt }) => [
      ...[id, bot, `created ${createdAt.toISOString()}`],
      expiresAt === null ? '' : `ends ${expiresAt.toISOString()}`,
    ])
  })
}

async function rotate(name: string | undefined, id: string, grace: string): Promise<void> {
  const hours = Number(grace)
  if (!/^\d+(\.\d+)?$/.test(grace)) throw new UsageError(`--grace is not a number of hours: ${grace}`)
  await withKey(name, id, async ({ database }, organization) => {
    const end = new Date(Date.now() + hours * 60 * 60 * 1000)
    const key = await rotateKey(database, organization, id, end)
    process.stderr.write(`the API key ${id} works until ${end.toISOString()}; its successor:\n`)
    await write(`${key}\n`)
  })
}

async function revoke(name: string | undefined, given: string): Promise<void> {
  const key = given === '-' ? (await text(process.stdin)).trim() : given
  await withKey(name, key, async ({ database }, organization) => {
    await revokeKey(database, organization, key)
    // The key itself is not repeated.
    await write(/^\d+$/.test(key) ? `revoked the API key ${key}\n` : 'revoked the API key\n')
  })
}

/** Finds the organization of an API key, unless it is named. */
async function withKey(
  name: string | undefined,
  key: string,
  work: (operator: Operator, organization: string) => Promise<void>,
): Promise<void> {
  if (name !== undefined) return withOrganization(name, (operator, { organization }) => work(operator, organization))
  await withBackend(async (operator) => work(operator, await organizationOfKey(operator.database.run, key)))
}
