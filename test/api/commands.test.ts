/** The operator's commands, next to a running server and without one. */

import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBackend } from '../../src/server/backend.js'
import { readConfig, variables } from '../../src/server/config.js'
import { readPeople } from '../../src/server/operator/members.js'
import { program } from '../../src/server/program.js'
import { migrations, versionOf, versionStatement } from '../../src/server/store/migrate.js'
import { sharedFolder } from './support/backends.js'
import { command, formOf, newSettings, serveHere } from './support/server.js'

type Settings = Readonly<Record<string, string>>

/** Runs a command that must succeed, and returns its output. */
async function run(settings: Settings, line: string, input = '', notes: unknown = ''): Promise<string> {
  const { code, stdout, stderr } = await command(line.split(' '), settings, input)
  expect([line, code, stderr]).toEqual([line, 0, notes])
  return stdout
}

/** Runs a command that must fail, and returns its exit code and its error. */
async function refusal(settings: Settings, line: string, input = ''): Promise<[number | null, string]> {
  const { code, stderr } = await command(line.split(' '), settings, input)
  expect(stderr).toMatch(/^blockmark-server: .*\n$/)
  return [code, stderr.slice('blockmark-server: '.length, -1)]
}

describe('next to a running server', () => {
  let server: Awaited<ReturnType<typeof serveHere>>
  let settings: Settings

  beforeAll(async () => {
    server = await serveHere()
    settings = server.settings
  })

  afterAll(() => server.close())

  /** Returns the name of a bot and of its organization, or the status. */
  async function ping(key: string): Promise<unknown> {
    const answer = await server.call('ping', undefined, { authorization: `Bearer ${key}` })
    const { result, error }: { result: object; error: { message: string } } = JSON.parse(await answer.text())
    return answer.status === 200 ? result : [answer.status, error.message]
  }

  const noKey = [401, 'Send a valid API key: Authorization: Bearer <key>.']

  test('API keys are created, listed, rotated and revoked at once', async () => {
    const made = expect.stringMatching(
      /^database: DATABASE_URL=\S+; added the organization Keys and the bot Deploys\n$/,
    )
    const key = (await run(settings, 'keys create --organization Keys --bot Deploys', '', made)).trim()
    expect(key).toMatch(/^wsk_\w{49}$/)
    const deploys = { name: 'Deploys', organization: 'Keys' }
    expect(await ping(key)).toEqual(deploys)
    const list = await run(settings, 'keys list --organization Keys')
    const [id = ''] = list.split(' ')
    expect(list).toMatch(/^\d+ {2}Deploys {2}[\d:T.Z-]+\n$/)
    const until = expect.stringMatching(/^the API key \d+ works until [\d:T.Z-]+; its successor:\n$/)
    const fresh = (await run(settings, `keys rotate ${id} --grace 0.5 --organization Keys`, '', until)).trim()
    expect([await ping(key), await ping(fresh)]).toEqual([deploys, deploys])
    expect(await run(settings, 'keys list --organization Keys')).toMatch(
      /^\d+ {2}Deploys( {2}[\d:T.Z-]+){2}\n\d+ {2}Deploys/,
    )
    expect(await run(settings, `keys revoke ${id} --organization Keys`)).toBe(`revoked the API key ${id}\n`)
    expect([await ping(key), await ping(fresh)]).toEqual([noKey, deploys])
    expect(await refusal(settings, `keys revoke ${id} --organization Keys`)).toEqual([
      ...[1, `no live API key has the id ${id}: see ${program} keys list`],
    ])
  })

  test('people are added, imported, listed, signed in and removed', async () => {
    await run(settings, 'organizations add People')
    const people = (line: string, input = '', notes: unknown = ''): Promise<string> =>
      run(settings, `people ${line} --organization People`, input, notes)
    expect(await people('add Ada ada@people.test')).toBe(
      `1 added, 0 known already; ${program} people link EMAIL lets a person sign in\n`,
    )
    const csv = 'email,name\nADA@people.test,Ada Lovelace\nbob@people.test,"Bob, B."\n'
    expect(await people('import -', csv)).toMatch(/^1 added, 1 known already; /)
    expect(await people('list')).toMatch(/^\d+ {2}Ada Lovelace {2}ada@people.test\n\d+ {2}Bob, B\. +bob@/)
    const elsewhere = { ...settings, SITE_URL: server.site }
    const link = await run(elsewhere, 'people link ada@people.test --organization People')
    expect([link.startsWith(`${server.site}/sign-in?link=`), (await fetch(link.trim())).status]).toEqual([true, 200])
    const ours = expect.stringMatching(/^the link is for a server on \S+: if its URL is another one, set SITE_URL\n$/)
    await people('link ada@people.test', '', ours)
    expect(await people('remove --yes BOB@people.test')).toBe('removed BOB@people.test\n')
    expect(JSON.parse(await people('list --json'))).toMatchObject([{ name: 'Ada Lovelace' }])
  })

  test('organizations are added, renamed, suspended and removed, with their files', async () => {
    await run(settings, 'organizations add Acme')
    const notes = expect.stringContaining('added the bot Bot')
    const key = (await run(settings, 'keys create --organization acme --bot Bot', '', notes)).trim()
    await run(settings, 'keys create --organization ACME --bot bot', '', expect.not.stringContaining('added'))
    expect((await run(settings, 'bots --organization Acme')).trim().split('\n')).toHaveLength(1)
    await run(settings, 'organizations rename Acme ACME')
    expect(await ping(key)).toEqual({ name: 'Bot', organization: 'ACME' })
    expect(await run(settings, 'organizations suspend Acme')).toMatch(/^suspended the organization Acme: /)
    expect(await run(settings, 'organizations list')).toMatch(/^ACME +suspended /m)
    expect(await ping(key)).toEqual([
      ...[401, 'The organization of this API key is suspended: ask the operator of this service.'],
    ])
    await run(settings, 'organizations resume Acme')
    const folders = async (): Promise<string[]> => {
      const all = await readdir(join(server.data, 'files'), { recursive: true, withFileTypes: true })
      return all.filter((entry) => entry.isFile()).map(({ name }) => name)
    }
    const before = await folders()
    await server.call('upload', formOf('a file'), { authorization: `Bearer ${key}` })
    expect(await folders()).toHaveLength(before.length + 1)
    expect(await run(settings, 'organizations remove --yes acme')).toBe(
      'removed the organization ACME with all of its messages and files\n',
    )
    expect([await ping(key), await folders()]).toEqual([noKey, before])
    await run(settings, 'organizations add Acme')
  })

  test('a removed bot’s API keys stop at once, and posts are removed by their URLs', async () => {
    const notes = expect.stringContaining('added the organization Bots and the bot Other')
    const key = (await run(settings, 'keys create --organization Bots --bot Other', '', notes)).trim()
    const authorization = `Bearer ${key}`
    await server.call('createChannel', { name: 'c' }, { authorization })
    const posted = await server.call('postThread', { channel: 'c', blocks: ['x'] }, { authorization })
    const { threadID, threadURL } = ((await posted.json()) as { result: Record<string, string> }).result
    const [id = ''] = (await run(settings, 'bots --organization Bots')).split(' ')
    expect(await run(settings, `bots remove --yes ${id} --organization Bots`)).toBe('removed the bot Other\n')
    expect([await ping(key), await run(settings, 'bots --organization Bots')]).toEqual([noKey, ''])
    const elsewhere = { ...settings, SITE_URL: 'https://messages.example.com' }
    expect(await refusal(elsewhere, `posts remove --yes ${threadURL}`)).toEqual([
      ...[1, `${threadURL} is not a URL of https://messages.example.com: check SITE_URL and DATA`],
    ])
    expect(await run(settings, `posts remove --yes ${threadURL}`)).toBe(`removed the thread ${threadID} of Bots\n`)
    expect((await fetch(threadURL ?? '')).status).toBe(404)
  })

  const twice = 'the organization Workspace exists: choose another name'
  const removing = 'repeat the command with --yes'
  test.each([
    ['organizations add WORKSPACE', 1, twice],
    ['organizations rename Straße workspace', 1, twice],
    ['organizations add STRASSE', 1, 'the organization Straße exists: choose another name'],
    [`organizations add ${'x'.repeat(81)}`, 1, 'the name of the organization has 81 characters: 1 to 80 are allowed'],
    ['organizations remove Workspace', 2, `this removes Workspace with all of its messages and files: ${removing}`],
    ['organizations drop Straße', 2, 'unknown action drop: choose list, add, rename, suspend, resume, remove'],
    ['bots list', 1, 'there are several organizations: choose one with --organization (…)'],
    ['bots list --organization Nobody', 1, 'no organization is named Nobody: choose one of …'],
    ['bots remove --yes 7 --organization Straße', 1, `no bot has the id 7: see ${program} bots list`],
    [
      'people remove ada@x.test --organization Straße',
      2,
      `this removes ada@x.test from all channels and chats: ${removing}`,
    ],
    [
      'people remove --yes b@x.test --organization Straße',
      1,
      `no person has the e-mail address b@x.test: see ${program} people list`,
    ],
    ['people import - --organization Straße', 1, 'the first line is Ada,ada@people.test: write name,email'],
    ['people add Ada ada --organization Straße', 1, 'the e-mail address of Ada is "ada": write it as ann@example.com'],
    ['keys revoke first --organization Straße', 1, `no live API key has the id first: see ${program} keys list`],
    ['keys rotate', 2, `expected ${program} keys rotate ID`],
    [
      `keys create --organization Straße --bot a\u202eb`,
      1,
      'the name of the bot contains an invisible or control character: remove it',
    ],
  ])('%s is rejected', async (line, code, error) => {
    if (!(await run(settings, 'organizations')).includes('Straße')) {
      await run(settings, 'organizations add Straße')
      await run(settings, 'people add Ada ada@x.test --organization Straße')
    }
    const [found, message] = await refusal(settings, line, 'Ada,ada@people.test\n')
    const names = /(?<=--organization \()[^)]+(?=\))|(?<=choose one of ).*$/
    expect([found, message.replace(names, '…')]).toEqual([code, error])
  })

  test('doctor reports the database, the schema and the clock', async () => {
    const checked = await run(settings, 'doctor')
    expect(checked).toMatch(/^ok +database +PostgreSQL 18\.\S+ at DATABASE_URL=\S+, \d+ organizations$/m)
    expect(checked).toMatch(/^ok +schema +\d+, as this version needs$/m)
    expect(checked).toMatch(/^ok +clock +agrees with the clock of the database$/m)
  })
})

