/** `doctor`: checks the database and the files. It only reads. */

import { counted } from '../../terminal/table.js'
import { type Backend, databaseOf, openBackend } from '../backend.js'
import type { Config } from '../config.js'
import type { ContentStorage } from '../files/storage.js'
import { clockNote, SKEW_MILLISECONDS_MAX } from '../operation-pages.js'
import type { Run } from '../store/database.js'
import { stateOf } from '../store/index.js'
import { migrations, versionOf } from '../store/migrate.js'

export interface Finding {
  readonly result: 'ok' | 'FAIL'
  readonly what: string
  /** The value that was found, and what to do about a bad one. */
  readonly note: string
}

/** Makes all checks. If the database cannot be opened, that is the only finding. */
export async function examine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const report = (what: string, isFine: boolean, note: string): void =>
    void findings.push({ result: isFine ? 'ok' : 'FAIL', what, note })
  let backend: Backend | null = null
  try {
    backend = await openBackend(config, 'inspect')
    const { run } = backend.database
    const question = `SELECT current_setting('server_version') AS version, (SELECT count(*)::int FROM organizations) AS count`
    const [{ version, count } = { version: '', count: 0 }] = (
      await run<{ version: string; count: number }>('', question, [])
    ).rows
    report('database', true, `PostgreSQL ${version} at ${databaseOf(config)}, ${counted(count, 'organization')}`)
    const [found, known] = [await versionOf(run), migrations.length]
    const upgrade = `this version brings ${known}: the next start of the server upgrades it`
    const advice = found < known ? upgrade : `this version knows ${known}: install a newer one`
    report('schema', found <= known, `${found}, ${found === known ? 'as this version needs' : advice}`)
    const { clockAhead } = await stateOf(run)
    const isRight = Math.abs(clockAhead) <= SKEW_MILLISECONDS_MAX
    report('clock', isRight, isRight ? 'agrees with the clock of the database' : clockNote(clockAhead))
    const { files } = config
    const { all, missing } = await countFiles(run, backend.contents)
    const place = files === null ? 'DATA/files' : `s3://${files.bucket}/${files.prefix}`
    const others = missing.length > 1 ? ` and ${missing.length - 1} more` : ''
    const remedy = missing.length === 0 ? '' : `: restore ${missing[0]}${others} from a backup`
    report('file data', missing.length === 0, `${all - missing.length} of ${all} can be read in ${place}${remedy}`)
  } catch (error) {
    report('database', false, error instanceof Error ? error.message : String(error))
  } finally {
    await backend?.close()
  }
  return findings
}

/** Counts the files with different data, and finds those whose data cannot be read. */
async function countFiles(run: Run, contents: ContentStorage): Promise<{ all: number; missing: string[] }> {
  const list = `SELECT DISTINCT organization, encode(hash, 'hex') AS hash FROM files`
  const { rows } = await run<{ organization: string; hash: string }>('', list, [])
  const missing: string[] = []
  for (const { organization, hash } of rows) {
    const content = await contents.open(organization, hash, { start: 0, end: 0 }).catch(() => null)
    if (content === null) missing.push(`${organization}/${hash}`)
    else await content.cancel()
  }
  return { all: rows.length, missing }
}
