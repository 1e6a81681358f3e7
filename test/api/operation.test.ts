/** The server as a process: its first start, its log, and how it stops or cannot start. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parse } from '../../src/index.js'
import { welcomeBlocks } from '../../src/server/operator/welcome.js'
import { migrations } from '../../src/server/store/migrate.js'
import { content } from '../../src/tree.js'
import { freePort, sharedFolder } from './support/backends.js'
import { buildCli, buildCliIn, runCli, startCli } from './support/cli.js'
import { connectTo, postgresOf, startServer } from './support/server.js'

const folder = sharedFolder()

describe('a server that cannot start gives the reason in one line, and changes nothing:', () => {
  test.each([
    ['PORT', '70000'],
    ['HOST', '192.0.2.1'],
    ['DATA', '/dev/null/nowhere'],
    ['DATA', '/proc/nowhere'],
    ['DATABASE_URL', 'postgres://secret@127.0.0.1:1/x'],
  ])('%s is %s', async (name, value) => {
    const data = join(folder, 'refused')
    const environment = { PORT: '0', DATA: data, [name]: value }
    const { code, stdout, stderr } = await runCli(await buildCli(), ['serve', '--welcome'], environment)
    expect([code, stdout, existsSync(join(data, 'postgres'))]).toEqual([1, '', false])
    expect(stderr).toMatch(new RegExp(`^blockmark-server: ${name}: [^\\n]+\\n$`))
    expect(stderr).not.toContain('secret')
  })

  test('the embedded PostgreSQL is not installed', async () => {
    const bare = join(folder, 'bare')
    await mkdir(join(bare, 'node_modules'), { recursive: true })
    for (const name of ['@fastify', 'fastify', 'pg', 'pino', 'prom-client']) {
      await symlink(join(process.cwd(), 'node_modules', name), join(bare, 'node_modules', name))
    }
    const alone = await buildCliIn(bare)
    const { code, stderr } = await runCli(alone, ['serve', '--welcome'], { PORT: '0', DATA: join(folder, 'none') })
    const remedy = 'install with optional dependencies, or set DATABASE_URL to a PostgreSQL server'
    expect([code, stderr]).toEqual([
      1,
      `blockmark-server: there is no embedded PostgreSQL for ${process.platform}-${process.arch}: ${remedy}\n`,
    ])
    expect(existsSync(join(folder, 'none/postgres'))).toBe(false)
  })
})

describe('the first start', () => {
  test('with --welcome prints the API key once, the URLs, and commands that work; later starts add nothing', async () => {
    const data = join(folder, 'welcome')
    const onOneScreen = ['sh', '-c', 'exec "$0" "$@" 2>&1']
    const { site, key, stdout, stop } = await startServer({ DATA: data, LOG_LEVEL: 'info' }, onOneScreen)
    // No entry of the log comes between the URL and the API key.
    expect(stdout()).toMatch(/^blockmark is ready on (?:[^{\n]*\n)+export BLOCKMARK_API_KEY=wsk_/m)
    expect(stdout().split(key)).toHaveLength(2)
    const lines = stdout().split('\n')
    const [channelURL = '', threadURL = '', ...others] = lines.filter((line) => line.startsWith('http'))
    expect([others, channelURL]).toEqual([[], expect.stringMatching(`^${site}/\\d+$`)])
    const html = await (await fetch(threadURL)).text()
    expect(html).toMatch(/<h\d[^>]*>Welcome<\/h\d>/)
    const [, picture = ''] = /<img src="([^"]+)"/.exec(html) ?? []
    const shown = await fetch(site + picture.replaceAll('&amp;', '&'))
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    const commands = lines.filter((line) => /^(?:export|curl) /.test(line)).join('\n')
    const shell = spawnSync('sh', ['-c', commands.replaceAll('curl ', 'curl -sS ')], { encoding: 'utf8' })
    expect([shell.stderr, shell.stdout]).toEqual(['', expect.stringMatching(/"ok":true,"result":\{"threadID"/)])
    await stop()
    const second = await startServer({ DATA: data })
    await second.printed(/people link EMAIL\n/)
    expect(second.stdout()).toContain(' npx blockmark-server keys create --organization Workspace --bot NAME\n')
    expect(second.key).toBe('')
    expect((await second.call('channels', undefined, { authorization: `Bearer ${key}` })).status).toBe(200)
    const { scripts }: { scripts: { start: string } } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(scripts.start).toMatch(/ exec node dist\/server\/bin\.js --welcome$/)
  })

  test('posts a thread with every construct, each block of which has one node', () => {
    const blocks = welcomeBlocks('7', '9', 'http://127.0.0.1:3000')
    const trees = blocks.map((block) => parse(block, { position: false }))
    for (const tree of trees) expect(tree.children).toHaveLength(1)
    const types = JSON.stringify(trees).matchAll(/"type":"(\w+)"/g)
    expect([...new Set([...types].map(([, type]) => type))].toSorted()).toEqual(Object.keys(content).toSorted())
  })

  test('without --welcome creates nothing and prints the commands that do; these work as they are printed', async () => {
    const siteUrl = 'https://messages.test'
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const environment = { DATA: join(folder, 'plain'), LOG_LEVEL: 'silent', PORT: String(port), SITE_URL: siteUrl }
    const cli = await buildCli()
    const { child, ended, printed, stdout } = startCli(cli, ['serve'], environment)
    await printed(/people link EMAIL\n/)
    expect(stdout()).toContain(`ready on ${siteUrl},`)
    expect(stdout()).toContain('There is no organization yet.')
    expect(stdout()).not.toContain('wsk_')
    const values: Readonly<Record<string, string>> = { NAME: 'Ann', EMAIL: 'ann@people.test' }
    const outputs: string[] = []
    for (const [, settings = '', words = ''] of stdout().matchAll(/^(.*) npx blockmark-server (.*)$/gm)) {
      const own = Object.fromEntries(settings.split(' ').map((setting) => setting.split('=')))
      outputs.push(
        (
          await runCli(
            cli,
            words.split(' ').map((word) => values[word] ?? word),
            own,
          )
        ).stdout.trim(),
      )
    }
    const [key = '', , link = ''] = outputs
    const ping = await fetch(`${address}/api/public/ping`, { headers: { authorization: `Bearer ${key}` } })
    expect([ping.status, (await fetch(link.replace(siteUrl, address))).status]).toEqual([200, 200])
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
})

test('two servers that start at once on one data folder share its database; the last to go stops it', async () => {
  const data = join(folder, 'shared')
  await mkdir(data)
  const servers = await Promise.all([startServer({ DATA: data }), startServer({ DATA: data })])
  const [first, second] = servers.toSorted((one, other) => other.key.length - one.key.length)
  if (first === undefined || second === undefined) throw new Error('two servers have started')
  expect(second.key).toBe('')
  expect((await first.call('createChannel', { name: 'seen by both' })).status).toBe(200)
  expect((await first.stop()).code).toBe(0)
  const authorization = `Bearer ${first.key}`
  expect((await second.call('createChannel', { name: 'Seen by both' }, { authorization })).status).toBe(409)
  expect((await second.stop()).code).toBe(0)
  // PostgreSQL removes its lock file when it has written everything.
  expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false)
})

test('SIGTERM while the database is starting, or being started again, ends everything with exit code 0', async () => {
  const data = join(folder, 'ending')
  for (const milliseconds of [0, 100, 250]) {
    const { stop } = await startServer({ DATA: data })
    process.kill(postgresOf(data), 'SIGKILL')
    await sleep(milliseconds)
    expect([milliseconds, (await stop()).code, postgresOf(data)]).toEqual([milliseconds, 0, 0])
  }
  const starting = startCli(await buildCli(), ['serve'], { PORT: '0', DATA: data, LOG_LEVEL: 'silent' })
  while (postgresOf(data) === 0) await sleep(5)
  starting.child.kill('SIGTERM')
  expect([(await starting.ended).code, postgresOf(data)]).toEqual([0, 0])
})

test('a start that does not end after SIGTERM is abandoned with exit code 0, and PostgreSQL stops', async () => {
  const data = join(folder, 'abandoned')
  const { child, ended } = startCli(await buildCli(), ['serve'], { PORT: '0', DATA: data, LOG_LEVEL: 'silent' })
  while (postgresOf(data) === 0) await sleep(5)
  const postgres = postgresOf(data)
  // The server is held, like one whose recovery takes long.
  process.kill(postgres, 'SIGSTOP')
  child.kill('SIGTERM')
  const { code } = await ended.finally(() => process.kill(postgres, 'SIGCONT'))
  expect(code).toBe(0)
  await expect.poll(() => postgresOf(data)).toBe(0)
})

describe('the log', () => {
  const entriesOf = (stderr: string): Record<string, unknown>[] =>
    stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('has the address that a trusted proxy names, the path of a 404, and a warning', async () => {
    const settings = { DATA: join(folder, 'addresses'), TRUST_PROXY: 'on', LOG_LEVEL: 'info' }
    const { site, stop } = await startServer(settings)
    await fetch(`${site}/no/such/page?secret=1`)
    for (const value of ['198.51.100.1, 203.0.113.7', 'unknown'])
      await fetch(`${site}/healthz`, { headers: { 'x-forwarded-for': value } })
    const entries = entriesOf((await stop()).stderr)
    expect(entries.filter(({ level }) => level === 40)).toHaveLength(1)
    // The requests before the start are those of the first thread. A path is logged only if it does not exist.
    const answered = entries.slice(entries.findIndex(({ msg }) => msg === 'started')).filter(({ address }) => address)
    expect(answered.map(({ address, path }) => [address, path])).toEqual([
      ['127.0.0.1', '/no/such/page'],
      ['203.0.113.7', undefined],
      ['127.0.0.1', undefined],
    ])
  })

  test('has requests and events, but neither content nor API keys; SIGTERM lets a request finish', async () => {
    const server = await startServer({ DATA: join(folder, 'logged'), LOG_LEVEL: 'info' })
    const secret = 'secret-content'
    expect((await server.call('postThread', { channel: secret, blocks: [secret] })).status).toBe(404)
    // A body is still arriving when the signal comes, and its request still gets a response.
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
    const expecting = { method: 'POST', headers: { ...headers, expect: '100-continue' } }
    const slow = httpRequest(`${server.site}/api/public/createChat`, expecting)
    slow.flushHeaders()
    await once(slow, 'continue')
    slow.write('{"name":')
    server.child.kill('SIGTERM')
    const connecting = async (): Promise<string> => {
      const { socket, received, ended } = connectTo(server.port)
      socket.once('connect', () => socket.destroy())
      await ended
      return received()
    }
    await expect.poll(connecting).toContain('ECONNREFUSED')
    slow.end('"slow"}')
    const [response] = await once(slow, 'response')
    response.resume()
    const { code, stderr } = await server.ended
    expect([response.statusCode, code]).toEqual([200, 0])
    const entries = entriesOf(stderr)
    expect(entries.find(({ status }) => status === 404)).toMatchObject({
      ...{ endpoint: 'postThread', method: 'POST', code: 'not_found', requestID: expect.any(String) },
    })
    expect(entries.filter(({ msg }) => msg !== 'answered' && msg !== 'cleaned up')).toMatchObject([
      { msg: 'migrated', from: 0, to: migrations.length },
      { msg: 'started', site: server.site },
      { msg: 'stopping' },
      { msg: 'stopped' },
    ])
    expect(stderr).not.toMatch(/secret-content|wsk_/)
  })
})

test('a request that is still in progress 10 s after SIGTERM is ended, and the exit code is 0', async () => {
  const { port, key, stop } = await startServer({ DATA: join(folder, 'stuck') })
  const { until } = connectTo(
    port,
    `POST /api/public/createChat HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{"name":',
  )
  await until(/ 100 Continue/)
  expect((await stop()).code).toBe(0)
})

test('requests on connections that the server has not accepted before SIGTERM get responses', async () => {
  const { port, key, child, ended } = await startServer({ DATA: join(folder, 'waiting') })
  // The server is stopped, as if it were busy, so the connections wait in the kernel.
  child.kill('SIGSTOP')
  const ping = `GET /api/public/ping HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`
  const waiting = Array.from({ length: 30 }, () => connectTo(port, ping))
  await Promise.all(waiting.map(({ socket }) => once(socket, 'connect')))
  child.kill('SIGTERM')
  child.kill('SIGCONT')
  await Promise.all(waiting.map((connection) => connection.ended))
  for (const { received } of waiting) expect(received()).toMatch(/^HTTP\/1\.1 200 /)
  expect((await ended).code).toBe(0)
})

test('requests that arrive on kept connections before SIGTERM get responses', async () => {
  const { port, key, child, ended } = await startServer({ DATA: join(folder, 'asked') })
  const ping = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
  const post =
    `POST /api/public/createChat HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
    'content-type: application/json\r\ncontent-length: 12\r\n\r\n{"name":"x"}'
  const kept = Array.from({ length: 60 }, () => connectTo(port, ping))
  await Promise.all(kept.map(({ until }) => until(/ok\n/)))
  // The server is stopped, as if it were busy, so the requests wait in the kernel and arrive together with the signal.
  child.kill('SIGSTOP')
  // Requests that write need the database until their responses.
  for (const [index, { socket }] of kept.entries()) socket.write(index % 3 === 0 ? ping : post)
  child.kill('SIGTERM')
  await sleep(200)
  child.kill('SIGCONT')
  await sleep(20)
  // Ctrl-C in a terminal signals the whole process group, and npm repeats the signal.
  child.kill('SIGTERM')
  child.kill('SIGINT')
  await Promise.all(kept.map((connection) => connection.ended))
  for (const { received } of kept) expect(received().match(/^HTTP\/1\.1 200 /gm)).toHaveLength(2)
  expect((await ended).code).toBe(0)
})
