/**
 * The operator's commands. Each action is an entry of a table: its name with its operands, and a function that returns
 * the output. Actions use the database and the files of the server, with the same settings.
 */

import { type Command, defineCommand, type Options, type ParsedArguments } from '../../terminal/command.js'
import { Failure, UsageError } from '../../terminal/errors.js'
import { readMessage } from '../../terminal/input.js'
import { write } from '../../terminal/output.js'
import { countWithNoun, formatTable } from '../../terminal/table.js'
import { type Access, type Backend, databaseSettingOf, openBackend } from '../backend.js'
import { type Config, readConfig, siteUrlOf } from '../config.js'
import { clockNote, SKEW_MILLISECONDS_MAX } from '../operation-pages.js'
import * as keyring from '../operator/keys.js'
import * as members from '../operator/members.js'
import * as registry from '../operator/organizations.js'
import { findPost, removePost } from '../operator/posts.js'
import { exportTo, importFrom, readManifest } from '../operator/transfer.js'
import { program } from '../program.js'
import type { Run } from '../store/database.js'
import { stateOf } from '../store/index.js'
import { migrations, versionOf } from '../store/migrate.js'

/** The output of an action: a line of text, or rows. */
type Output = string | readonly object[]

type Action = (operator: Operator, ...operands: string[]) => Promise<Output>

const organizationOption = {
  organization: { value: 'NAME', help: 'the organization; needed if there are several' },
}
const rowsOption = { json: { help: 'print the rows as JSON, with the names of their fields' } }
const removalOption = { yes: { help: 'remove without asking' } }

export const organizations: Command = defineActions('organizations', {
  examples: ['blockmark-server organizations add Acme', 'blockmark-server organizations remove --yes Acme'],
  options: { ...removalOption, ...rowsOption },
  notes: `Without an action, it lists them. Names are unique without regard to case. The API keys and sessions of
a suspended organization do not work until resume; links to its threads still open.`,
  actions: {
    async list({ database }) {
      const all = await registry.organizations(database.run)
      return all.map(({ organization, name, isSuspended }) => ({
        ...{ name, state: isSuspended ? 'suspended' : 'active', id: organization },
      }))
    },
    async 'add NAME'({ change }, name) {
      await change((run) => registry.addOrganization(run, name))
      return `added the organization ${name}`
    },
    async 'rename NAME NEW'({ change }, name, next) {
      await change((run) => registry.renameOrganization(run, name, next))
      return `renamed the organization ${name} to ${next}`
    },
    async 'suspend NAME'({ database }, name) {
      await registry.suspendOrganization(database.run, name, true)
      return `suspended the organization ${name}: its API keys and sessions do not work until resume`
    },
    async 'resume NAME'({ database }, name) {
      await registry.suspendOrganization(database.run, name, false)
      return `resumed the organization ${name}`
    },
    async 'remove NAME'({ database, contents, confirm }, name) {
      const organization = await registry.organizationNamed(database.run, name)
      await confirm(`${organization.name} with all of its messages and files`)
      await registry.removeOrganization(database, contents, organization.organization)
      return `removed the organization ${organization.name} with all of its messages and files`
    },
  },
})

/** Default hours for which an old API key works next to its successor. */
const GRACE_HOURS = '24'

