/** How much memory does an upload of 300 MB take? */

import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../table.js'
import { memoryOf, start, type Target } from './load.js'

/**
 * Measures one upload, after a small one.
 *
 * @param megabytes - the size of the upload
 */
export async function measureUpload(megabytes: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const server = await start('service', { DATA: data })
  await upload(server, 1)
  const before = memoryOf(server.pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(server.pid))
  }, 20)
  const started = performance.now()
  await upload(server, megabytes)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  const mebibytes = (kibibytes: number): string => (kibibytes / 1024).toFixed(0)
  const row = [`${megabytes} MB`, seconds.toFixed(1), ...[before, most, most - before].map(mebibytes)]
  printTable('Upload', ['size', 'seconds', 'MiB before', 'MiB at most', 'MiB added'], [row])
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

function upload({ url, key }: Target, megabytes: number): Promise<void> {
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
