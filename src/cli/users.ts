/** `blockmark users`: the people of an organization. */

import { readPeople } from '../api/operator/csv.js'
import { createSignInLink } from '../api/operator/links.js'
import { addPeople, members, removePerson } from '../api/operator/organizations.js'
import { inOneLine, table, withOrganization } from './backend.js'
import { botNotes, botOptions, withBot } from './bot.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { readMessage } from './input.js'
import { write } from './output.js'

type Action = (organization: string | undefined, operands: readonly string[]) => Promise<void>

/** What stands behind each action, and what it does. */
const actions: Readonly<Record<string, { readonly operands: readonly string[]; readonly run: Action }>> = {
  add: {
    operands: ['NAME', 'EMAIL'],
    run: (organization, [name = '', email = '']) => add(organization, [{ name, email }]),
  },
  list: { operands: [], run: (organization) => list(organization) },
  remove: { operands: ['EMAIL'], run: (organization, [email = '']) => remove(organization, email) },
  import: {
    operands: ['FILE'],
    run: async (organization, [file = '']) => {
      const { text } = await readMessage(file)
      await inOneLine(async () => add(organization, readPeople(text)))
    },
  },
  link: { operands: ['EMAIL'], run: (organization, [email = '']) => link(organization, email) },
}

export const command: Command = defineCommand({
  operands: '[add NAME EMAIL|list|remove EMAIL|import FILE|link EMAIL]',
  options: {
    organization: { value: 'NAME', help: 'the organization; needed where there are several' },
    ...botOptions,
  },
  notes: `Alone it lists the users that the bot of your key sees; all other forms work on the server's own database.
import reads CSV whose first line is name,email; - is standard input.
link prints an address that signs the person in, once, within 15 minutes.
${botNotes}`,
  run: async ({ values: { organization, profile, json }, operands: [name, ...operands] }) => {
    if (name === undefined) return listSeen(profile, json)
    if (profile !== undefined || json) throw new UsageError('--profile and --json go with blockmark users alone')
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageError(`choose ${Object.keys(actions).join(', ')}; see blockmark users --help`)
    if (operands.length !== action.operands.length) {
      throw new UsageError(`expected blockmark users ${[name, ...action.operands].join(' ')}`)
    }
    await action.run(organization, operands)
  },
})

async function listSeen(profile: string | undefined, isJson: boolean): Promise<void> {
  await withBot(profile, async (bot) => {
    const users = await bot.users()
    const rows = users.map(({ userID, name, email }) => [userID, name, email])
    await write(isJson ? `${JSON.stringify(users)}\n` : table(rows))
  })
}

async function add(name: string | undefined, people: readonly { name: string; email: string }[]): Promise<void> {
  await withOrganization(name, async ({ database }, { organization }) => {
    const added = await addPeople(database, organization, people)
    await write(`${added} added, ${people.length - added} known already\n`)
  })
}

async function list(name: string | undefined): Promise<void> {
  await withOrganization(name, async ({ database }, { organization }) => {
    const people = await members(database.run, organization, false)
    await write(table(people.map((person) => [person.id, person.name, person.email])))
  })
}

async function remove(name: string | undefined, email: string): Promise<void> {
  await withOrganization(name, ({ database }, { organization }) => removePerson(database.run, organization, email))
}

async function link(name: string | undefined, email: string): Promise<void> {
  await withOrganization(name, async ({ database, siteUrl }, { organization }) => {
    await write(`${await createSignInLink(database, organization, email, siteUrl, new Date())}\n`)
  })
}