test('people are read from CSV, quoted or not, in either order of the columns', async () => {
  expect(await readPeople('\uFEFFname,email\r\n"Ada ""L."", C.",ada@x.test\r\nBob,bob@x.test\n')).toEqual([
    { name: 'Ada "L.", C.', email: 'ada@x.test' },
    { name: 'Bob', email: 'bob@x.test' },
  ])
  expect(await readPeople('Email,Name\na@b,"two\nlines"')).toEqual([{ name: 'two\nlines', email: 'a@b' }])
  await expect(readPeople('name,email\nada')).rejects.toThrow(/got 1 on line 2/)
})

describe('without a server', () => {
  const folder = sharedFolder()

  test('an organization moves from one data folder to another', async () => {
    const [first, second] = [{ DATA: join(folder, 'first') }, { DATA: join(folder, 'second') }]
    await (await openBackend(readConfig(first))).close()
    await run(
      first,
      'keys create --organization Acme --bot Bot',
      '',
      `database: DATA=${first.DATA}; added the organization Acme and the bot Bot\n`,
    )
    const exported = join(folder, 'exported')
    await mkdir(exported)
    expect(await run(first, `export ${exported}`)).toMatch(/^exported \d+ rows and 0 files to \S+\n$/)
    expect(await run(second, `import ${exported}`)).toMatch(
      /^imported \d+ rows and 0 files; .* keys create makes new API keys\n$/,
    )
    expect(await refusal(second, `import ${exported}`)).toEqual([
      ...[1, 'the database has organizations: import into a new one'],
    ])
    expect(await run(second, 'bots')).toBe(await run(first, 'bots'))
  })

  test.each([
    'organizations',
    'organizations add Acme',
    'keys create --organization Acme --bot Bot',
    'bots',
    'people add Ada ada@people.test',
    'export somewhere',
  ])('%s creates no database', async (line) => {
    const DATA = join(folder, 'nothing')
    const remedy = 'set DATA or DATABASE_URL as for the server, or start the server to create a database'
    expect(await refusal({ DATA }, line)).toEqual([1, `there is no database in DATA=${DATA}: ${remedy}`])
    expect(existsSync(DATA)).toBe(false)
  })

  test('import creates no database if the folder is not an export, and doctor creates none', async () => {
    const DATA = join(folder, 'nothing')
    expect(await refusal({ DATA }, 'import nowhere')).toEqual([
      ...[1, 'nowhere is not an export: manifest.json is missing or not valid'],
    ])
    const [code, error] = await refusal({ DATA }, 'doctor')
    expect([code, error, existsSync(DATA)]).toEqual([
      1,
      expect.stringContaining('there is no database in DATA='),
      false,
    ])
  })
})

test('a newer schema is rejected, and doctor does not change it', async () => {
  const { settings, remove } = await newSettings()
  const backend = await openBackend(readConfig(settings))
  onTestFinished(async () => {
    await backend.close()
    await remove()
  })
  const newer = migrations.length + 1
  await backend.database.run(versionStatement(newer))
  const { code, stdout } = await command(['doctor'], settings)
  const note = `this version knows ${migrations.length}: install a newer one`
  expect([code, stdout]).toEqual([1, expect.stringContaining(`schema    ${newer}, ${note}\n`)])
  expect(await versionOf(backend.database.run)).toBe(newer)
  expect((await refusal(settings, 'bots'))[1]).toContain(`has schema ${newer}, ${note}`)
})

test.each([['--help'], ['serve --help']])('the help of %j lists every setting with its default', async (line) => {
  const help = await run({}, line)
  for (const { name, default: value } of variables) {
    const end = value === '' ? '' : `\\(default ${value.replace('$', '\\$')}\\)`
    expect(help).toMatch(new RegExp(`^  ${name} .*${end}$`, 'm'))
  }
})
