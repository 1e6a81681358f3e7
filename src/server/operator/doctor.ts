/** `doctor`: checks the database and the files. It only reads. */

import { counted } from '../../terminal/table.js'
import { type Backend, databaseOf, openBackend } from '../backend.js'
import type { Config } from '../config.js'
import { clockNote, SKEW_MILLISECONDS_MAX } from '../operation-pages.js'
import { stateOf } from '../store/index.js'
import { migrations, versionOf } from '../store/migrate.js'

export interface Finding {
  readonly what: string
  readonly isFine: boolean
  /** The value that was found, and what to do about a bad one. */
  readonly note: string
}

/** Makes all checks. If the database cannot be opened, that is the only finding. */
export async function examine(config: Config): Promise<Finding[]> {
  let backend: Backend | null = null
  try {
    backend = await openBackend(config, 'inspect')
    return [
      await describeDatabase(config, backend),
      await examineSchema(backend),
      await examineClock(backend),
      await examineFiles(config, backend),
    ]
  } catch (error) {
    return [{ what: 'database', isFine: false, note: error instanceof Error ? error.message : String(error) }]
  } finally {
    await backend?.close()
  }
}

async function describeDatabase(config: Config, { database }: Backend): Promise<Finding> {
  const question = `SELECT current_setting('server_version') AS version, (SELECT count(*)::int FROM organizations) AS count`
  const { rows } = await database.run<{ version: string; count: number }>('', question, [])
  const note = `PostgreSQL ${rows[0]?.version} at ${databaseOf(config)}, ${counted(rows[0]?.count ?? 0, 'organization')}`
  return { what: 'database', isFine: true, note }
}

async function examineSchema({ database }: Backend): Promise<Finding> {
  const [found, known] = [await versionOf(database.run), migrations.length]
  const advice =
    found === known
      ? 'as this version needs'
      : found < known
        ? `this version brings ${known}: the next start of the server upgrades it`
        : `this version knows ${known}: install a newer one`
  return { what: 'schema', isFine: found <= known, note: `${found}, ${advice}` }
}

async function examineClock({ database }: Backend): Promise<Finding> {
  const { clockAhead } = await stateOf(database.run)
  const isFine = Math.abs(clockAhead) <= SKEW_MILLISECONDS_MAX
  return { what: 'clock', isFine, note: isFine ? 'agrees with the clock of the database' : clockNote(clockAhead) }
}

async function examineFiles({ files }: Config, { database, contents }: Backend): Promise<Finding> {
  const list = `SELECT DISTINCT organization, encode(hash, 'hex') AS hash FROM files`
  const { rows } = await database.run<{ organization: string; hash: string }>('', list, [])
  const missing: string[] = []
  for (const { organization, hash } of rows) {
    const content = await contents.open(organization, hash, { start: 0, end: 0 }).catch(() => null)
    if (content === null) missing.push(`${organization}/${hash}`)
    else await content.cancel()
  }
  const place = files === null ? 'DATA/files' : `s3://${files.bucket}/${files.prefix}`
  const readable = `${rows.length - missing.length} of ${rows.length} can be read in ${place}`
  const advice = `: restore ${missing[0]}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''} from a backup`
  return { what: 'file data', isFine: missing.length === 0, note: missing.length === 0 ? readable : readable + advice }
}
