/** The operator's commands, each as a process, next to a running server and without one. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBackend } from '../../src/server/backend.js'
import { readConfig, variables } from '../../src/server/config.js'
import { declaration, migrations, versionOf } from '../../src/server/store/migrate.js'
import { sharedFolder } from './support/backends.js'
import { type BuiltCli, buildCli, runCli, startCli } from './support/cli.js'
import { portOf } from './support/programs.js'

const folder = sharedFolder()
let cli: BuiltCli

beforeAll(async () => {
  cli = await buildCli()
})

/** Runs a command that must succeed, and returns its output. */
async function run(data: string, line: string, input = '', notes: unknown = ''): Promise<string> {
  const { code, stdout, stderr } = await runCli(cli, line.split(' '), { DATA: join(folder, data) }, input)
  expect([line, code, stderr]).toEqual([line, 0, notes])
  return stdout
}

/** Runs the server, with an organization Workspace, until it is ready. */
async function createDatabase(data: string): Promise<void> {
  const server = startCli(cli, ['serve', '--welcome'], { DATA: join(folder, data), PORT: '0', LOG_LEVEL: 'silent' })
  await server.printed(/ready on (\S+),/)
  server.child.kill('SIGTERM')
  await server.ended
}

async function refusal(data: string, line: string, input = ''): Promise<[number | null, string]> {
  const { code, stderr } = await runCli(cli, line.split(' '), { DATA: join(folder, data) }, input)
  return [code, stderr]
}

test('next to a running server, API keys are created, listed, rotated and revoked at once', async () => {
  const server = startCli(cli, ['serve', '--welcome'], { DATA: join(folder, 'next'), PORT: '0', LOG_LEVEL: 'silent' })
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.ended
  })
  const site = await server.printed(/ready on (\S+),/)
  const ping = async (key: string): Promise<string> => {
    const answer = await fetch(`${site}/api/public/ping`, { headers: { authorization: `Bearer ${key}` } })
    return answer.status === 200 ? JSON.stringify(await answer.json()) : String(answer.status)
  }
  const notes = `database: DATA=${join(folder, 'next')}; added the organization Acme and the bot Deploys\n`
  const made = await run('next', 'keys create --organization Acme --bot Deploys', '', notes)
  expect(made).toMatch(/^wsk_\w{49}\n$/)
  const key = made.trim()
  const deploys = '{"ok":true,"result":{"name":"Deploys","organization":"Acme"}}'
  expect(await ping(key)).toBe(deploys)
  const list = await run('next', 'keys list --organization Acme')
  const [id = ''] = list.split(' ')
  expect(list).toMatch(/^\d+ {2}Deploys {2}created [\d:T.Z-]+\n$/)
  const until = expect.stringMatching(/^the API key \d+ works until [\d:T.Z-]+; its successor:\n$/)
  const fresh = (await run('next', `keys rotate ${id} --grace 0.5 --organization Acme`, '', until)).trim()
  expect([await ping(key), await ping(fresh)]).toEqual([deploys, deploys])
  expect(await run('next', 'keys list --organization Acme')).toMatch(/ends [\d:T.Z-]+\n\d+ {2}Deploys/)
  expect(await run('next', `keys revoke ${id} --organization Acme`)).toBe(`revoked the API key ${id}\n`)
  expect([await ping(key), await ping(fresh)]).toEqual(['401', deploys])
  expect(await refusal('next', `keys revoke ${id} --organization Acme`)).toEqual([
    ...[1, `blockmark-server: no live API key has the id ${id}: see npx blockmark-server keys list\n`],
  ])
  expect(await refusal('next', 'bots list')).toEqual([
    1,
    'blockmark-server: there are several organizations: choose one with --organization (Acme, Workspace)\n',
  ])
  expect(await refusal('next', 'bots list --organization Nobody')).toEqual([
    1,
    'blockmark-server: no organization is named Nobody: choose one of Acme, Workspace\n',
  ])
  expect(await run('next', 'bots list --organization Acme')).toMatch(/^(\d+) {2}Deploys {2}bot-\1@127\.0\.0\.1\n$/)
  expect(await ping((/wsk_\w{49}/.exec(server.stdout()) ?? [''])[0])).toContain('Workspace')
  await run('next', 'people add Ada ada@people.test --organization Acme')
  const environment = { DATA: join(folder, 'next'), SITE_URL: site }
  const words = 'people link ada@people.test --organization Acme'.split(' ')
  const { stdout: link, stderr } = await runCli(cli, words, environment)
  expect([stderr, link.startsWith(`${site}/sign-in?link=`), (await fetch(link.trim())).status]).toEqual(['', true, 200])
})

