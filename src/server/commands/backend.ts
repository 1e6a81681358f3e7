/** The operator's commands work on the database and files of the server, by the same settings. */

import { Failure, UsageError } from '../../terminal/errors.js'
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

/** Finds the action that a command's first word names, by default `list`, and checks the number of its operands. */
export function chooseAction<Action extends { readonly operands: readonly string[] }>(
  command: string,
  actions: Readonly<Record<string, Action>>,
  [name = 'list', ...rest]: readonly string[],
): { readonly action: Action; readonly rest: readonly string[] } {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined) {
    throw new UsageError(`unknown action ${name}: choose ${Object.keys(actions).join(', ')}`)
  }
  if (rest.length !== action.operands.length) {
    throw new UsageError(`expected blockmark-server ${[command, name, ...action.operands].join(' ')}`)
  }
  return { action, rest }
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
