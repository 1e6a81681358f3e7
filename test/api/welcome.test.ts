/** `blockmark-server --welcome`: the first start creates a thread that shows the features; other starts add nothing. */

import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parse } from '../../src/index.js'
import { readConfig } from '../../src/server/config.js'
import { welcomeBlocks } from '../../src/server/operator/welcome.js'
import { type Announcement, type RunningServer, serve } from '../../src/server/serve.js'
import { type AnyNode, content } from '../../src/tree.js'
import { testFolder } from './support/backends.js'
import { buildCli, startCli } from './support/cli.js'

const blocks: readonly string[] = welcomeBlocks({ botID: '7', fileID: '9', siteUrl: 'http://127.0.0.1:3000' })

function typesIn(node: AnyNode): string[] {
  return [node.type, ...('children' in node ? node.children.flatMap(typesIn) : [])]
}

test('the thread has every construct, each block one child of the root', () => {
  const trees = blocks.map((block) => parse(block, { position: false }))
  expect([...new Set(trees.flatMap(typesIn))].toSorted()).toEqual(Object.keys(content).toSorted())
  const depths = trees.flatMap(({ children }) => children).flatMap((node) => ('depth' in node ? [node.depth] : []))
  expect([...new Set(depths)]).toEqual([1, 2])
  for (const tree of trees) expect(tree.children).toHaveLength(1)
})

