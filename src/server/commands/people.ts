/** `blockmark-server people`: the people of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { readMessage } from '../../terminal/input.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { runningAddress } from '../address.js'
import { readPeople } from '../operator/csv.js'
import { createSignInLink } from '../operator/links.js'
import { addPeople, members, removePerson } from '../operator/members.js'
import { chooseAction, inOneLine, withOrganization } from './backend.js'

interface Action {
  readonly operands: readonly string[]
  run(organization: string | undefined, operands: readonly string[]): Promise<void>
}

const actions: Readonly<Record<string, Action>> = {
  list: { operands: [], run: (organization) => list(organization) },
  add: {
    operands: ['NAME', 'EMAIL'],
    run: (organization, [name = '', email = '']) => add(organization, [{ name, email }]),
  },
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
  operands: '[list|add NAME EMAIL|remove EMAIL|import FILE|link EMAIL]',
  examples: ['blockmark-server people add "Ann Lee" ann@example.com', 'blockmark-server people link ann@example.com'],
  options: { organization: { value: 'NAME', help: 'the organization; needed if there are several' } },
  notes: `Without an action, it lists them. import reads CSV with the first line name,email; - is standard input.
link prints a URL that signs the person in, once and within 15 minutes.`,
  run: async ({ values: { organization }, operands }) => {
    const { action, rest } = chooseAction('people', actions, operands)
    await action.run(organization, rest)
  },
})

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
  await withOrganization(name, async ({ config, database, siteUrl }, { organization }) => {
    const site = config.siteUrl ?? runningAddress(config.data) ?? siteUrl
    await write(`${await createSignInLink(database, organization, email, site, new Date())}\n`)
  })
}