test('without a server, people are added, imported, listed and removed, and an organization moves to another folder', async () => {
  await createDatabase('first')
  await run('first', 'organizations rename Workspace Acme')
  expect(await run('first', 'people add Ada ada@people.test')).toBe('1 added, 0 known already\n')
  const csv = 'email,name\nADA@people.test,Ada Lovelace\nbob@people.test,"Bob, B."\n'
  expect(await run('first', 'people import -', csv)).toBe('1 added, 1 known already\n')
  expect(await refusal('first', 'people import -', 'Ada,ada@people.test\n')).toEqual([
    ...[1, 'blockmark-server: the first line is Ada,ada@people.test: write name,email\n'],
  ])
  expect(await run('first', 'people list')).toMatch(/^\d+ {2}Ada Lovelace {2}ada@people.test\n\d+ {2}Bob, B\. +bob@/)
  const address = 'http://127.0.0.1:3000'
  const ours = `the link is for a server on ${address}: if its URL is another one, set SITE_URL\n`
  expect(await run('first', 'people link ada@people.test', '', ours)).toMatch(new RegExp(`^${address}/\\S+\n$`))
  const asked =
    'blockmark-server: this removes BOB@people.test from all channels and chats: repeat the command with --yes\n'
  expect(await refusal('first', 'people remove BOB@people.test')).toEqual([2, asked])
  expect(await run('first', 'people remove --yes BOB@people.test')).toBe('removed BOB@people.test\n')
  expect(JSON.parse(await run('first', 'people list --json'))).toMatchObject([{ name: 'Ada Lovelace' }])
  expect(await refusal('first', 'people remove --yes bob@people.test')).toEqual([
    ...[
      1,
      'blockmark-server: no person has the e-mail address bob@people.test: see npx blockmark-server people list\n',
    ],
  ])
  const exported = join(folder, 'exported')
  await mkdir(exported)
  expect(await run('first', `export ${exported}`)).toMatch(/^exported \d+ rows and 1 file to \S+\n$/)
  expect(await run('second', `import ${exported}`)).toMatch(/^imported \d+ rows and 1 file\n$/)
  expect(await refusal('second', `import ${exported}`)).toEqual([
    ...[1, 'blockmark-server: the database has organizations: import into a new one\n'],
  ])
  expect(await run('second', 'people list')).toBe(await run('first', 'people list'))
  const names = await readdir(exported)
  const contents = await Promise.all(
    names.filter((name) => name !== 'files').map((name) => readFile(join(exported, name), 'utf8')),
  )
  expect(contents.join('')).not.toMatch(/wsk_|api_keys/)
  const checked = await run('second', 'doctor')
  expect(checked).toMatch(/^ok +database +PostgreSQL 18\.\S+ at DATA=\S+, 1 organization$/m)
  expect(checked).toMatch(/^ok +schema +\d+, as this version needs$/m)
  expect(checked).not.toContain('FAIL')
})

