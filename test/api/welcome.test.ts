/** `blockmark-server --welcome`: the first start creates a thread that shows the features; other starts add nothing. */

import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from '../../src/index.js'
import { readConfig } from '../../src/server/config.js'
import { welcomeBlocks } from '../../src/server/operator/welcome.js'
import { type RunningServer, serve } from '../../src/server/serve.js'
import { type AnyNode, content } from '../../src/tree.js'
import { testFolder } from './support/backends.js'
import { buildCli, runCli, startCli } from './support/cli.js'

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
  expect(html).toMatch(/<h\d[^>]*>Welcome<\/h\d>/)
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

test('the first start with --welcome prints the API key once, the URLs, and commands that work as they are printed', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  const environment = { PORT: '0', DATA: folder }
  const onOneScreen = ['sh', '-c', 'exec "$0" "$@" 2>&1']
  const { child, ended, printed, stdout } = startCli(cli, ['serve', '--welcome'], environment, onOneScreen)
  await printed(/\/postThread\n/)
  // No entry of the log comes between the URL and the API key.
  expect(stdout()).toMatch(/"msg":"started"\}\nblockmark is ready on (?:.*\n)+export BLOCKMARK_API_KEY=wsk_/)
  const site = await printed(/^blockmark is ready on (http:\/\/127\.0\.0\.1:\d+), /m)
  const key = await printed(/^export BLOCKMARK_API_KEY=(wsk_\w{49})$/m)
  const urls = stdout()
    .split('\n')
    .filter((line) => line.startsWith('http'))
  expect(urls).toHaveLength(2)
  for (const url of urls) expect(url).toMatch(new RegExp(`^${site}/\\d+(\\?s=[\\w-]{44})?$`))
  expect(stdout().split(key)).toHaveLength(2)
  const lines = stdout()
    .split('\n')
    .filter((line) => /^(?:export|curl) /.test(line))
    .join('\n')
  const shell = spawnSync('sh', ['-c', lines.replaceAll('curl ', 'curl -sS ')], { encoding: 'utf8' })
  expect([shell.stderr, shell.stdout]).toEqual(['', expect.stringMatching(/"ok":true,"result":\{"threadID"/)])
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  const second = startCli(cli, ['--welcome'], environment)
  await second.printed(/people link EMAIL\n/)
  expect(second.stdout()).toContain(' npx blockmark-server keys create --organization Workspace --bot NAME\n')
  expect(second.stdout()).not.toContain('wsk_')
  second.child.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})

test('a plain first start creates nothing and prints the commands that do; these work as they are printed', async () => {
  const folder = await testFolder()
  const cli = await buildCli()
  const environment = { DATA: folder, LOG_LEVEL: 'silent', PORT: '0' }
  const { child, ended, printed, stdout } = startCli(cli, ['serve'], environment)
  await printed(/people link EMAIL\n/)
  const site = await printed(/ready on (\S+),/)
  expect(stdout()).toContain('There is no organization yet.')
  expect(stdout()).not.toContain('wsk_')
  const commands = [...stdout().matchAll(/^(.*) npx blockmark-server (.*)$/gm)]
  const values: Readonly<Record<string, string>> = { NAME: 'Ann', EMAIL: 'ann@people.test' }
  const outcomes: string[] = []
  for (const [, settings = '', words = ''] of commands) {
    const printed = Object.fromEntries(settings.split(' ').map((setting) => setting.split('=')))
    const given = words.split(' ').map((word) => values[word] ?? word)
    outcomes.push((await runCli(cli, given, printed)).stdout)
  }
  const [key = '', , link = ''] = outcomes
  const headers = { authorization: `Bearer ${key.trim()}` }
  expect((await fetch(`${site}/api/public/ping`, { headers })).status).toBe(200)
  expect(link).toContain(`${site}/sign-in?link=`)
  expect((await fetch(link.trim())).status).toBe(200)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
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
