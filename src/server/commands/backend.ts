/** The operator's commands work on the database and files of the server, by the same settings. */

import { type Command, defineCommand, type Given, type Options } from '../../terminal/command.js'
import { Failure, UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import type { Access, Backend } from '../backend.js'
import type { Config } from '../config.js'
import type { Organization } from '../operator/organizations.js'

/** The database, the files and the settings. */
export interface Operator extends Backend {
  readonly config: Config
  /** The start of the pages' URLs. */
  readonly siteUrl: string
}

/** Runs work on an existing database, next to a server or without one. Throws Failure, with a message of one line. */
export async function withBackend(work: (operator: Operator) => Promise<void>, access: Access = 'open'): Promise<void> {
  await inOneLine(async () => {
    const { readConfig, siteUrlOf } = await import('../config.js')
    const { openBackend } = await import('../backend.js')
    const config = readConfig(process.env)
    const backend = await openBackend(config, access)
    try {
      await work({ ...backend, config, siteUrl: siteUrlOf(config, config.port) })
    } finally {
      await backend.close()
    }
  })
}

/** Runs work on one organization; its name is optional if there is only one. */
export async function withOrganization(
  name: string | undefined,
  work: (operator: Operator, organization: Organization) => Promise<void>,
): Promise<void> {
  await withBackend(async (operator) => {
    const { organizationNamed } = await import('../operator/organizations.js')
    await work(operator, await organizationNamed(operator.database.run, name))
  })
}

/** The option of the commands for one organization. */
export const organizationOption: { readonly organization: { readonly value: string; readonly help: string } } = {
  organization: { value: 'NAME', help: 'the organization; needed if there are several' },
}

/** An action of a command, for example `add NAME EMAIL` of `people`. */
export interface Action<Scope> {
  readonly operands: readonly string[]
  run(scope: Scope, operands: readonly string[]): Promise<void>
}

interface Actions<Declared extends Options, Scope> extends Pick<Command, 'examples' | 'notes'> {
  readonly options: Declared
  readonly actions: Readonly<Record<string, Action<Scope>>>
  /** Runs work with the scope that the options choose. */
  readonly perform: (values: Given<Declared>['values'], work: (scope: Scope) => Promise<void>) => Promise<void>
}

/** Defines a command whose first word names an action, by default its first one. */
export function defineActions<const Declared extends Options, Scope>(
  command: string,
  { actions, perform, ...declared }: Actions<Declared, Scope>,
): Command {
  const [usual = ''] = Object.keys(actions)
  const calls = Object.entries(actions).map(([name, { operands }]) => [name, ...operands].join(' '))
  return defineCommand({
    ...declared,
    operands: `[${calls.join('|')}]`,
    run: async ({ values, operands: [name = usual, ...rest] }) => {
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined
      if (action === undefined) {
        throw new UsageError(`unknown action ${name}: choose ${Object.keys(actions).join(', ')}`)
      }
      if (rest.length !== action.operands.length) {
        throw new UsageError(`expected blockmark-server ${[command, name, ...action.operands].join(' ')}`)
      }
      await perform(values, (scope) => action.run(scope, rest))
    },
  })
}

/** The option of commands that print rows. */
export const rowsOption: { readonly json: { readonly help: string } } = {
  json: { help: 'print the rows as JSON, with all of their fields' },
}

/** Prints rows, as aligned columns or as JSON. */
export function writeRows<Row extends object>(
  rows: readonly Row[],
  isJson: boolean,
  columnsOf: (row: Row) => readonly string[],
): Promise<void> {
  return write(isJson ? `${JSON.stringify(rows, null, 2)}\n` : table(rows.map(columnsOf)))
}

/** The option of commands that remove something. */
export const removalOption: { readonly yes: { readonly help: string } } = {
  yes: { help: 'remove without asking' },
}

/** Asks on a terminal whether something is to be removed. Throws if the answer is not yes, or if nobody can be asked. */
export async function confirm(what: string, isSure: boolean): Promise<void> {
  if (isSure) return
  if (!process.stdin.isTTY) throw new UsageError(`this removes ${what}: repeat the command with --yes`)
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`This removes ${what}. Remove it? (yes or no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new Failure('nothing was removed')
}

/** Turns every error into a message of one line. */
export async function inOneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Failure || error instanceof UsageError || !(error instanceof Error)) throw error
    throw new Failure(error.message, { cause: error })
  }
}