export const keys: Command = defineActions('keys', {
  examples: [
    'blockmark-server keys create --organization Acme --bot Deploys',
    'blockmark-server keys rotate 100002 --grace 1',
  ],
  options: {
    organization: { value: 'NAME', help: 'the organization; needed by create, and if there are several' },
    bot: { value: 'NAME', help: 'the bot for which create makes an API key' },
    ...rowsOption,
    grace: { value: 'HOURS', help: `hours for which rotate lets the old API key work (default ${GRACE_HOURS})` },
  },
  notes: `Without an action, it lists them: ID, bot, creation and end. create adds a missing organization or bot,
prints the API key alone on standard output, and names the database on standard error.`,
  actions: {
    list: ({ ofOrganization }) => ofOrganization(keyring.listKeys),
    async create({ config, change, siteUrl, option }) {
      const [organization, bot] = [option('organization'), option('bot')]
      if (organization === undefined || bot === undefined) {
        throw new UsageError('keys create needs --organization and --bot')
      }
      const { key, added } = await change((run) => keyring.createBotKey(run, { organization, bot, siteUrl }))
      note(`database: ${databaseSettingOf(config)}${added.length === 0 ? '' : `; added ${added.join(' and ')}`}`)
      return key
    },
    async 'rotate ID'({ inOrganization, option }, id) {
      const grace = option('grace') ?? GRACE_HOURS
      if (!/^\d+(\.\d+)?$/.test(grace)) throw new UsageError(`--grace is not a number of hours: ${grace}`)
      const end = new Date(Date.now() + Number(grace) * 60 * 60 * 1000)
      const key = await inOrganization((run, organization) => keyring.rotateKey(run, organization, id, end))
      note(`the API key ${id} works until ${end.toISOString()}; its successor:`)
      return key
    },
    async 'revoke ID'({ inOrganization }, id) {
      await inOrganization((run, organization) => keyring.revokeKey(run, organization, id))
      return `revoked the API key ${id}`
    },
  },
})

export const bots: Command = defineActions('bots', {
  examples: ['blockmark-server bots', 'blockmark-server bots remove 100002 --organization Acme'],
  options: { ...organizationOption, ...removalOption, ...rowsOption },
  notes: `Without an action, it lists them. blockmark-server keys create adds a bot with its first API key. The
API keys of a removed bot stop working at once; its messages stay, with its name.`,
  actions: {
    list: ({ ofOrganization }) => ofOrganization((run, organization) => members.members(run, organization, true)),
    async 'remove ID'({ inOrganization, confirm }, id) {
      await confirm(`the bot ${id} with its API keys; its messages stay`)
      return `removed the bot ${await inOrganization((run, organization) => members.removeBot(run, organization, id))}`
    },
  },
})

export const people: Command = defineActions('people', {
  examples: ['blockmark-server people add "Ann Lee" ann@example.com', 'blockmark-server people link ann@example.com'],
  options: { ...organizationOption, ...removalOption, ...rowsOption },
  notes: `Without an action, it lists them. import reads CSV with the first line name,email; - is standard input.
link prints a URL that signs the person in, once and within 15 minutes. The URL starts with SITE_URL.`,
  actions: {
    list: ({ ofOrganization }) => ofOrganization((run, organization) => members.members(run, organization, false)),
    'add NAME EMAIL': (operator, name, email) => addPeople(operator, [{ name, email }]),
    async 'remove EMAIL'({ inOrganization, confirm }, email) {
      await confirm(`${email} from all channels and chats`)
      await inOrganization((run, organization) => members.removePerson(run, organization, email))
      return `removed ${email}`
    },
    'import FILE': async (operator, file) =>
      addPeople(operator, await members.readPeople((await readMessage(file)).text)),
    async 'link EMAIL'({ config, inOrganization, siteUrl }, email) {
      if (config.siteUrl === null)
        note(`the link is for a server on ${siteUrl}: if its URL is another one, set SITE_URL`)
      return inOrganization((run, organization) =>
        members.createSignInLink(run, organization, email, siteUrl, new Date()),
      )
    },
  },
})

async function addPeople({ inOrganization }: Operator, all: readonly members.Person[]): Promise<string> {
  const addedCount = await inOrganization((run, organization) => members.addPeople(run, organization, all))
  return `${addedCount} added, ${all.length - addedCount} known already; ${program} people link EMAIL lets a person sign in`
}

