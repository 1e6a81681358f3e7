/** How long does a ping take, and how much memory does the service need, with connections that are idle or very slow? */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../table.js'
import { exchange, memoryOf, type Server, start } from './load.js'

/**
 * Measures pings alone, with idle connections, and with bodies that arrive a byte a second.
 *
 * @param idle - the number of connections that are idle after one request
 * @param slow - the number of slow bodies
 * @param seconds - the duration of each measurement
 */
export async function measureConnections(idle: number, slow: number, seconds: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const server = await start('service', { DATA: data })
  const rows = [await row('nothing', server, seconds, [])]
  const sockets = await opened(server, idle, () => 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await Promise.all(sockets.map((socket) => once(socket, 'data')))
  rows.push(await row(`${idle.toLocaleString('en')} idle connections`, server, seconds, sockets))
  for (const socket of sockets) socket.destroy()
  const body = JSON.stringify({ name: 'x'.repeat(60) })
  const head = `POST /api/public/createChat HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const dripping = await opened(server, slow, () => head)
  let sent = 0
  const answers = dripping.map((socket) => once(socket, 'data').then(([text]) => String(text).slice(9, 12)))
  const drip = setInterval(() => {
    for (const socket of dripping) socket.write(body.slice(sent, sent + 1))
    sent += 1
  }, 1000)
  rows.push(await row(`${slow.toLocaleString('en')} bodies, a byte a second`, server, seconds, dripping))
  clearInterval(drip)
  for (const socket of dripping) socket.write(body.slice(sent))
  const done = (await Promise.all(answers)).filter((status) => status === '200').length
  for (const socket of dripping) socket.destroy()
  rows.push(await row(`afterwards: ${done.toLocaleString('en')} were answered 200`, server, seconds, []))
  printTable('Connections', ['with', 'still open', 'pings', 'p50 ms', 'p99 ms', 'worst ms', 'MiB'], rows)
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

/** Opens the given number of connections, a few hundred at a time, and sends the same text on each. */
async function opened({ url }: Server, count: number, text: () => string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(200, count - sockets.length) }, () => connect(Number(port), hostname))
    await Promise.all(some.map((socket) => once(socket, 'connect')))
    for (const socket of some) socket.on('error', () => undefined).write(text())
    sockets.push(...some)
  }
  return sockets
}

async function row(
  name: string,
  { url, key, pid }: Server,
  seconds: number,
  sockets: readonly Socket[],
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${key}` }
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  do {
    const sent = performance.now()
    await exchange(`${url}/api/public/ping`, { headers, agent }, '')
    times.push(performance.now() - sent)
  } while (performance.now() < end)
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
  return [name, String(open), String(times.length), at(0.5), at(0.99), at(1), (memoryOf(pid) / 1024).toFixed(0)]
}
