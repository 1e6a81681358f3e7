/** Debian's PostgreSQL, over TCP, reached by a connection string; and a standby of it. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { postgresPrograms, retrying } from './programs.js'

const PROGRAMS = postgresPrograms()

/** Whether Debian's PostgreSQL is installed. It has programs that the embedded PostgreSQL lacks. */
export const isDebianInstalled: boolean = PROGRAMS !== null

/** Returns an account other than root, as which PostgreSQL refuses to run; `{}` if this process does not run as root. */
export function unprivilegedAccount(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
}

export interface Server {
  readonly port: number
  readonly url: string
  /** Ends the server like a loss of power. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Stops a standby, and starts it again on another port. */
  moveTo(port: number): Promise<Server>
  /** Promotes a standby, so that it accepts writes. */
  promote(): void
}

/** Creates a cluster and starts it. */
export async function startDebian(folder: string, port: number, settings: readonly string[] = []): Promise<Server> {
  const data = join(folder, `data-${port}`)
  const { uid, gid } = unprivilegedAccount()
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  program('initdb', ['-D', data, '-U', 'blockmark', '-A', 'trust', '-E', 'UTF8', '-N'])
  return run(data, port, settings)
}

/** Creates a standby of a running server. */
export async function startStandby(folder: string, from: Server, port: number): Promise<Server> {
  const data = join(folder, `data-${port}`)
  await mkdir(data, { mode: 0o700 })
  const { uid, gid } = unprivilegedAccount()
  if (uid !== undefined && gid !== undefined) await chown(data, uid, gid)
  program('pg_basebackup', [
    '-D',
    data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '-d',
    `${from.url}?application_name=standby`,
  ])
  return run(data, port, [])
}

function program(name: string, words: readonly string[]): void {
  execFileSync(join(PROGRAMS ?? '', name), words, { stdio: 'ignore', ...unprivilegedAccount() })
}

async function run(data: string, port: number, settings: readonly string[]): Promise<Server> {
  const options = ['listen_addresses=127.0.0.1', 'fsync=off', ...settings].flatMap((setting) => ['-c', setting])
  const child = spawn(join(PROGRAMS ?? '', 'postgres'), ['-D', data, '-p', String(port), '-k', '', ...options], {
    stdio: 'ignore',
    ...unprivilegedAccount(),
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = `postgres://blockmark@127.0.0.1:${port}/postgres`
  await untilReady(url, child)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    ...{ port, url, kill: () => end('SIGQUIT'), stop: () => end('SIGINT') },
    async moveTo(next) {
      await end('SIGINT')
      return run(data, next, settings)
    },
    promote: () => program('pg_ctl', ['promote', '-D', data, '-w']),
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const ask = async (): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    await client.end()
  }
  await retrying(ask, () => child.exitCode === null)
}
