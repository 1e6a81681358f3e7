/** `--stream` in a process, against a service on a port: a model's output is posted as it arrives. */

import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestService, type TestService } from '../../src/testing/index.js'
import { type BuiltCli, buildCli } from '../api/support/cli.js'
import { type Listening, listen, type Running, start } from './support.js'

let cli: BuiltCli
let service: TestService
let listening: Listening
let threadID: string

beforeAll(async () => {
  cli = await buildCli('blockmark')
  service = createTestService({ channels: ['help'], chats: ['ops'] })
  listening = await listen(service)
  const posted = await service.fetch(`${service.baseUrl}/api/public/postThread`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'help', blocks: ['How?'] }),
  })
  const { result }: { result: { threadID: string } } = JSON.parse(await posted.text())
  threadID = result.threadID
})

afterAll(async () => {
  await listening.close()
})

function blockmark(...words: readonly string[]): Running {
  return start([cli.path, ...words], { BLOCKMARK_URL: listening.baseUrl, BLOCKMARK_API_KEY: service.apiKey })
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const output = Array.from(
  { length: 6 },
  (_, index) => `### Part ${index + 1}\n\n${'Some *words* of it. '.repeat(60)}\n\n`,
)
const parts = (texts: readonly string[]): (string | undefined)[] => texts.map((text) => /Part \d/.exec(text)?.[0])

test('comments are posted while the output is written, and their URLs printed', async () => {
  const running = blockmark('comment', '--thread', threadID, '--stream', '--from', 'markdown')
  running.write(output.slice(0, 3).join(''))
  await until(() => running.texts.stdout.split('\n').length > 2)
  expect(parts(service.comments.map(({ text }) => text))).toEqual(['Part 1', 'Part 2'])
  running.write(output.slice(3).join(''))
  expect(await running.end()).toBe(0)
  expect(parts(service.comments.map(({ text }) => text))).toEqual(output.map((_, index) => `Part ${index + 1}`))
  expect(service.comments[0]?.blocks).toHaveLength(2)
  expect(running.texts.stdout.trim().split('\n')).toHaveLength(6)
  expect(running.texts.stderr).toMatch(/^standard input:1:1: .*\(heading-depth\)\n/)
})

test('a process that is killed between two messages, and another one with the same --idempotency-key, post each once', async () => {
  const words = [
    ...['message', '--chat', 'ops', '--stream', '--from', 'markdown', '--idempotency-key', 'answer 42', '--json'],
  ]
  for (let killedAt = 1; killedAt < output.length; killedAt += 1) {
    const running = blockmark(...words)
    running.write(output.join(''))
    await until(() => service.messages.length >= killedAt)
    running.child.kill('SIGKILL')
    await once(running.child, 'close')
  }
  const last = blockmark(...words)
  // The output is also cut within a character.
  const bytes = Buffer.from(output.join(''))
  for (let at = 0; at < bytes.length; at += 1_001) last.write(bytes.subarray(at, at + 1_001))
  expect(await last.end()).toBe(0)
  expect(parts(service.messages.map(({ text }) => text))).toEqual(output.map((_, index) => `Part ${index + 1}`))
  expect(JSON.parse(last.texts.stdout)).toEqual(
    service.messages.map(({ chatMessageID }) => expect.objectContaining({ chatMessageID })),
  )
})

test('--dry-run shows the messages, and posts none', async () => {
  const before = service.requests.length
  const running = blockmark('comment', '--thread', '7', '--stream', '--dry-run')
  running.write(`# a\n${'b '.repeat(800)}\n\nc 漢😀`)
  expect(await running.end()).toBe(0)
  expect(running.texts.stdout.match(/^--- comment \d of \d/gm)).toEqual([
    '--- comment 1 of 3',
    '--- comment 2 of 3',
    '--- comment 3 of 3',
  ])
  expect(running.texts.stdout).toContain('c 漢😀')
  expect(service.requests).toHaveLength(before)
})

test('input that cannot be read is an error of one line, after the posts before it', async () => {
  const slack = blockmark('message', '--chat', 'ops', '--stream', '--from', 'slack')
  expect([await slack.end(), slack.texts.stderr]).toEqual([
    2,
    expect.stringContaining('--stream reads dialect or markdown'),
  ])
  const running = blockmark('message', '--chat', 'ops', '--stream', '--idempotency-key', 'broken')
  running.write(`${'a'.repeat(1_490)}\n\n${'b'.repeat(20)}\n\n`)
  await until(() => running.texts.stdout !== '')
  running.write(Buffer.from([0xff]))
  expect(await running.end()).toBe(1)
  expect(running.texts.stderr).toBe(
    'blockmark: 1 part was posted for certain; then: standard input: not UTF-8; the same text with --idempotency-key broken posts the rest\n',
  )
  expect(running.texts.stdout.trim().split('\n')).toHaveLength(1)
})

test('a rejected, lost, changed or empty message is reported in one line that names the command, not the library', async () => {
  const nowhere = blockmark('message', '--chat', 'nope', '--stream')
  nowhere.write('x')
  expect(await nowhere.end()).toBe(3)
  expect(nowhere.texts.stderr.replace(/\(request [\w-]+\)/, '()')).toBe(
    'blockmark: POST postChatMessage: 404 not_found: `chat` is not known: it does not exist, or this bot cannot see it. ()\n',
  )
  // The process gives up at once, because Retry-After is longer than its time for retries.
  service.lose(1)
  service.fail(503, 1, { retryAfter: 3600 })
  const lost = blockmark('message', '--chat', 'ops', '--stream', '--idempotency-key', 'lost')
  lost.write('x')
  expect(await lost.end()).toBe(4)
  service.recover()
  expect(lost.texts.stderr).toMatch(
    /^blockmark: 0 parts were posted for certain; then: .*; the same text with --idempotency-key lost posts the rest\n$/,
  )
  const other = blockmark('message', '--chat', 'ops', '--stream', '--idempotency-key', 'lost')
  other.write('y')
  expect(await other.end()).toBe(3)
  expect(other.texts.stderr.replace(/\(request [\w-]+\)/, '()')).toBe(
    'blockmark: POST postChatMessage: 422 idempotency_mismatch: This Idempotency-Key was used for another request: choose a new one. ()\n',
  )
  const empty = blockmark('message', '--chat', 'ops', '--stream')
  expect(await empty.end()).toBe(1)
  expect(empty.texts.stderr).toBe('blockmark: standard input: it contains nothing to post\n')
})