test('organizations are added, renamed, suspended and removed, and bots are removed, next to a running server', async () => {
  const data = join(folder, 'many')
  const server = startCli(cli, ['serve', '--welcome'], { DATA: data, PORT: '0', LOG_LEVEL: 'silent' })
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.ended
  })
  const site = await server.printed(/ready on (\S+),/)
  const key = await server.printed(/^export BLOCKMARK_API_KEY=(wsk_\w{49})$/m)
  const call = async (endpoint: string, init: RequestInit = {}): Promise<[number, string]> => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const response = await fetch(`${site}/api/public/${endpoint}`, { ...init, headers })
    return [response.status, await response.text()]
  }
  const post = (endpoint: string, body: object): Promise<[number, string]> =>
    call(endpoint, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  await run('many', 'organizations add Acme')
  expect(await run('many', 'organizations')).toBe('Acme\nWorkspace\n')
  for (const name of ['Acme', 'ACME', '  acme ']) {
    const { code, stderr } = await runCli(cli, ['organizations', 'add', name], { DATA: data })
    expect([code, stderr]).toEqual([1, 'blockmark-server: the organization Acme exists: choose another name\n'])
  }
  expect(await refusal('many', 'organizations rename Workspace aCME')).toEqual([
    ...[1, 'blockmark-server: the organization Acme exists: choose another name\n'],
  ])
  expect(await refusal('many', `organizations add ${'x'.repeat(81)}`)).toEqual([
    ...[1, 'blockmark-server: the name of the organization has 81 characters: 1 to 80 are allowed\n'],
  ])
  // Another case is the same organization and the same bot.
  const notes = `database: DATA=${data}\n`
  await run('many', 'keys create --organization workspace --bot bot', '', notes)
  expect(await run('many', 'organizations')).toBe('Acme\nWorkspace\n')
  expect((await run('many', 'bots --organization Workspace')).trim().split('\n')).toHaveLength(1)
  await run('many', 'organizations rename Workspace WORKSPACE')
  expect((await call('ping'))[1]).toContain('"organization":"WORKSPACE"')

  expect(await run('many', 'organizations suspend Workspace')).toMatch(/^suspended the organization Workspace: /)
  expect(await run('many', 'organizations list')).toBe('Acme\nWORKSPACE  suspended\n')
  const suspended = await call('ping')
  expect([suspended[0], /"message":"([^"]+)"/.exec(suspended[1])?.[1]]).toEqual([
    ...[401, 'The organization of this API key is suspended: ask the operator of this service.'],
  ])
  await run('many', 'organizations resume Workspace')
  expect((await call('ping'))[0]).toBe(200)

  const other = (
    await run('many', 'keys create --organization Acme --bot Other', '', `${notes.trim()}; added the bot Other\n`)
  ).trim()
  const [id = ''] = (await run('many', 'bots --organization Acme')).split(' ')
  expect(await run('many', `bots remove --yes ${id} --organization Acme`)).toBe('removed the bot Other\n')
  const gone = await fetch(`${site}/api/public/ping`, { headers: { authorization: `Bearer ${other}` } })
  expect([gone.status, await run('many', 'bots --organization Acme')]).toEqual([401, ''])
  expect(await refusal('many', `bots remove --yes ${id} --organization Acme`)).toEqual([
    ...[1, `blockmark-server: no bot has the id ${id}: see npx blockmark-server bots list\n`],
  ])

  const form = new FormData()
  form.append('data', new Blob(['a file']), 'a.txt')
  const [, uploaded] = await call('upload', { method: 'POST', body: form })
  const { fileID } = JSON.parse(uploaded).result
  await post('createChannel', { name: 'c' })
  const [, posted] = await post('postThread', { channel: 'c', blocks: ['x', `<!${fileID}|>`] })
  const { threadID, threadURL } = JSON.parse(posted).result
  const [, commented] = await post('postComment', { threadID, blocks: ['first'] })
  await post('postComment', { threadID, parentID: JSON.parse(commented).result.commentID, blocks: ['reply'] })
  await post('createChat', { name: 'talk' })
  await post('postChatMessage', { chat: 'talk', body: 'hello' })
  expect((await fetch(threadURL)).status).toBe(200)
  const elsewhere = { DATA: join(folder, 'many'), SITE_URL: 'https://messages.example.com' }
  const mistaken = await runCli(cli, ['posts', 'remove', '--yes', threadURL], elsewhere)
  expect([mistaken.code, mistaken.stderr]).toEqual([
    1,
    `blockmark-server: ${threadURL} is not a URL of https://messages.example.com: check SITE_URL and DATA\n`,
  ])
  expect(await run('many', `posts remove --yes ${threadURL}`)).toBe(`removed the thread ${threadID} of WORKSPACE\n`)
  expect((await fetch(threadURL)).status).toBe(404)
  expect(await refusal('many', 'organizations remove workspace')).toEqual([
    2,
    'blockmark-server: this removes WORKSPACE with all of its messages and files: repeat the command with --yes\n',
  ])
  expect(await run('many', 'organizations remove --yes workspace')).toBe(
    'removed the organization WORKSPACE with all of its messages and files\n',
  )
  expect(await run('many', 'organizations')).toBe('Acme\n')
  expect([(await call('ping'))[0], (await fetch(threadURL)).status]).toEqual([401, 404])
  const kept = await readdir(join(data, 'files'), { recursive: true, withFileTypes: true })
  expect(kept.filter((entry) => entry.isFile())).toEqual([])
  await run('many', 'organizations add Workspace')
  expect(await refusal('many', 'organizations drop Acme')).toEqual([
    2,
    'blockmark-server: unknown action drop: choose list, add, rename, suspend, resume, remove\n',
  ])
  expect(await refusal('many', 'bots add')).toEqual([2, 'blockmark-server: unknown action add: choose list, remove\n'])
  expect(await refusal('many', 'keys rotate')).toEqual([
    ...[
      2,
      'blockmark-server: expected npx blockmark-server keys rotate ID, for example 100002: see npx blockmark-server keys list\n',
    ],
  ])
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