export const posts: Command = defineActions('posts', {
  examples: [
    'blockmark-server posts remove https://messages.example.com/100007',
    'blockmark-server posts remove --yes /100007',
  ],
  options: removalOption,
  notes: `Removes the thread, comment, chat message, channel or chat with this URL, with everything in it. It
may be of any author. This cannot be undone.`,
  actions: {
    async 'remove URL'({ config, database, confirm }, url) {
      const post = await findPost(database, url, config.siteUrl)
      const what = `the ${post.kind} ${post.id} of ${post.organization.name}`
      await confirm(`${what}, with everything in it`)
      await removePost(database, post)
      return `removed ${what}`
    },
  },
})

export const exporting: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server export backup', 'blockmark-server export --organization Acme backup'],
  options: { organization: { value: 'NAME', help: 'only this organization' } },
  notes: `Writes all organizations as they are at one moment: the rows as CSV, the files by their hash, and a
manifest. API keys are left out. Share tokens are included, so keep the folder secret.`,
  run: (call) =>
    perform('export FOLDER', call, async ({ database, contents, option }, folder) => {
      const name = option('organization')
      const only = name === undefined ? null : (await registry.organizationNamed(database.run, name)).organization
      const { rows, files } = await exportTo(database, contents, only, folder)
      return `exported ${countWithNoun(rows, 'row')} and ${countWithNoun(files, 'file')} to ${folder}`
    }),
})

export const importing: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server import backup', 'DATA=/srv/new blockmark-server import backup'],
  options: {},
  notes: `Creates the database if it does not exist, and rejects one that has organizations. Ids and URLs stay.
API keys are not in an export: create new ones with blockmark-server keys create.`,
  async run(call) {
    checkOperands('import FOLDER', call.operands)
    // The manifest is read first, so that a folder that is not an export does not create a database.
    const manifest = await readManifest(call.operands[0] ?? '')
    const run: Action = async ({ database, contents }, folder) => {
      const { rows, files } = await importFrom(database, contents, folder, manifest)
      return `imported ${countWithNoun(rows, 'row')} and ${countWithNoun(files, 'file')}; ${program} keys create makes new API keys`
    }
    await perform('import FOLDER', call, run, 'create')
  },
})

export const doctor: Command = defineCommand({
  operands: '',
  examples: ['blockmark-server doctor', 'DATABASE_URL=postgres://ann@db/messages blockmark-server doctor'],
  options: rowsOption,
  notes: 'Only reads: it neither creates a database nor upgrades one.',
  run: (call) => perform('doctor', call, examine, 'inspect'),
})

/** Checks the database, its schema and its clock. A check that fails sets the exit code. */
async function examine({ database: { run }, config }: Operator): Promise<Output> {
  const summaryQuery = `SELECT current_setting('server_version') AS version, (SELECT count(*)::int FROM organizations) AS count`
  const { rows } = await run<{ version: string; count: number }>(summaryQuery)
  const organizations = countWithNoun(rows[0]?.count ?? 0, 'organization')
  const [version, newest] = [await versionOf(run), migrations.length]
  const upgrade = `this version brings ${newest}: the next start of the server upgrades it`
  const advice = version < newest ? upgrade : `this version knows ${newest}: install a newer one`
  const { clockAhead } = await stateOf(run)
  const isClockRight = Math.abs(clockAhead) <= SKEW_MILLISECONDS_MAX
  const checks: readonly (readonly [what: string, isFine: boolean, note: string])[] = [
    ['database', true, `PostgreSQL ${rows[0]?.version} at ${databaseSettingOf(config)}, ${organizations}`],
    ['schema', version <= newest, `${version}, ${version === newest ? 'as this version needs' : advice}`],
    ['clock', isClockRight, isClockRight ? 'agrees with the clock of the database' : clockNote(clockAhead)],
  ]
  if (checks.some(([, isFine]) => !isFine)) process.exitCode = 1
  return checks.map(([what, isFine, note]) => ({ result: isFine ? 'ok' : 'FAIL', what, note }))
}

