/** What an operator looks at first: whether everything that a server needs is there, and works. */

import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Backend, openBackend } from '../server/backend.js'
import type { Config } from '../server/config.js'
import { findPackages, installing } from '../server/packages.js'
import { versionOf } from '../store/postgres/migrate.js'
import { organizations } from './organizations.js'

/** One thing that was looked at. */
export interface Finding {
  readonly what: string
  readonly isFine: boolean
  /** What was found, or what to do. */
  readonly note: string
}

/** Below this a database soon can not write any more. */
const FREE_BYTES_MIN = 1_000_000_000

/**
 * Looks at everything; what fails does not keep the rest from being looked at.
 *
 * @param config - the settings
 * @returns what was found
 */
export async function examine(config: Config): Promise<Finding[]> {
  const findings = [...examinePackages(), await examineSpace(config)]
  let backend: Backend | null = null
  try {
    backend = await openBackend(config)
    findings.push({ what: 'database', isFine: true, note: await describeDatabase(backend) })
    findings.push(await tried('files', 'can be written', () => backend?.contents.ready()))
    findings.push(await tried('contents', 'are all there', () => (backend === null ? undefined : readAll(backend))))
  } catch (error) {
    findings.push({ what: 'database', isFine: false, note: messageOf(error) })
  } finally {
    await backend?.close()
  }
  return findings
}

function examinePackages(): Finding[] {
  return findPackages().map(({ name, version, isFound }) => ({
    what: `package ${name}`,
    isFine: isFound,
    note: isFound ? 'is installed' : `is missing: ${installing([{ name, version }])}`,
  }))
}

async function examineSpace({ data }: Config): Promise<Finding> {
  // The folder may not be there yet; what is above it is on the same disk.
  for (let folder = data; ; folder = join(folder, '..')) {
    const found = await statfs(folder).catch(() => null)
    if (found === null && folder !== join(folder, '..')) continue
    const free = found === null ? 0 : found.bavail * found.bsize
    const note = `${Math.floor(free / 1_000_000)} MB free${free < FREE_BYTES_MIN ? ': make room, or set DATA to another disk' : ''}`
    return { what: `disk of ${data}`, isFine: free >= FREE_BYTES_MIN, note }
  }
}

async function describeDatabase({ database }: Backend): Promise<string> {
  const { rows } = await database.run<{ version: string }>(
    '',
    `SELECT current_setting('server_version') AS version`,
    [],
  )
  const all = await organizations(database.run)
  return `PostgreSQL ${rows[0]?.version}, schema ${await versionOf(database.run)}, ${all.length} organization(s)`
}

/** Opens every content that a file names. */
async function readAll({ database, contents }: Backend): Promise<void> {
  const list = `SELECT DISTINCT encode(hash, 'hex') AS hash FROM files WHERE organization = $1`
  for (const { organization, name } of await organizations(database.run)) {
    const { rows } = await database.run<{ hash: string }>('', list, [organization])
    for (const { hash } of rows) {
      const content = await contents.open(organization, hash, { start: 0, end: 0 }).catch(() => null)
      if (content === null) throw new Error(`${hash} of ${name} is missing: bring it back from a backup`)
      await content.cancel()
    }
  }
}

async function tried(what: string, note: string, work: () => Promise<void> | undefined): Promise<Finding> {
  try {
    await work()
    return { what, isFine: true, note }
  } catch (error) {
    return { what, isFine: false, note: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
