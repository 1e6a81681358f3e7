/** What the operator's commands work on: the same settings, database and files as the server. */

import { Failure } from '../../terminal/errors.js'
import type { Backend } from '../backend.js'
import type { Config } from '../config.js'
import type { Organization } from '../operator/organizations.js'

/** What a command is given. */
export interface Operator extends Backend {
  readonly config: Config
  /** What addresses of pages begin with. */
  readonly siteUrl: string
}

/** Runs work on the database, whether a server is running or not. Throws Failure, in one line. */
export async function withBackend(work: (operator: Operator) => Promise<void>): Promise<void> {
  await inOneLine(async () => {
    const { readConfig, siteUrlOf } = await import('../config.js')
    const { openBackend } = await import('../backend.js')
    const config = readConfig(process.env)
    const backend = await openBackend(config)
    try {
      await work({ ...backend, config, siteUrl: siteUrlOf(config, config.port) })
    } finally {
      await backend.close()
    }
  })
}

/** Runs work on one organization, whose name may be left out where there is only one. */
export async function withOrganization(
  name: string | undefined,
  work: (operator: Operator, organization: Organization) => Promise<void>,
): Promise<void> {
  await withBackend(async (operator) => {
    const { organizationNamed } = await import('../operator/organizations.js')
    await work(operator, await organizationNamed(operator.database.run, name))
  })
}

/** The names of errors that say in one line what is wrong; every other one is a mistake of ours. */
export async function inOneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof Error ? new Failure(error.message, { cause: error }) : error
  }
}
