/** Servers in this process with the shared PostgreSQL, or as processes with their own; and raw connections. */

import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { onTestFinished, vi } from 'vitest'
import { run } from '../../../src/server/commands/index.js'
import { readConfig } from '../../../src/server/config.js'
import { type RunningServer, serve } from '../../../src/server/index.js'
import { dataFolder, openEmbedded, temporaryFolder } from './backends.js'
import { buildCli, type Outcome, type Running, startCli } from './cli.js'

/** A server with an organization Workspace and a bot. */
export interface Site {
  readonly site: string
  readonly port: number
  readonly key: string
  /** Calls an endpoint, by default with the bot's API key. */
  call(name: string, body?: object | string | FormData, headers?: Readonly<Record<string, string>>): Promise<Response>
}

function siteOf(site: string, key: string): Site {
  return {
    ...{ site, key, port: Number(new URL(site).port) },
    call(name, body, headers = {}) {
      const isForm = body instanceof FormData
      const type: Record<string, string> = isForm || body === undefined ? {} : { 'content-type': 'application/json' }
      const all = { authorization: `Bearer ${key}`, ...type, ...headers }
      const text = isForm || typeof body === 'string' ? body : JSON.stringify(body)
      return fetch(
        `${site}/api/public/${name}`,
        body === undefined ? { headers: all } : { method: 'POST', headers: all, body: text },
      )
    },
  }
}

/** Creates the form of an upload. */
export function formOf(content: string, name = 'a.txt'): FormData {
  const form = new FormData()
  form.append('data', new Blob([content]), name)
  return form
}

/** Creates a database of the shared PostgreSQL and a folder. Returns the settings that select both, and a function that removes them. */
export async function newSettings(): Promise<{ settings: Record<string, string>; remove(): Promise<void> }> {
  const { connection, close } = await openEmbedded()
  const { host = '', user, database } = connection
  const folder = await temporaryFolder()
  return {
    settings: {
      ...{ PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '0', DATA: folder },
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    },
    async remove() {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a server in this process. */
export async function serveHere(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer & Site & { readonly data: string; readonly settings: Readonly<Record<string, string>> }> {
  const { settings, remove } = await newSettings()
  const config = readConfig({ ...settings, ...environment })
  const server = await serve({ ...config, welcome: true })
  return {
    ...server,
    ...siteOf(`http://127.0.0.1:${server.port}`, server.first?.key ?? ''),
    ...{ data: config.data, settings },
    async close() {
      await server.close()
      await remove()
    },
  }
}

/** Starts a server as a process with its own PostgreSQL, which ends with the test. A new data folder gets a cluster. */
export async function startServer(
  environment: Readonly<Record<string, string>> & { readonly DATA: string },
  before: readonly string[] = [],
): Promise<Running & Site & { stop(signal?: NodeJS.Signals): Promise<Outcome> }> {
  if (!existsSync(environment.DATA)) await dataFolder(environment.DATA)
  const settings = { PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '0', ...environment }
  const running = startCli(await buildCli(), ['serve', '--welcome'], settings, before)
  const stop = (): Promise<Outcome> => {
    running.child.kill('SIGTERM')
    return running.ended
  }
  onTestFinished(() => stop().then(() => undefined))
  const site = await running.printed(/ready on (\S+),/)
  return { ...running, stop, ...siteOf(site, /wsk_\w{49}/.exec(running.stdout())?.[0] ?? '') }
}

/** Returns the process id of the embedded PostgreSQL of a data folder; 0 if none is running. */
export function postgresOf(data: string): number {
  const lock = join(data, 'postgres/postmaster.pid')
  const [pid] = existsSync(lock) ? readFileSync(lock, 'utf8').split('\n') : []
  // A process that was killed may have left the file, but its entry in `/proc` has no working folder.
  return existsSync(`/proc/${pid}/cwd`) ? Number(pid) : 0
}

/** Runs a command of the operator in this process, as the shell does, and returns its output and exit code. */
export async function command(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin),
    ...(['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((text, ...rest) => {
        written[name] += String(text)
        const done: unknown = rest.at(-1)
        if (typeof done === 'function') done()
        return true
      }),
    ),
  ]
  try {
    await run(words)
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
    process.exitCode = undefined
  }
}

/** A raw connection, with the bytes that it has received so far. */
export interface Connected {
  readonly socket: Socket
  readonly ended: Promise<unknown>
  received(): string
  /** Waits until the received bytes match, and returns the match. */
  until(pattern: RegExp): Promise<string>
}

/** Opens a connection to a port of this machine, and sends the given bytes. */
export function connectTo(port: number, bytes = ''): Connected {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.on('error', (error) => {
    text += `<${error.message}>`
  })
  // `text` contains errors of the connection, too.
  const next = (event: string): Promise<string> => new Promise((resolve) => socket.once(event, () => resolve(event)))
  const ended = next('close')
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(text)
      if (found !== null) return found[0]
      const event = await Promise.race([next('data'), ended])
      if (event === 'close' && !pattern.test(text)) throw new Error(`it ended after ${text}`)
    }
  }
  return { socket, ended, received: () => text, until }
}
