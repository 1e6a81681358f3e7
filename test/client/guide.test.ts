/** The programs of the client's guides run, with the results that they show. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fetch, ProxyAgent } from 'undici'
import { expect, test } from 'vitest'
import { createClient, type Fetch } from '../../src/api/client/index.js'
import { createTestService } from '../../src/testing/index.js'
import { portOf } from '../api/support/programs.js'
import { compile, examplesOfMarkdown, run } from '../examples.js'
import { top } from '../source.js'
import { listen } from './support.js'

const paths = ['src/api/client/README.md', 'src/api/client/models.md']
const programs = paths.flatMap((path) => examplesOfMarkdown(path, readFileSync(join(top, path), 'utf8')))

test('there are nine, and they compile', async () => {
  expect(programs).toHaveLength(9)
  expect(await compile(programs)).toBe('')
})

test.each(programs)('$path:$line', async (program) => {
  for (const { line, actual, expected } of await run(program)) {
    expect(actual, `${program.path}:${line}`).toStrictEqual(expected)
  }
})

test('a client with undici reaches the service through a proxy', async () => {
  const service = createTestService()
  const { baseUrl, close } = await listen(service)
  const hosts: string[] = []
  const proxy = createServer().on('connect', ({ url = '' }, client, head) => {
    hosts.push(url)
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(url) ?? []
    const server = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
    })
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const dispatcher = new ProxyAgent(`http://127.0.0.1:${portOf(proxy)}`)
  const send: Fetch = (url, init) => fetch(url, { ...init, dispatcher })
  const bot = createClient({ baseUrl, apiKey: service.apiKey, fetch: send })
  expect(await bot.ping()).toEqual({ name: 'Bot', organization: 'Workspace' })
  await bot.upload(new Blob(['all is well']), { name: 'build.log' })
  expect(service.files.map(({ name }) => name)).toEqual(['build.log'])
  expect(new Set(hosts)).toEqual(new Set([new URL(baseUrl).host]))
  await dispatcher.close()
  proxy.close()
  await close()
})