interface Actions extends Pick<Command, 'examples' | 'notes' | 'options'> {
  /** The actions by their usage, for example `add NAME EMAIL`. The first one is the default. */
  readonly actions: Readonly<Record<string, Action>>
}

/** Defines a command whose first word names an action. */
function defineActions(command: string, { actions, ...declared }: Actions): Command {
  const names = Object.keys(actions).map((usage) => usage.split(' ')[0])
  return {
    ...declared,
    operands: `[${Object.keys(actions).join('|')}]`,
    async run({ values, operands: [name = names[0], ...operands] }) {
      const [usage, action] = Object.entries(actions)[names.indexOf(name)] ?? []
      if (usage === undefined || action === undefined) {
        throw new UsageError(`unknown action ${name}: choose ${names.join(', ')}`)
      }
      await perform(`${command} ${usage}`, { values, operands }, action)
    },
  }
}

/** Opens the database, performs an action, and prints its output. A server may use the same database meanwhile. */
async function perform(
  usage: string,
  call: ParsedArguments<Options>,
  action: Action,
  access: Access = 'open',
): Promise<void> {
  checkOperands(usage, call.operands)
  const config = readConfig(process.env)
  const backend = await openBackend(config, access)
  try {
    const output = await action(operatorOf(backend, config, call), ...call.operands)
    await print(output, call.values['json'] === true)
  } finally {
    await backend.close()
  }
}

type Operator = ReturnType<typeof operatorOf>

/** Returns the object that actions use: the settings, the backend, and the options of the call. */
function operatorOf(backend: Backend, config: Config, { values }: ParsedArguments<Options>) {
  const { database } = backend
  /** Returns the value of an option, if it was given. */
  const option = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  /** Makes a change in a transaction, while no other process makes one. */
  const change = <Result>(work: (run: Run) => Promise<Result>): Promise<Result> => registry.change(database, work)
  /** Reads rows of the organization that the call names. The name is optional if there is only one organization. */
  const ofOrganization = async <Result>(work: OrganizationWork<Result>): Promise<Result> =>
    work(database.run, (await registry.organizationNamed(database.run, option('organization'))).organization)
  /** Changes the organization that the call names. Its lookup in the transaction would fail if a server of a cluster is down. */
  const inOrganization = <Result>(work: OrganizationWork<Result>): Promise<Result> =>
    ofOrganization((_, organization) => change((run) => work(run, organization)))
  /** Asks before something is removed, unless `--yes` was given. Throws if the answer is not yes. */
  const confirm = async (what: string): Promise<void> => (values['yes'] === true ? undefined : ask(what))
  const siteUrl = siteUrlOf(config, config.port)
  return { ...backend, config, siteUrl, option, change, ofOrganization, inOrganization, confirm }
}

type OrganizationWork<Result> = (run: Run, organization: string) => Promise<Result>

function checkOperands(usage: string, operands: readonly string[]): void {
  const operandNames = usage.split(' ').filter((word) => /^[A-Z]/.test(word))
  if (operands.length === operandNames.length) return
  throw new UsageError(`expected blockmark-server ${usage}`)
}

/** Asks on a terminal. Throws if the answer is not yes, or if there is no terminal. */
async function ask(what: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`this removes ${what}: repeat the command with --yes`)
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`This removes ${what}. Remove it? (yes or no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new Failure('nothing was removed')
}

/** Prints a line, or rows as a table or as JSON. */
function print(output: Output, isJson: boolean): Promise<void> {
  if (typeof output === 'string') return write(`${output}\n`)
  if (isJson) return write(`${JSON.stringify(output, null, 2)}\n`)
  const cell = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value ?? ''))
  return write(formatTable(output.map((row) => Object.values(row).map(cell))))
}

/** Writes a remark to standard error, next to a result that programs read. */
function note(text: string): void {
  process.stderr.write(`${text}\n`)
}
