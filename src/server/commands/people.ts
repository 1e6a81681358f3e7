/** `blockmark-server people`: the people of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { readMessage } from '../../terminal/input.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { runningAddress } from '../address.js'
import { readPeople } from '../operator/csv.js'
import { createSignInLink } from '../operator/links.js'
import { addPeople, members, removePerson } from '../operator/members.js'
import type { Organization } from '../operator/organizations.js'
import { chooseAction, type Operator, withOrganization } from './backend.js'

interface Action {
  readonly operands: readonly string[]
  run(operator: Operator, organization: Organization, operands: readonly string[]): Promise<void>
}

const actions: Readonly<Record<string, Action>> = {
  list: {
    operands: [],
    async run({ database }, { organization }) {
      const people = await members(database.run, organization, false)
      await write(table(people.map(({ id, name, email }) => [id, name, email])))
    },
  },
  add: {
    operands: ['NAME', 'EMAIL'],
    run: (operator, organization, [name = '', email = '']) => add(operator, organization, [{ name, email }]),
  },
  remove: {
    operands: ['EMAIL'],
    run: ({ database }, { organization }, [email = '']) => removePerson(database.run, organization, email),
  },
  import: {
    operands: ['FILE'],
    async run(operator, organization, [file = '']) {
      const { text } = await readMessage(file)
      await add(operator, organization, readPeople(text))
    },
  },
  link: {
    operands: ['EMAIL'],
    async run({ config, database, siteUrl }, { organization }, [email = '']) {
      const site = config.siteUrl ?? runningAddress(config.data) ?? siteUrl
      await write(`${await createSignInLink(database, organization, email, site, new Date())}\n`)
    },
  },
}

export const command: Command = defineCommand({
  operands: '[list|add NAME EMAIL|remove EMAIL|import FILE|link EMAIL]',
  examples: ['blockmark-server people add "Ann Lee" ann@example.com', 'blockmark-server people link ann@example.com'],
  options: { organization: { value: 'NAME', help: 'the organization; needed if there are several' } },
  notes: `Without an action, it lists them. import reads CSV with the first line name,email; - is standard input.
link prints a URL that signs the person in, once and within 15 minutes.`,
  run: async ({ values: { organization }, operands }) => {
    const { action, rest } = chooseAction('people', actions, operands)
    await withOrganization(organization, (operator, found) => action.run(operator, found, rest))
  },
})

type People = ReturnType<typeof readPeople>

async function add({ database }: Operator, { organization }: Organization, people: People): Promise<void> {
  const added = await addPeople(database, organization, people)
  await write(`${added} added, ${people.length - added} known already\n`)
}