async function readChannels({ siteUrl }: RunningServer, key: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${siteUrl}/api/public/channels`, { headers })
  const { result }: { result: unknown[] } = JSON.parse(await answer.text())
  return result
}

test('the first start with --welcome creates a thread with a share link, and later starts add nothing', async () => {
  const folder = await testFolder()
  const config = readConfig({ PORT: '0', DATA: folder, LOG_LEVEL: 'silent' })
  const server = await serve(config, { welcome: true })
  const { key } = server.first ?? { key: '' }
  const page = await fetch(server.welcome?.threadURL ?? '')
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('<h1>Welcome</h1>')
  expect(html).toContain('data-user-id=')
  const [, picture = ''] = /<img src="([^"]+)"/.exec(html) ?? []
  const shown = await fetch(server.siteUrl + picture.replaceAll('&amp;', '&'))
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  const channel = await fetch(server.welcome?.channelURL ?? '', { headers: { authorization: `Bearer ${key}` } })
  expect(channel.status).toBe(200)
  expect(await readChannels(server, key)).toMatchObject([{ name: 'welcome', privacy: 'public' }])
  await server.close()
  const again = await serve(config, { welcome: true })
  expect([again.first, again.welcome]).toEqual([null, null])
  expect(await readChannels(again, key)).toHaveLength(1)
  await again.close()
})

test('a plain first start is empty; both kinds print the URL, the API key once, and a command that posts a thread', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  for (const words of [['serve'], ['serve', '--welcome']]) {
    const data = join(folder, String(words.length))
    const { child, ended, printed, stdout } = startCli(cli, words, { PORT: '0', DATA: data, LOG_LEVEL: 'silent' })
    await printed(/\/postThread\n/)
    const site = await printed(/^blockmark is ready on (http:\/\/127\.0\.0\.1:\d+), /)
    const key = await printed(/^export BLOCKMARK_API_KEY=(wsk_\w{49})$/m)
    const curl = await printed(/^(curl .*)$/m)
    const urls = stdout()
      .split('\n')
      .filter((line) => line.startsWith('http'))
    expect(urls.length).toBe(words.length === 1 ? 0 : 2)
    for (const url of urls) expect(url).toMatch(new RegExp(`^${site}/\\d+(\\?s=[\\w-]{22,44})?$`))
    expect(curl).toContain('Bearer $BLOCKMARK_API_KEY"')
    expect(stdout().split(key)).toHaveLength(2)
    // The commands run as they are printed.
    const lines = stdout()
      .split('\n')
      .filter((line) => /^(?:export|curl) /.test(line))
      .join('\n')
    const shell = spawnSync('sh', ['-c', lines.replaceAll('curl ', 'curl -sS ')], { encoding: 'utf8' })
    expect([shell.stderr, shell.stdout]).toEqual(['', expect.stringMatching(/"ok":true,"result":\{"threadID"/)])
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }
})

test('the requests of the welcome are not logged; a later start says how to sign in and create an API key', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  const first = startCli(cli, ['--welcome'], { PORT: '0', DATA: folder })
  await first.printed(/^export BLOCKMARK_API_KEY=(wsk_\w{49})$/m)
  first.child.kill('SIGTERM')
  expect((await first.ended).stderr).not.toMatch(/answered|failed/)
  const second = startCli(cli, ['--welcome'], { PORT: '0', DATA: folder })
  const site = await second.printed(/sign in on (\S+)\/sign-in to see its channels/)
  await second.printed(/blockmark-server people link EMAIL\n/)
  expect(second.stdout()).toContain('blockmark-server keys create --organization Workspace --bot NAME\n')
  expect(second.stdout()).not.toContain('wsk_')
  expect((await fetch(`${site}/sign-in`)).status).toBe(200)
  second.child.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})

const hasPython: boolean = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the log is lines on a terminal, and JSON in a pipe (python3 for a terminal)', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  const terminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
  const environment = { PORT: '0', DATA: folder }
  for (const before of [[], ['python3', '-c', terminal]]) {
    const { child, ended, printed, stdout, stderr } = startCli(cli, ['serve'], environment, before)
    const site = await printed(/ready on (\S+),/)
    await fetch(`${site}/healthz`)
    const isShown = (): boolean => /\d\d:\d\d:\d\d 200 GET operation in [\d.]+ ms \([\w-]{36}\)/.test(stdout())
    if (before.length > 0) while (!isShown()) await sleep(10)
    // A terminal passes the signal on.
    if (before.length > 0) child.stdin?.write('\x03')
    else child.kill('SIGTERM')
    await ended
    if (before.length === 0) expect(stderr()).toMatch(/^\{.*"endpoint":"operation".*"status":200.*\}$/m)
    expect(stdout()).not.toContain('"level"')
  }
})

test('a start after one that died before it showed the first API key shows another one, and says why', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  const config = readConfig({ PORT: '0', DATA: folder, LOG_LEVEL: 'silent' })
  let lost = ''
  const announce = async ({ first }: Announcement): Promise<void> => {
    lost = first?.key ?? ''
    throw new Error('it died')
  }
  await expect(serve(config, { announce })).rejects.toThrow('it died')
  expect(lost).toMatch(/^wsk_/)
  const { child, ended, printed, stdout } = startCli(cli, ['serve'], { PORT: '0', DATA: folder, LOG_LEVEL: 'silent' })
  await printed(/\/postThread\n/)
  expect(stdout()).toContain(
    'The last start ended before its API key was shown: that key is revoked, and this is a new one.',
  )
  const site = await printed(/^blockmark is ready on (http:\/\/127\.0\.0\.1:\d+), /)
  const key = await printed(/^export BLOCKMARK_API_KEY=(wsk_\w{49})$/m)
  const statusOf = async (one: string): Promise<number> =>
    (await fetch(`${site}/api/public/ping`, { headers: { authorization: `Bearer ${one}` } })).status
  expect([await statusOf(lost), await statusOf(key)]).toEqual([401, 200])
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  const again = await serve(config)
  expect(again.first).toBeNull()
  await again.close()
})

test('npm start runs the server, and a signal to npm stops it', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  const { scripts }: { scripts: { start: string } } = JSON.parse(await readFile('package.json', 'utf8'))
  const script = scripts.start
    .replace('node .ci/installed.js && node .ci/build.js', 'true')
    .replace('node dist/server/bin.js', '"$0" "$1"')
  const environment = { PORT: '0', DATA: folder, LOG_LEVEL: 'silent' }
  const { child, ended, printed } = startCli(cli, [], environment, ['sh', '-c', script])
  await printed(/\/postThread\n/)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})
