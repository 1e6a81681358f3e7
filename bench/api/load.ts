/** Servers in separate processes, and requests sent to them as fast as they respond. */

import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

/** A server's URL, and an API key for it. */
export interface Target {
  readonly url: string
  readonly key: string
}

export interface Server extends Target {
  readonly pid: number
  stop(): Promise<void>
}

/** Times in milliseconds. */
export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Rounds in which two servers alternate: enough that other programs on the machine do not decide. */
const ROUNDS = 9

/**
 * Starts a server.
 *
 * @param role - the service, or the bare handler
 * @param environment - its settings
 * @returns the server, when it is ready
 */
export async function start(role: 'service' | 'bare', environment: Record<string, string>): Promise<Server> {
  const program = fileURLToPath(new URL('server.js', import.meta.url))
  const child: ChildProcess = fork(program, [], { env: { ...process.env, ROLE: role, ...environment } })
  const target = await new Promise<Target>((resolve, reject) => {
    child.once('message', (message: Target) => resolve(message))
    child.once('exit', (code) => reject(new Error(`the ${role} ended with ${code}`)))
  })
  return {
    ...target,
    pid: child.pid ?? 0,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Sends one measured request. */
export type Send = (agent: Agent) => Promise<unknown>

/**
 * Sends two kinds of requests alternately, so that other work of the machine affects both.
 *
 * @param one - the first kind
 * @param other - the second
 * @param connections - the number of concurrent requests
 * @param seconds - the duration of each kind
 * @returns the median round of each
 */
export async function alternate(
  one: Send,
  other: Send,
  connections: number,
  seconds: number,
): Promise<[Measured, Measured]> {
  await load(one, connections, seconds / ROUNDS)
  await load(other, connections, seconds / ROUNDS)
  const rounds: [Measured, Measured][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await load(one, connections, seconds / ROUNDS)
    rounds.push([first, await load(other, connections, seconds / ROUNDS)])
  }
  return [median(rounds.map(([first]) => first)), median(rounds.map(([, second]) => second))]
}

function median(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond)
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: 0, p50: 0, p99: 0 }
}

/**
 * Sends requests as fast as the server responds.
 *
 * @param send - sends one request
 * @param connections - the number of concurrent requests
 * @param seconds - the duration
 */
export async function load(send: Send, connections: number, seconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const started = performance.now()
  const end = started + seconds * 1000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: connections }, async () => {
      do {
        const sent = performance.now()
        await send(agent)
        times.push(performance.now() - sent)
      } while (performance.now() < end)
    }),
  )
  const elapsed = (performance.now() - started) / 1000
  agent.destroy()
  times.sort((first, second) => first - second)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99) }
}

/**
 * Calls an endpoint.
 *
 * @param target - the server
 * @param name - the endpoint
 * @param body - the request's body
 * @param agent - the agent with the connections
 * @returns the fields of its result
 */
export async function post(
  { url, key }: Target,
  name: string,
  body: object,
  agent: Agent,
): Promise<Record<string, string>> {
  const content = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
  }
  const answer: { result: Record<string, string> } = JSON.parse(
    await exchange(`${url}/api/public/${name}`, { method: 'POST', headers, agent }, content),
  )
  return answer.result
}

/** Sends a request and returns the text of its response; rejects if that is not a success. */
export function exchange(url: string, options: object, content: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request(url, options, (response) => {
      let answer = ''
      response.on('data', (chunk) => {
        answer += String(chunk)
      })
      response.on('end', () => (response.statusCode === 200 ? resolve(answer) : reject(new Error(answer))))
    })
    sending.on('error', reject)
    sending.end(content)
  })
}

/** Returns the resident memory of a process, in KiB. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
