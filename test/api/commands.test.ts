/** The operator's commands, each as a process, beside a running server and without one. */

import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { variables } from '../../src/server/config.js'
import { temporaryFolder } from './support/backends.js'
import { type BuiltCli, buildCli, runCli, startCli } from './support/cli.js'

let folder = ''
let cli: BuiltCli

beforeAll(async () => {
  folder = await temporaryFolder()
  cli = await buildCli()
})

afterAll(async () => {
  await cli.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command that has to succeed, and gives what it prints. */
async function run(data: string, line: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await runCli(cli, line.split(' '), { DATA: join(folder, data) }, input)
  expect([line, code, stderr]).toEqual([line, 0, ''])
  return stdout
}

async function refusal(data: string, line: string, input = ''): Promise<[number | null, string]> {
  const { code, stderr } = await runCli(cli, line.split(' '), { DATA: join(folder, data) }, input)
  return [code, stderr]
}

test('beside a running server keys are made, listed, rotated and revoked, and what is revoked stops at once', {
  timeout: 240_000,
}, async () => {
  const server = startCli(cli, ['serve'], { DATA: join(folder, 'beside'), PORT: '0', LOG_LEVEL: 'silent' })
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.ended
  })
  const site = await server.printed(/ready on (\S+),/)
  const ping = async (key: string): Promise<string> => {
    const answer = await fetch(`${site}/api/public/ping`, { headers: { authorization: `Bearer ${key}` } })
    return answer.status === 200 ? JSON.stringify(await answer.json()) : String(answer.status)
  }
  const made = await run('beside', 'keys create --organization Acme --bot Deploys')
  expect(made).toMatch(/^wsk_\w{49}\n$/)
  const key = made.trim()
  const deploys = '{"ok":true,"result":{"name":"Deploys","organization":"Acme"}}'
  expect(await ping(key)).toBe(deploys)
  const list = await run('beside', 'keys list --organization Acme')
  const [id = ''] = list.split(' ')
  expect(list).toMatch(/^\d+ {2}Deploys {2}made [\d:T.Z-]+\n$/)
  const fresh = (await run('beside', `keys rotate ${id} --grace 0.5`)).trim()
  expect([await ping(key), await ping(fresh)]).toEqual([deploys, deploys])
  expect(await run('beside', 'keys list --organization Acme')).toMatch(/ends [\d:T.Z-]+\n\d+ {2}Deploys/)
  expect(await run('beside', 'keys revoke -', `${fresh}\n`)).toBe('')
  expect(await run('beside', `keys revoke ${id}`)).toBe('')
  expect([await ping(key), await ping(fresh)]).toEqual(['401', '401'])
  expect(await refusal('beside', 'keys revoke -', fresh)).toEqual([1, 'blockmark-server: there is no such key\n'])
  expect(await refusal('beside', 'bots list')).toEqual([
    1,
    'blockmark-server: say which --organization: Acme, Workspace\n',
  ])
  expect(await refusal('beside', 'bots list --organization Nobody')).toEqual([
    1,
    'blockmark-server: there is no organization Nobody; there are: Acme, Workspace\n',
  ])
  expect(await run('beside', 'bots list --organization Acme')).toMatch(/^(\d+) {2}Deploys {2}bot-\1@127\.0\.0\.1\n$/)
  expect(await ping((/wsk_\w{49}/.exec(server.stdout()) ?? [''])[0])).toContain('Workspace')
  await run('beside', 'users add Ada ada@people.test --organization Acme')
  const link = (await run('beside', 'users link ada@people.test --organization Acme')).trim()
  expect([link.startsWith(`${site}/sign-in?link=`), (await fetch(link)).status]).toEqual([true, 200])
})

test('without a server people are added, imported, listed and removed; an organization moves to another folder', {
  timeout: 240_000,
}, async () => {
  await run('first', 'keys create --organization Acme --bot Bot')
  expect(await run('first', 'users add Ada ada@people.test')).toBe('1 added, 0 known already\n')
  const csv = 'email,name\nADA@people.test,Ada Lovelace\nbob@people.test,"Bob, B."\n'
  expect(await run('first', 'users import -', csv)).toBe('1 added, 1 known already\n')
  expect(await refusal('first', 'users import -', 'Ada,ada@people.test\n')).toEqual([
    ...[1, 'blockmark-server: the first line has to be name,email\n'],
  ])
  expect(await run('first', 'users list')).toMatch(/^\d+ {2}Ada Lovelace {2}ada@people.test\n\d+ {2}Bob, B\. +bob@/)
  expect(await run('first', 'users link ada@people.test')).toMatch(/^http:\/\/127\.0\.0\.1:3000\/\S+\n$/)
  expect(await run('first', 'users remove BOB@people.test')).toBe('')
  expect(await refusal('first', 'users remove bob@people.test')).toEqual([
    ...[1, 'blockmark-server: bob@people.test is nobody in this organization, or a bot\n'],
  ])
  expect(await run('first', 'files prune')).toBe('0 removed\n')
  const exported = join(folder, 'exported')
  await mkdir(exported)
  expect(await run('first', `export ${exported}`)).toBe('Acme: 3 rows, 0 files\n')
  expect(await run('second', `import ${exported}`)).toBe('Acme: imported, 0 files\n')
  expect(await refusal('second', `import ${exported}`)).toEqual([
    ...[1, 'blockmark-server: the organization Acme exists; import into another database\n'],
  ])
  expect(await run('second', 'users list')).toBe(await run('first', 'users list'))
  const names = await readdir(exported)
  const contents = await Promise.all(
    names.filter((name) => name !== 'files').map((name) => readFile(join(exported, name), 'utf8')),
  )
  expect(contents.join('')).not.toMatch(/wsk_|api_keys/)
  const checked = await run('second', 'doctor')
  expect(checked).toMatch(/^ok +database +PostgreSQL 18\.\S+, schema \d+, 1 organization\(s\)$/m)
  expect(checked).not.toContain('FAIL')
})

test('bots alone lists, and takes nothing else', async () => {
  await run('alone', 'keys create --organization Acme --bot Bot')
  expect(await run('alone', 'bots')).toBe(await run('alone', 'bots list'))
  expect(await refusal('alone', 'bots add')).toEqual([2, 'blockmark-server: bots takes no add; alone it lists them\n'])
})

test.each([[['--help']], [['serve', '--help']]])(
  'the help of %j lists every setting with its default',
  async (words) => {
    const { stdout } = await runCli(cli, words)
    for (const { name, default: value } of variables) {
      expect(stdout).toMatch(
        new RegExp(`^  ${name} .*${value === '' ? '' : `\\(default ${value.replace('$', '\\$')}\\)`}$`, 'm'),
      )
    }
    for (const name of ['PORT', 'HOST', 'DATA', 'DATABASE_URL', 'SITE_URL', 'FILES', 'RATE_LIMIT', 'TRUST_PROXY']) {
      expect(stdout).toContain(`  ${name} `)
    }
  },
)

test('before anything is there, a command says what makes an organization', async () => {
  const [code, stderr] = await refusal('nothing', 'bots')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^blockmark-server: there is no organization yet: blockmark-server keys create [^\n]+\n$/)
})
