/** `blockmark users`: the people of an organization. */

import { readPeople } from '../api/operator/csv.js'
import { createSignInLink } from '../api/operator/links.js'
import { addPeople, members, removePerson } from '../api/operator/organizations.js'
import { table, withOrganization } from './backend.js'
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
    run: async (organization, [file = '']) => add(organization, readPeople((await readMessage(file)).text)),
  },
  link: { operands: ['EMAIL'], run: (organization, [email = '']) => link(organization, email) },
}

export const command: Command = defineCommand({
  operands: 'add NAME EMAIL|list|remove EMAIL|import FILE|link EMAIL',
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: `import reads CSV whose first line is name,email; - is standard input.
link prints an address that signs the person in, once, within 15 minutes.`,
  run: async ({ values: { organization }, operands: [name, ...operands] }) => {
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageError(`choose ${Object.keys(actions).join(', ')}; see blockmark users --help`)
    if (operands.length !== action.operands.length) {
      throw new UsageError(`expected blockmark users ${[name, ...action.operands].join(' ')}`)
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
  await withOrganization(name, async ({ database, siteUrl }, { organization }) => {
    await write(`${await createSignInLink(database, organization, email, siteUrl, new Date())}\n`)
  })
}
