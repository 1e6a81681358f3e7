/** The commands of a bot, as processes, against a service on a port. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/api/client/index.js'
import { createTestService, type TestService } from '../../src/testing/index.js'
import { type BuiltCli, buildCli } from '../api/support/cli.js'
import { type Listening, listen, start } from './support.js'

let cli: BuiltCli
let service: TestService
let listening: Listening
const folder = mkdtempSync(join(tmpdir(), 'blockmark-cli-'))

beforeAll(async () => {
  cli = await buildCli('blockmark')
  service = createTestService({ users: ['Ann'], channels: ['deploys'], chats: ['ops'] })
  listening = await listen(service)
})

afterAll(async () => {
  await listening.close()
  rmSync(folder, { recursive: true })
})

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

type Environment = Record<string, string>

const account = (): Environment => ({ BLOCKMARK_URL: listening.baseUrl, BLOCKMARK_API_KEY: service.apiKey })

async function blockmark(words: readonly string[], input = '', environment: Environment = account()): Promise<Outcome> {
  const running = start([cli.path, ...words], { HOME: folder, ...environment }, folder)
  running.write(input)
  return { code: await running.end(), ...running.texts }
}

test('a story: ping, users, channels, upload, post, comment, message', async () => {
  expect(await blockmark(['ping'])).toEqual({ code: 0, stdout: 'Bot in Workspace\n', stderr: '' })
  expect((await blockmark(['users'])).stdout).toMatch(/^\d+ {2}Bot {2}bot-.*\n\d+ {2}Ann {2}ann@blockmark\.test\n$/)
  expect(JSON.parse((await blockmark(['channels', '--json'])).stdout)).toEqual(await createClient(service).channels())
  writeFileSync(join(folder, 'build.log'), 'all is well\n')
  const uploaded = await blockmark(['upload', 'build.log', '-'], 'from standard input')
  const ids = uploaded.stdout.split('\n').map((line) => line.split('\t')[0] ?? '')
  expect([uploaded.code, uploaded.stderr]).toEqual([0, ''])
  expect(service.files.map(({ fileID, name }) => [fileID, name])).toEqual([
    [ids[0], 'build.log'],
    [ids[1], 'file'],
  ])
  writeFileSync(join(folder, 'message.md'), '# v7\n**out**')
  const posted = await blockmark(['post', '--channel', '#Deploys', 'message.md'])
  const [thread] = service.threads
  expect(posted).toEqual({ code: 0, stdout: expect.stringContaining(`/${thread?.threadID}?s=`), stderr: '' })
  expect(thread?.text).toBe('v7\n\nout')
  const comment = ['comment', '--thread', thread?.threadID ?? '', '--json', '-']
  const [{ commentID }] = JSON.parse((await blockmark(comment, 'done')).stdout)
  expect(service.comments).toMatchObject([{ commentID, text: 'done' }])
  expect((await blockmark(['message', '--chat', 'ops'], 'hello')).code).toBe(0)
  expect(service.messages).toMatchObject([{ chat: 'ops', text: 'hello' }])
})

test('with the same --idempotency-key a message is posted once', async () => {
  const post = ['post', '--channel', 'deploys', '--idempotency-key', 'build 8']
  const before = service.threads.length
  const [one, other] = [await blockmark(post, 'once'), await blockmark(post, 'once')]
  expect(one.stdout).toBe(other.stdout)
  const say = ['message', '--chat', 'ops', '--idempotency-key', 'build 8']
  expect((await blockmark(say, 'once')).stdout).toBe((await blockmark(say, 'once')).stdout)
  expect(service.threads).toHaveLength(before + 1)
  expect(service.messages.filter(({ text }) => text === 'once')).toHaveLength(1)
})

test('--dry-run shows the parts of a message, and needs no service', async () => {
  const words = ['post', '--channel', 'deploys', '--dry-run']
  const { code, stdout } = await blockmark(words, 'short', {})
  expect([code, stdout]).toEqual([0, '--- block 1 of 1, 5 characters ---\nshort\n'])
  expect(JSON.parse((await blockmark([...words, '--json'], 'short', {})).stdout)).toEqual(['short'])
  expect((await blockmark(words, ' \n', {})).code).toBe(1)
})

test('a long message is split, and --dry-run shows its parts', async () => {
  const long = `# Report\n${'some words and a _mark_ in **every** line. '.repeat(2500)}`
  const words = ['message', '--chat', 'ops', '--idempotency-key', 'the long one']
  const { stdout } = await blockmark([...words, '--dry-run'], long, {})
  expect(stdout.match(/^--- message \d of \d, \d+ characters ---$/gm)?.map((seam) => seam.slice(4, 18))).toEqual([
    'message 1 of 3',
    'message 2 of 3',
    'message 3 of 3',
  ])
  const shown = JSON.parse((await blockmark([...words, '--dry-run', '--json'], long, {})).stdout)
  const { stdout: addresses } = await blockmark(words, long)
  expect(addresses.trim().split('\n')).toHaveLength(3)
  expect(service.messages.slice(-3).map(({ body }) => body)).toEqual(shown)
  const post = await blockmark(['post', '--channel', 'deploys', '--dry-run'], long.slice(0, 9_000), {})
  expect(post.stdout).toMatch(/^--- block 1 of 4, 8 characters ---\n# Report\n--- block 2 of 4/)
})

test('a profile is read only if no other user can read it, and its API key is never shown', async () => {
  const file = join(folder, 'profile.json')
  writeFileSync(file, JSON.stringify({ baseUrl: listening.baseUrl, apiKey: service.apiKey }))
  chmodSync(file, 0o640)
  const refused = await blockmark(['ping', '--profile', file], '', {})
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('others can read the API key')
  chmodSync(file, 0o600)
  for (const environment of [{ BLOCKMARK_PROFILE: file }, { ...account(), BLOCKMARK_API_KEY: 'wrong' }]) {
    const profile = 'BLOCKMARK_API_KEY' in environment ? ['--profile', file] : []
    expect((await blockmark(['ping', ...profile], '', environment)).stdout).toBe('Bot in Workspace\n')
  }
  for (const profile of [{ baseUrl: 7, apiKey: service.apiKey }, { baseUrl: listening.baseUrl }]) {
    writeFileSync(file, JSON.stringify(profile))
    const half = await blockmark(['ping', '--profile', file])
    expect(half).toEqual({
      code: 1,
      stdout: '',
      stderr: `blockmark: ${file}: expected {"baseUrl": "https://…", "apiKey": "wsk_…"}\n`,
    })
  }
  writeFileSync(file, JSON.stringify({ baseUrl: 'localhost:3000', apiKey: service.apiKey }))
  expect((await blockmark(['ping', '--profile', file])).stderr).toBe(
    `blockmark: ${file}: baseUrl: expected a URL, for example https://messages.example.com\n`,
  )
  writeFileSync(file, `{"apiKey": "${service.apiKey}"`)
  const broken = await blockmark(['ping', '--profile', file], '', {})
  expect(broken.code).toBe(1)
  expect(broken.stderr).not.toContain(service.apiKey.slice(4, 20))
})

test('a failure is one line on standard error, and the exit code says which side caused it', async () => {
  const refused = await blockmark(['post', '--channel', 'nowhere'], 'x')
  expect([refused.code, refused.stdout]).toEqual([3, ''])
  expect(refused.stderr).toMatch(/^blockmark: POST postThread: 404 not_found: .*\(request [\w-]+\)\n$/)
  const key = await blockmark(['ping'], '', { ...account(), BLOCKMARK_API_KEY: `wsk_${'x'.repeat(49)}` })
  expect([key.code, key.stderr.includes('xxx')]).toEqual([3, false])
  const away = await blockmark(['ping'], '', { ...account(), BLOCKMARK_URL: 'http://127.0.0.1:1' })
  expect([away.code, away.stderr.split('\n').length]).toEqual([4, 2])
  expect(away.stderr).toContain('connection_failed')
  const closed = await blockmark(['ping'], '', { ...account(), BLOCKMARK_URL: 'http://127.0.0.1:2' })
  expect(closed.stderr).toMatch(/: nothing answers at http:\S+: check BLOCKMARK_URL\n$/)
  for (const words of [['post'], ['comment'], ['message'], ['upload'], ['ping', 'x'], ['users', '--json', 'list']]) {
    expect([words, (await blockmark(words)).code]).toEqual([words, 2])
  }
  expect((await blockmark(['ping'], '', {})).stderr).toContain('set BLOCKMARK_URL')
  const noKey = await blockmark(['ping'], '', { ...account(), BLOCKMARK_API_KEY: '' })
  expect(noKey.stderr).toContain('set BLOCKMARK_API_KEY')
  const elsewhere = await blockmark(['ping'], '', { ...account(), BLOCKMARK_URL: 'messages.example.com' })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    2,
    'blockmark: BLOCKMARK_URL: expected a URL, for example https://messages.example.com\n',
  ])
  for (const [words, message] of [
    [['post', '--channel', 'deploys'], ' \n'],
    [['post', '--channel', 'deploys', '--dry-run'], ''],
    [['message', '--chat', 'ops', '--from', 'markdown'], '<!-- nothing -->'],
  ] as const) {
    const empty = await blockmark(words, message)
    expect([empty.code, empty.stderr]).toEqual([
      1,
      expect.stringMatching(/^blockmark: standard input: it contains nothing to post$/m),
    ])
  }
  // Nothing is uploaded if one of several files is missing.
  const files = service.files.length
  expect((await blockmark(['upload', 'message.md', 'none'])).stderr).toBe('blockmark: none: no such file\n')
  expect((await blockmark(['upload', '.'])).stderr).toBe('blockmark: .: is a directory\n')
  expect(service.files).toHaveLength(files)
  expect((await blockmark(['upload', 'none'])).stderr).toBe('blockmark: none: no such file\n')
  const unknown = await blockmark(['message', '--chat', 'nope'], 'x')
  expect([unknown.code, unknown.stderr.replace(/\(request [\w-]+\)/, '()')]).toEqual([
    3,
    'blockmark: POST postChatMessage: 404 not_found: `chat` is not known: it does not exist, or this bot cannot see it. ()\n',
  ])
  expect((await blockmark(['post', '--channel', 'deploys', 'no-such-file'])).code).toBe(1)
})

test('an incomplete post is reported, with the command for the rest', async () => {
  const long = Array.from({ length: 3 }, (_, index) => `${index} ${'word '.repeat(7_500)}`).join('\n\n')
  service.fail('not_owner', 1, { after: 1 })
  const { code, stderr } = await blockmark(['message', '--chat', 'ops', '--idempotency-key', 'long one'], long)
  expect([code, stderr.replace(/\(request [\w-]+\)/, '()')]).toEqual([
    3,
    'blockmark: 1 part was posted for certain; then: POST postChatMessage: 403 not_owner: The test requested not_owner. (); the same call with --idempotency-key "long one" posts the rest\n',
  ])
  expect(
    (await blockmark(['message', '--chat', 'ops', '--idempotency-key', 'long one'], long)).stdout.split('\n'),
  ).toHaveLength(4)
})

test('--from markdown posts CommonMark, and reports losses', async () => {
  const words = ['post', '--channel', 'deploys', '--from', 'markdown']
  const { code, stderr } = await blockmark(words, '### Done\n\n- [x] _all_ of **it**\n')
  expect([code, stderr]).toEqual([0, expect.stringContaining('standard input:1:1')])
  const posted = service.threads.at(-1)
  expect(posted?.text).toContain('all of it')
  expect(posted?.blocks.join('\n')).toContain('*all* of **it**')
})
