/**
 * How much memory does an upload of 300 MB take?
 *
 * Run: `npx esbuild bench/api/upload.ts --bundle --format=esm --platform=node --packages=external --loader:.sql=text
 * --outfile=node_modules/.bench/upload.mjs && node node_modules/.bench/upload.mjs [MEGABYTES]`
 */

import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, serve } from '../../src/api/server/index.js'

const environment: { ROLE?: string } = process.env

if (environment.ROLE === 'service') {
  const server = await serve(readConfig({ ...process.env, PORT: '0', LOG_LEVEL: 'silent' }))
  process.send?.({ url: server.siteUrl, key: server.first?.key ?? '' })
  process.once('SIGTERM', () => void server.close().then(() => process.disconnect()))
} else {
  await measure(Number(process.argv[2] ?? 300))
}

async function measure(megabytes: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const child = fork(process.argv[1] ?? '', [], { env: { ...process.env, ROLE: 'service', DATA: data } })
  const target = await new Promise<{ url: string; key: string }>((resolve) => {
    child.once('message', (message: { url: string; key: string }) => resolve(message))
  })
  await upload(target, 1)
  const before = memoryOf(child.pid ?? 0)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(child.pid ?? 0))
  }, 20)
  const started = performance.now()
  await upload(target, megabytes)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  const mebibytes = (bytes: number): string => (bytes / 1024).toFixed(0)
  console.log(
    `${megabytes} MB in ${seconds.toFixed(1)} s: ${mebibytes(before)} MiB before, ${mebibytes(most)} MiB at most, ${mebibytes(most - before)} MiB added`,
  )
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  rmSync(data, { recursive: true, force: true })
}

/** The resident memory of a process, in KiB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}

function upload({ url, key }: { url: string; key: string }, megabytes: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' }
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/api/public/upload`, { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
      )
    })
    sending.on('error', reject)
    sending.write('--b\r\ncontent-disposition: form-data; name="data"; filename="a.txt"\r\n\r\n')
    const chunk = Buffer.alloc(1_000_000, 'x')
    let sent = 0
    const more = (): void => {
      while (sent < megabytes) {
        sent += 1
        if (!sending.write(chunk)) return void sending.once('drain', more)
      }
      sending.end('\r\n--b--\r\n')
    }
    more()
  })
}
