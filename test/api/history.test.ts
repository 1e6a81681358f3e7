/**
 * Eight clients create, post, delete, read and repeat at once. For each thread, chat and channel name, some order of their
 * operations must explain all outputs. `HISTORY=600` runs for 600 seconds, `SEED` repeats the choices.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../bench/random.js'
import { historyOf, type Place, type Run, record, type Site } from './history/clients.js'
import { type Asked, type Lie, openLiar, type Told } from './history/liar.js'
import { isLinearizable, type Model, type Operation } from './history/linearizable.js'
import { BUSY, channelName, type Input, room } from './history/models.js'
import { dataFolder, sharedFolder } from './support/backends.js'
import { buildCli, type Running, runCli, startCli } from './support/cli.js'

const environment: { HISTORY?: string; SEED?: string } = process.env
const SECONDS = Number(environment.HISTORY ?? 0)
const seed = Number(environment.SEED ?? Date.now() % 1_000_000)

const folder = sharedFolder()
let server: Running
let site: Site

beforeAll(async () => {
  const cli = await buildCli()
  const settings = { PORT: '0', DATA: await dataFolder(join(folder, 'data')), RATE_LIMIT: '0', LOG_LEVEL: 'silent' }
  server = startCli(cli, ['serve', '--welcome'], settings)
  const url = await server.printed(/ready on (\S+),/)
  const key = /wsk_\w{49}/.exec(server.stdout())?.[0] ?? ''
  const people = join(folder, 'people.csv')
  await writeFile(
    people,
    `name,email\n${['Ann', 'Ben', 'Cleo'].map((name) => `${name},${name}@people.test\n`).join('')}`,
  )
  expect((await runCli(cli, ['people', 'import', people], settings)).code).toBe(0)
  const call = async (path: string, init: RequestInit): Promise<string> =>
    (
      await fetch(`${url}/api/public/${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${key}` },
      })
    ).text()
  const users: { result: { userID: string; email: string }[] } = JSON.parse(await call('users', {}))
  const made: { result: { channelID: string } } = JSON.parse(
    await call('createChannel', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"history"}',
    }),
  )
  site = {
    ...{ url, key, channelID: made.result.channelID },
    people: users.result.filter(({ email }) => email.endsWith('@people.test')).map(({ userID }) => userID),
  }
})

afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
})

/** The objects whose history no order explains. */
function unexplained({ places }: Run): Place[] {
  return places.filter((place) => {
    const model: Model<unknown, Input> = place.kind === 'name' ? channelName : room
    // A request that was rejected as in progress has changed nothing.
    return !isLinearizable(
      model,
      historyOf(place).filter(({ output }) => output !== BUSY),
    )
  })
}

/** Idempotency keys with more than one response. */
const ambiguous = ({ answers }: Run): string[] => [...answers].filter(([, texts]) => texts.size > 1).map(([key]) => key)

/** Requests that were rejected as in progress without a reason. */
function misled({ places }: Run): Operation<Input>[] {
  return places.flatMap(({ operations }) =>
    operations.filter((refused) => {
      const others = operations.filter((other) => other !== refused && keyOf(other) === keyOf(refused))
      return refused.output === BUSY && !others.some(({ start, end }) => start < refused.end && end > refused.start)
    }),
  )
}

const keyOf = ({ input }: Operation<Input>): string | null => (input.kind === 'read' ? null : input.key)

const lineOf = ({ client, start, end, input, output }: Operation<Input>): string =>
  `${start.toFixed(2)}–${end.toFixed(2)} client ${client}: ${JSON.stringify(input)} → ${output ?? 'not known'}`

