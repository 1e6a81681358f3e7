/** `blockmark-server bots` and `blockmark-server people`: the members of an organization. */

import type { Command } from '../../terminal/command.js'
import { readMessage } from '../../terminal/input.js'
import { write } from '../../terminal/output.js'
import {
  addPeople,
  createSignInLink,
  members,
  type Person,
  readPeople,
  removeBot,
  removePerson,
} from '../operator/members.js'
import type { Organization } from '../operator/organizations.js'
import {
  type Action,
  confirm,
  defineActions,
  type Operator,
  organizationOption,
  removalOption,
  rowsOption,
  withOrganization,
  writeRows,
} from './backend.js'

/** The operator, one organization, and the options of the call. */
type Scope = Operator & Organization & { readonly yes: boolean; readonly json: boolean }

export const bots: Command = defineMembers('bots', {
  actions: {
    list: listOf(true),
    remove: {
      operands: ['ID'],
      async run({ database, organization, yes }, [id = '']) {
        await confirm(`the bot ${id} with its API keys; its messages stay`, yes)
        await write(`removed the bot ${await removeBot(database, organization, id)}\n`)
      },
    },
  },
  examples: ['blockmark-server bots', 'blockmark-server bots remove 100002 --organization Acme'],
  notes: `Without an action, it lists them. blockmark-server keys create adds a bot with its first API key. The
API keys of a removed bot stop working at once; its messages stay, with its name.`,
})

export const people: Command = defineMembers('people', {
  actions: {
    list: listOf(false),
    add: { operands: ['NAME', 'EMAIL'], run: (scope, [name = '', email = '']) => add(scope, [{ name, email }]) },
    remove: {
      operands: ['EMAIL'],
      async run({ database, organization, yes }, [email = '']) {
        await confirm(`${email} from all channels and chats`, yes)
        await removePerson(database.run, organization, email)
        await write(`removed ${email}\n`)
      },
    },
    import: {
      operands: ['FILE'],
      run: async (scope, [file = '']) => add(scope, await readPeople((await readMessage(file)).text)),
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
link prints a URL that signs the person in, once and within 15 minutes. The URL starts with SITE_URL.`,
})

interface Members extends Pick<Command, 'examples' | 'notes'> {
  readonly actions: Readonly<Record<string, Action<Scope>>>
}

function defineMembers(name: string, declared: Members): Command {
  return defineActions(name, {
    ...declared,
    options: { ...organizationOption, ...removalOption, ...rowsOption },
    perform: ({ organization, yes, json }, work) =>
      withOrganization(organization, (operator, found) => work({ ...operator, ...found, yes, json })),
  })
}

function listOf(areBots: boolean): Action<Scope> {
  return {
    operands: [],
    async run({ database, organization, json }) {
      const all = await members(database.run, organization, areBots)
      await writeRows(all, json, ({ id, name, email }) => [id, name, email])
    },
  }
}

async function add({ database, organization }: Scope, all: readonly Person[]): Promise<void> {
  const added = await addPeople(database, organization, all)
  await write(`${added} added, ${all.length - added} known already\n`)
}
