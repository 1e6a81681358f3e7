/** Finds programs that some tests need, by a variable, on PATH or in Debian's folders, and waits for their start. */

import { existsSync, readdirSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const environment: Readonly<Record<string, string | undefined>> = process.env

/** Debian installs servers in a folder that is not on every user's PATH. */
const folders: readonly string[] = [...(environment['PATH'] ?? '').split(delimiter), '/usr/sbin']

/** Returns the path of a program; null if it is not installed. */
export function programOf(name: string, variable: string): string | null {
  const named = environment[variable]
  if (named !== undefined) return existsSync(named) ? named : null
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** Returns Debian's folders of PostgreSQL's programs, one for each version, the newest first. */
function debianFolders(): string[] {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  return versions.toSorted((one, other) => Number(other) - Number(one)).map((version) => join(root, version, 'bin'))
}

/** Returns the folder of PostgreSQL's programs, with those that the embedded one lacks; null if it is not installed. */
export function postgresPrograms(): string | null {
  const own = environment['POSTGRES_PROGRAMS']
  const found = own === undefined ? [...folders, ...debianFolders()] : [own]
  return (
    found.find((folder) => ['postgres', 'initdb', 'pg_basebackup'].every((name) => existsSync(join(folder, name)))) ??
    null
  )
}

/** Returns the folder of the programs of a PostgreSQL with Citus; null if it is not installed. */
export function citusPrograms(): string | null {
  const own = environment['CITUS_PROGRAMS']
  if (own !== undefined) return own
  const found = [...folders, ...debianFolders()].filter((folder) => existsSync(join(folder, 'postgres')))
  return found.find((folder) => existsSync(join(dirname(folder), 'lib/citus.so'))) ?? null
}

/** Repeats work until it succeeds, for as long as a program that starts may take. */
export async function retrying<Result>(work: () => Promise<Result>, canGoOn = () => true): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 1200 || !canGoOn()) throw error
      await sleep(100)
    }
  }
}

/** Returns the port on which a server listens. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