test('some order of the operations of eight clients explains all their outputs, and an idempotency key has one response', async () => {
  const run = await record(site, { operations: 800, seconds: SECONDS }, createRandom(seed))
  const operations = run.places.flatMap((place) => place.operations)
  const countOf = (output: string | null): number =>
    operations.filter((operation) => operation.output === output).length
  const replays = countOf('again')
  const [unknown, reads] = [countOf(null), operations.filter(({ input }) => input.kind === 'read').length]
  console.log(
    `seed ${seed}: ${operations.length} operations on ${run.places.length} threads, chats and names: ${reads} reads, ${replays} answered again, ${countOf(BUSY)} told to wait, ${unknown} given up`,
  )
  const [first] = unexplained(run)
  expect(first === undefined ? [] : [first.kind, ...historyOf(first).map(lineOf)]).toEqual([])
  expect(ambiguous(run)).toEqual([])
  expect(misled(run).map(lineOf)).toEqual([])
  // The history is not empty.
  const kinds = new Set(run.places.map(({ kind }) => kind))
  expect([kinds.size, Math.min(reads, replays, unknown) > 10]).toEqual([3, true])
})

describe('the test finds a server', () => {
  const found = async (lie: Lie): Promise<Run> => {
    const liar = await openLiar(site.url, lie)
    onTestFinished(() => liar.close())
    return record({ ...site, url: liar.url }, { operations: 300, seconds: 0 }, createRandom(seed))
  }

  test('that responds to a read with the state before a removal', async () => {
    const before = new Map<string, Told>()
    const run = await found(async (asked, pass) => {
      const old = before.get(asked.path)
      if (old !== undefined) return old
      const told = await pass(asked)
      if (asked.method === 'GET' && /\bitem\d/.test(told.body)) before.set(asked.path, told)
      return told
    })
    expect(unexplained(run).length).toBeGreaterThan(0)
  })

  test('that confirms a removal without doing it', async () => {
    let count = 0
    const run = await found(async (asked, pass) => {
      count += asked.path.includes('/delete') ? 1 : 0
      return asked.path.includes('/delete') && count % 4 === 0
        ? { status: 200, headers: {}, body: '{"ok":true}' }
        : pass(asked)
    })
    expect(unexplained(run).length).toBeGreaterThan(0)
  })

  test('that forgets the posts of an idempotency key', async () => {
    const without = ({ headers: { 'idempotency-key': _, ...headers }, ...asked }: Asked): Asked => ({
      ...asked,
      headers,
    })
    const run = await found((asked, pass) => pass(asked.path.includes('/post') ? without(asked) : asked))
    expect(unexplained(run).length).toBeGreaterThan(0)
    expect(ambiguous(run).length).toBeGreaterThan(0)
  })
})

describe('the search for an order', () => {
  const made: Operation<Input> = {
    client: 0,
    start: 0,
    end: 1,
    input: { kind: 'make', name: 'r', key: 'k' },
    output: 'done',
  }
  const said = (start: number, end: number, output: string | null): Operation<Input> => ({
    ...{ client: 1, start, end, output },
    input: { kind: 'add', name: 'a', parent: null, key: 'k1' },
  })
  const saw = (start: number, end: number, output: string): Operation<Input> => ({
    ...{ client: 2, start, end, output },
    input: { kind: 'read' },
  })
  const [full, empty] = ['a +0', ' +0']

  test.each([
    ['a read after a post sees it', [said(2, 3, 'done'), saw(4, 5, full)], true],
    ['a read after a post does not miss it', [said(2, 3, 'done'), saw(4, 5, empty)], false],
    ['a read during a post sees it or not', [said(2, 6, 'done'), saw(3, 4, empty), saw(4.5, 5, full)], true],
    [
      'a message that was seen once is seen by every later read',
      [said(2, 9, 'done'), saw(3, 4, full), saw(5, 6, empty)],
      false,
    ],
    [
      'an operation without a known outcome may have happened, or not',
      [said(2, Infinity, null), saw(3, 4, empty)],
      true,
    ],
    ['or later', [said(2, Infinity, null), saw(3, 4, empty), saw(8, 9, full)], true],
    ['but is not undone', [said(2, Infinity, null), saw(3, 4, full), saw(8, 9, empty)], false],
    ['a key is done once', [said(2, 3, 'done'), said(4, 5, 'done')], false],
    ['and answered again', [said(2, 3, 'done'), said(4, 5, 'again'), saw(6, 7, full)], true],
  ])('%s', (_, operations, isLegal) => {
    expect(isLinearizable(room, [made, ...operations])).toBe(isLegal)
  })
})
