/** What an operator looks at first: whether everything that a server needs is there, and works. */

import { type Backend, openBackend } from '../backend.js'
import type { Config } from '../config.js'
import { freeBytes } from '../disk.js'
import { clockNote, SKEW_MILLISECONDS_MAX } from '../operation-pages.js'
import { stateOf } from '../postgres/index.js'
import { versionOf } from '../postgres/migrate.js'
import { missingSpread } from '../postgres/tables.js'
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

/** Looks at everything; what fails does not keep the rest from being looked at. */
export async function examine(config: Config): Promise<Finding[]> {
  const findings = [await examineSpace(config)]
  let backend: Backend | null = null
  try {
    const opened = await openBackend(config)
    backend = opened
    findings.push({ what: 'database', isFine: true, note: await describeDatabase(opened) })
    findings.push(examineSpread(await missingSpread(opened.database.run)))
    findings.push(examineClock((await stateOf(opened.database.run)).clockAhead))
    findings.push(await tried('files', 'can be written', () => opened.contents.ready()))
    findings.push(await tried('contents', 'are all there', () => readAll(opened)))
  } catch (error) {
    findings.push({ what: 'database', isFine: false, note: messageOf(error) })
  } finally {
    await backend?.close()
  }
  return findings
}

async function examineSpace({ data }: Config): Promise<Finding> {
  const free = await freeBytes(data)
  const note = `${Math.floor(free / 1_000_000)} MB free${free < FREE_BYTES_MIN ? ': make room, or set DATA to another disk' : ''}`
  return { what: `disk of ${data}`, isFine: free >= FREE_BYTES_MIN, note }
}

function examineClock(clockAhead: number): Finding {
  const isFine = Math.abs(clockAhead) <= SKEW_MILLISECONDS_MAX
  return { what: 'clock', isFine, note: isFine ? 'agrees with the clock of the database' : clockNote(clockAhead) }
}

function examineSpread(missing: readonly string[]): Finding {
  const note = missing.length === 0 ? 'are where their organization is' : `are not all spread: ${missing.join('; ')}`
  return { what: 'tables', isFine: missing.length === 0, note }
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

async function tried(what: string, note: string, work: () => Promise<unknown>): Promise<Finding> {
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
