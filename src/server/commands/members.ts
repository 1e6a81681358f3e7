/** `blockmark-server bots` and `blockmark-server people`: the members of an organization. */

import type { Command } from '../../terminal/command.js'
import { readMessage } from '../../terminal/input.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { readPeople } from '../operator/csv.js'
import { createSignInLink } from '../operator/links.js'
import { addPeople, members, removeBot, removePerson } from '../operator/members.js'
import type { Organization } from '../operator/organizations.js'
import { type Action, defineActions, type Operator, organizationOption, withOrganization } from './backend.js'

/** The operator and one organization. */
type Scope = Operator & Organization

type People = ReturnType<typeof readPeople>

export const bots: Command = defineMembers('bots', {
  actions: {
    list: listOf(true),
    remove: { operands: ['ID'], run: ({ database, organization }, [id = '']) => removeBot(database, organization, id) },
  },
  examples: ['blockmark-server bots', 'blockmark-server bots remove 100002 --organization Acme'],
  notes: `Without an action, it lists them. blockmark-server keys create adds a bot with its first API key. The
API keys of a removed bot stop working at once; its messages stay.`,
})

export const people: Command = defineMembers('people', {
  actions: {
    list: listOf(false),
    add: { operands: ['NAME', 'EMAIL'], run: (scope, [name = '', email = '']) => add(scope, [{ name, email }]) },
    remove: {
      operands: ['EMAIL'],
      run: ({ database, organization }, [email = '']) => removePerson(database.run, organization, email),
    },
    import: {
      operands: ['FILE'],
      run: async (scope, [file = '']) => add(scope, readPeople((await readMessage(file)).text)),
    },
    link: {
      operands: ['EMAIL'],
      async run({ database, siteUrl, organization }, [email = '']) {
        await write(`${await createSignInLink(database, organization, email, siteUrl, new Date())}\n`)
      },
    },
  },
  examples: ['blockmark-server people add "Ann Lee" ann@example.com', 'blockmark-server people link ann@example.com'],
  notes: `Without an action, it lists them. import reads CSV with the first line name,email; - is standard input.
link prints a URL that signs the person in, once and within 15 minutes.`,
})

interface Members extends Pick<Command, 'examples' | 'notes'> {
  readonly actions: Readonly<Record<string, Action<Scope>>>
}

function defineMembers(name: string, declared: Members): Command {
  return defineActions(name, {
    ...declared,
    options: organizationOption,
    perform: ({ organization }, work) =>
      withOrganization(organization, (operator, found) => work({ ...operator, ...found })),
  })
}

function listOf(areBots: boolean): Action<Scope> {
  return {
    operands: [],
    async run({ database, organization }) {
      const all = await members(database.run, organization, areBots)
      await write(table(all.map(({ id, name, email }) => [id, name, email])))
    },
  }
}

async function add({ database, organization }: Scope, people: People): Promise<void> {
  const added = await addPeople(database, organization, people)
  await write(`${added} added, ${people.length - added} known already\n`)
}
