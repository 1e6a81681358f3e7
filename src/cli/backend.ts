/** What the operator's commands work on: the same settings, database and files as the server. */

import type { Organization } from '../api/operator/organizations.js'
import type { Backend } from '../api/server/backend.js'
import type { Config } from '../api/server/config.js'
import { Failure } from './errors.js'

/** What a command is given. */
export interface Operator extends Backend {
  readonly config: Config
  /** What addresses of pages begin with. */
  readonly siteUrl: string
}

/**
 * Runs work on the database, whether a server is running or not.
 *
 * @param work - what to do
 * @throws {Failure} where a setting is wrong, or the work can not be done, in one line
 */
export async function withBackend(work: (operator: Operator) => Promise<void>): Promise<void> {
  await inOneLine(async () => {
    const { readConfig, siteUrlOf } = await import('../api/server/config.js')
    const { openBackend } = await import('../api/server/backend.js')
    const config = readConfig(process.env)
    const backend = await openBackend(config)
    try {
      await work({ ...backend, config, siteUrl: siteUrlOf(config, config.port) })
    } finally {
      await backend.close()
    }
  })
}

/**
 * Runs work on one organization.
 *
 * @param name - the organization's name; may be left out where there is only one
 * @param work - what to do
 */
export async function withOrganization(
  name: string | undefined,
  work: (operator: Operator, organization: Organization) => Promise<void>,
): Promise<void> {
  await withBackend(async (operator) => {
    const { organizationNamed } = await import('../api/operator/organizations.js')
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

/**
 * Lines whose columns stand below each other.
 *
 * @param rows - the cells of each line
 * @returns the text to print
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
