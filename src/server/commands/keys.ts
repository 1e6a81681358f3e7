/** `blockmark-server keys`: the keys of bots. */

import { text } from 'node:stream/consumers'
import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { createBotKey, listKeys, organizationOfKey, revokeKey, rotateKey } from '../operator/organizations.js'
import { type Operator, withBackend, withOrganization } from './backend.js'

/** How long an old key works beside its successor, unless it is said otherwise. */
const GRACE_HOURS = '24'

export const command: Command = defineCommand({
  operands: '[list|create|rotate ID|revoke ID|revoke -]',
  examples: [
    'blockmark-server keys create --organization Acme --bot Deploys',
    'blockmark-server keys rotate 7 --grace 1',
  ],
  options: {
    organization: { value: 'NAME', help: 'the organization; needed by create, and by list where there are several' },
    bot: { value: 'NAME', help: 'the bot that create makes a key for' },
    grace: { value: 'HOURS', help: `how long the old key works after rotate (default ${GRACE_HOURS})` },
  },
  notes: `Alone it lists them. create makes the organization and the bot where they are not there, and
prints the key alone. revoke - reads the key itself from standard input.`,
  run: async ({ values: { organization, bot, grace = GRACE_HOURS }, operands }) => {
    const [action, id, ...rest] = operands
    if (rest[0] !== undefined) throw new UsageError(`keys ${action} takes no ${rest[0]}`)
    if (action === 'create') return create(organization, bot)
    if (action === 'list' || action === undefined) return list(organization)
    if (id === undefined && (action === 'rotate' || action === 'revoke')) {
      throw new UsageError(`keys ${action} needs the ID of a key, as blockmark-server keys list shows it`)
    }
    if (action === 'rotate' && id !== undefined) return rotate(organization, id, grace)
    if (action === 'revoke' && id !== undefined) return revoke(organization, id)
    throw new UsageError('choose create, list, rotate or revoke; see blockmark-server keys --help')
  },
})

async function create(organization: string | undefined, bot: string | undefined): Promise<void> {
  if (organization === undefined || bot === undefined)
    throw new UsageError('keys create needs --organization and --bot')
  await withBackend(async ({ database, siteUrl }) => {
    await write(`${await createBotKey(database, { organization, bot, siteUrl })}\n`)
  })
}

async function list(name: string | undefined): Promise<void> {
  await withOrganization(name, async ({ database }, { organization }) => {
    const keys = await listKeys(database.run, organization)
    const rows = keys.map(({ id, bot, createdAt, expiresAt }) => [
      ...[id, bot, `made ${createdAt.toISOString()}`],
      expiresAt === null ? '' : `ends ${expiresAt.toISOString()}`,
    ])
    await write(table(rows))
  })
}

async function rotate(name: string | undefined, id: string, grace: string): Promise<void> {
  const hours = Number(grace)
  if (!/^\d+(\.\d+)?$/.test(grace)) throw new UsageError(`--grace: expected a number of hours, received ${grace}`)
  await withKey(name, id, async ({ database }, organization) => {
    const end = new Date(Date.now() + hours * 60 * 60 * 1000)
    await write(`${await rotateKey(database, organization, id, end)}\n`)
  })
}

async function revoke(name: string | undefined, given: string): Promise<void> {
  const key = given === '-' ? (await text(process.stdin)).trim() : given
  await withKey(name, key, ({ database }, organization) => revokeKey(database, organization, key))
}

/** A key says which organization it is of, so that nobody has to. */
async function withKey(
  name: string | undefined,
  key: string,
  work: (operator: Operator, organization: string) => Promise<void>,
): Promise<void> {
  if (name !== undefined) return withOrganization(name, (operator, { organization }) => work(operator, organization))
  await withBackend(async (operator) => work(operator, await organizationOfKey(operator.database.run, key)))
}
