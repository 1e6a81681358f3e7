/** `blockmark-server users`: the people of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { readMessage } from '../../terminal/input.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { runningAddress } from '../address.js'
import { readPeople } from '../operator/csv.js'
import { createSignInLink } from '../operator/links.js'
import { addPeople, members, removePerson } from '../operator/organizations.js'
import { inOneLine, withOrganization } from './backend.js'

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
  operands: '[list|add NAME EMAIL|remove EMAIL|import FILE|link EMAIL]',
  examples: ['blockmark-server users add "Ann Lee" ann@example.com', 'blockmark-server users link ann@example.com'],
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: `Alone it lists them. import reads CSV whose first line is name,email; - is standard input.
link prints an address of the server that runs on this data; it signs in once, within 15 minutes.`,
  run: async ({ values: { organization }, operands: [name = 'list', ...operands] }) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageError(`choose ${Object.keys(actions).join(', ')}; see blockmark-server users --help`)
    if (operands.length !== action.operands.length) {
      throw new UsageError(`expected blockmark-server users ${[name, ...action.operands].join(' ')}`)
    }
    await action.run(organization, operands)
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
    const address = config.siteUrl ?? runningAddress(config.data) ?? siteUrl
    await write(`${await createSignInLink(database, organization, email, address, new Date())}\n`)
  })
}