test('the help names the exit codes, the signals, the oldest PostgreSQL and the way to TLS', async () => {
  const { stdout } = await runCli(cli, ['--help'])
  for (const start of ['Exit codes: 0 ', 'Signals: SIGTERM ', 'PostgreSQL: version 15 ', 'TLS: use a proxy ']) {
    expect(stdout).toContain(`\n${start}`)
  }
})

describe('without a database, only serve and import create one', () => {
  test.each([
    'organizations',
    'organizations add Acme',
    'keys create --organization Acme --bot Bot',
    'keys revoke 7',
    'bots',
    'people add Ada ada@people.test',
    'export somewhere',
  ])('%s', async (line) => {
    const data = join(folder, 'nothing')
    expect(await refusal('nothing', line)).toEqual([
      1,
      `blockmark-server: there is no database in DATA=${data}: set DATA or DATABASE_URL as for the server, or start the server to create a database\n`,
    ])
    expect(existsSync(data)).toBe(false)
  })

  test('import, if a folder is not an export', async () => {
    expect(await refusal('nothing', 'import nowhere')).toEqual([
      ...[1, 'blockmark-server: nowhere is not an export: manifest.json is missing\n'],
    ])
    expect(existsSync(join(folder, 'nothing'))).toBe(false)
  })

  test('doctor', async () => {
    const { code, stdout } = await runCli(cli, ['doctor'], { DATA: join(folder, 'nothing') })
    expect([code, existsSync(join(folder, 'nothing'))]).toEqual([1, false])
    expect(stdout).toMatch(/^ok +disk +\d+ MB free at \S+\nFAIL +database +there is no database in DATA=\S+: set DATA/)
  })
})

test('doctor finds a newer schema, and does not change it', async () => {
  await createDatabase('newer')
  const data = join(folder, 'newer')
  const backend = await openBackend(readConfig({ DATA: data }))
  const known = migrations.length
  await backend.database.run('', declaration(known + 1), [])
  const { code, stdout } = await runCli(cli, ['doctor'], { DATA: data })
  const line = `schema     ${known + 1}, this version knows ${known}: install a newer one\n`
  expect([code, stdout]).toEqual([1, expect.stringContaining(line)])
  expect(stdout).toContain('file data  1 of 1 can be read in DATA/files')
  expect(await versionOf(backend.database.run)).toBe(known + 1)
  expect(await refusal('newer', 'bots')).toEqual([
    ...[1, expect.stringMatching(`has schema ${known + 1}, this version knows ${known}: install`)],
  ])
  await backend.close()
})

test('a server whose bucket never responds ends after a signal', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const endpoint = `http://127.0.0.1:${portOf(silent)}`
  const bucket = { FILES: 's3://b', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: endpoint }
  const settings = { DATA: join(folder, 'bucket'), PORT: '0', LOG_LEVEL: 'silent', ...bucket }
  const server = startCli(cli, ['serve'], settings)
  const url = await server.printed(/ready on (\S+),/)
  const { stdout: key } = await runCli(cli, 'keys create --organization A --bot B'.split(' '), settings)
  const headers = { authorization: `Bearer ${key.trim()}` }
  const body = new FormData()
  body.append('data', new Blob(['a file']), 'a.txt')
  const asked = once(silent, 'connection')
  const upload = fetch(`${url}/api/public/upload`, { method: 'POST', headers, body }).catch(() => null)
  await asked
  const signaled = performance.now()
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  await upload
  // The requests in progress have ten seconds. A request to the bucket has 30.
  expect(performance.now() - signaled).toBeLessThan(25_000)
})
