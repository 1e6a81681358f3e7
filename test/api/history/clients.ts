/** Clients that create, post, delete, read and repeat, all at once, and record the times and outputs. */

import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../../bench/random.js'
import type { Operation } from './linearizable.js'
import { BUSY, type Input, seen } from './models.js'

/** The service and the bots that call it. */
export interface Site {
  readonly url: string
  readonly key: string
  /** The channel that threads are in. */
  readonly channelID: string
  /** The people who can join a channel. */
  readonly people: readonly string[]
}

/** A thread, a chat, or the name of a channel, with its history. */
export interface Place {
  readonly kind: 'thread' | 'chat' | 'name'
  readonly name: string
  readonly operations: Operation<Input>[]
  /** The requests so far, to be repeated. */
  readonly actions: Action[]
  /** The ids of the objects, by their names in the model. */
  readonly ids: Map<string, string>
  /** The URL of its page; null while it is not known. */
  page: string | null
}

/** An operation that changes a place, with its request. */
interface Action {
  readonly input: Exclude<Input, { kind: 'read' }>
  readonly path: string
  readonly body: object
}

export interface Run {
  readonly places: readonly Place[]
  /** By idempotency key, every body of a 200 response. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>
}

interface World {
  readonly site: Site
  readonly random: Random
  readonly places: Place[]
  /** The objects that are in use at the moment. */
  readonly open: Place[]
  readonly answers: Map<string, Set<string>>
  count: number
}

const CLIENTS = 8
/** Few objects, so that the clients use the same ones. */
const OPEN = 4
/** A page shows 50 rows, and a search of a longer history takes longer. */
const ACTIONS_MAX = 40

/** How long clients work: until both are reached. */
export interface Length {
  readonly operations: number
  readonly seconds: number
}

/** Lets the clients work and returns the history. */
export async function record(site: Site, { operations, seconds }: Length, random: Random): Promise<Run> {
  const world: World = { site, random, places: [], open: [], answers: new Map(), count: 0 }
  const end = performance.now() + seconds * 1000
  let acts = 0
  const work = async (client: number): Promise<void> => {
    while (acts < operations || performance.now() < end) {
      acts += 1
      await act(world, client)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
  return { places: world.places, answers: world.answers }
}

async function act(world: World, client: number): Promise<void> {
  const { random, open } = world
  const place = open.length < OPEN ? openPlace(world) : pick(random, open)
  const chance = random(100)
  if (place.actions.length > 0 && chance < 30) return read(world, client, place)
  // A request of another client, perhaps while it is in progress.
  if (place.actions.length > 0 && chance < 40)
    return attempt(world, client, place, pick(random, place.actions.slice(-4)))
  const action = nextAction(world, place)
  place.actions.push(action)
  if (place.actions.length >= ACTIONS_MAX && open.includes(place)) await close(world, client, place)
  await attempt(world, client, place, action)
}

function openPlace(world: World): Place {
  world.count += 1
  // By rotation, so that a short run has all three.
  const kind = (['thread', 'chat', 'name'] as const)[world.places.length % 3] ?? 'thread'
  const place: Place = { kind, name: `place${world.count}`, operations: [], actions: [], ids: new Map(), page: null }
  world.open.push(place)
  world.places.push(place)
  return place
}

/** Ends the use of a place. A channel would otherwise be in all later lists. */
async function close(world: World, client: number, place: Place): Promise<void> {
  world.open.splice(world.open.indexOf(place), 1)
  const last = [...place.ids].at(-1)
  if (place.kind !== 'name' || last === undefined) return
  await attempt(world, client, place, removal(place, last, `key${nextCount(world)}`))
}

function nextCount(world: World): number {
  world.count += 1
  return world.count
}

function nextAction(world: World, place: Place): Action {
  const key = `key${nextCount(world)}`
  return place.kind === 'name' ? nextOfName(world, place, key) : nextInRoom(world, place, key)
}

function nextOfName({ random, site }: World, place: Place, key: string): Action {
  const made = [...place.ids].slice(-2)
  const chance = random(100)
  if (made.length === 0 || chance < 40) {
    return { input: { kind: 'make', name: key, key }, path: 'createChannel', body: { name: place.name } }
  }
  const [name, channelID] = pick(random, made)
  if (chance < 65) return removal(place, [name, channelID], key)
  const member = pick(random, site.people)
  return {
    input: { kind: 'join', name, member, key },
    path: 'addChannelMembers',
    body: { channelID, userIDs: [member] },
  }
}

function removal({ kind }: Place, [name, id]: readonly [string, string], key: string): Action {
  const input = { kind: 'remove', name, key } as const
  if (kind === 'name') return { input, path: 'deleteChannel', body: { channelID: id } }
  return kind === 'thread'
    ? { input, path: 'deleteThread', body: { threadID: id } }
    : { input, path: 'deleteChat', body: { chatID: id } }
}

function nextInRoom({ random, site, count }: World, place: Place, key: string): Action {
  const isThread = place.kind === 'thread'
  const { name: room, ids } = place
  const id = ids.get(room)
  const first = place.actions[0]
  if (id === undefined) {
    // All clients send the same request with the same idempotency key.
    if (first !== undefined) return first
    const input = { kind: 'make', name: room, key } as const
    return isThread
      ? { input, path: 'postThread', body: { channelID: site.channelID, blocks: [room] } }
      : { input, path: 'createChat', body: { name: room } }
  }
  const items = [...ids].slice(1).slice(-6)
  const chance = random(100)
  if (items.length > 0 && chance < 35) {
    const [name, itemID] = pick(random, items)
    const input = { kind: 'take', name, key } as const
    return isThread
      ? { input, path: 'deleteComment', body: { commentID: itemID } }
      : { input, path: 'deleteChatMessage', body: { messageID: itemID } }
  }
  if (chance > 96) return removal(place, [room, id], key)
  const name = `item${count}`
  if (!isThread) {
    const input = { kind: 'add', name, parent: null, key } as const
    return { input, path: 'postChatMessage', body: { chatID: id, body: name } }
  }
  const [parent, parentID] = items.length > 0 && random(2) === 0 ? pick(random, items) : [null, undefined]
  return {
    input: { kind: 'add', name, parent, key },
    path: 'postComment',
    body: { threadID: id, blocks: [name], ...(parentID === undefined ? {} : { parentID }) },
  }
}

/** Repeats a request with the same key until there is a response. Some clients hang up and never know the outcome. */
async function attempt(world: World, client: number, place: Place, action: Action): Promise<void> {
  const { random, answers } = world
  const { input } = action
  for (;;) {
    const start = performance.now()
    const signal = random(10) === 0 ? AbortSignal.timeout(random(8)) : null
    const answer = await post(world.site, action, signal).catch(() => null)
    const output = answer === null ? null : wordOf(answer)
    place.operations.push({ client, start, end: output === null ? Infinity : performance.now(), input, output })
    if (answer?.status === 200) {
      answers.set(input.key, (answers.get(input.key) ?? new Set()).add(answer.text))
      note(place, action, answer.text)
    }
    if (output !== null && output !== BUSY) return
    await sleep(random(5))
  }
}

interface Answer {
  readonly status: number
  readonly isReplayed: boolean
  readonly text: string
}

async function post({ url, key }: Site, { input, path, body }: Action, signal: AbortSignal | null): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': input.key,
  }
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal }
  const response = await fetch(`${url}/api/public/${path}`, init)
  const isReplayed = response.headers.get('idempotent-replayed') === 'true'
  return { status: response.status, isReplayed, text: await response.text() }
}

function wordOf({ status, isReplayed, text }: Answer): string | null {
  // A machine under load: the outcome is not known.
  if (status === 503) return null
  if (status === 200) return isReplayed ? 'again' : 'done'
  const code = /"code":"(\w+)"/.exec(text)?.[1]
  if (code === 'idempotency_in_progress') return BUSY
  const expected: Readonly<Record<string, string>> = { not_found: '404', name_taken: '409', validation_failed: '422' }
  return expected[code ?? ''] ?? `${status} ${text}`
}

/** After one client got the id of an object, every client can use it. */
function note(place: Place, { input }: Action, text: string): void {
  if (input.kind !== 'make' && input.kind !== 'add') return
  const { result }: { result: Record<string, string> } = JSON.parse(text)
  const { threadURL, chatURL, ...others } = result
  place.page ??= threadURL ?? chatURL ?? null
  const id = Object.entries(others).find(([name]) => name.endsWith('ID'))?.[1] ?? ''
  if (!place.ids.has(input.name)) place.ids.set(input.name, id)
}

/** Reads a place once, if the URL of its page is known. */
async function read({ site }: World, client: number, place: Place): Promise<void> {
  if (place.kind !== 'name' && place.page === null) return
  const start = performance.now()
  const output = place.kind === 'name' ? await listed(site, place.name) : await opened(site, place.page ?? '')
  if (output === '503') return
  place.operations.push({ client, start, end: performance.now(), input: { kind: 'read' }, output })
}

async function opened({ url, key }: Site, page: string): Promise<string> {
  const { pathname, search } = new URL(page)
  const response = await fetch(url + pathname + search, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  if (response.status !== 200) return String(response.status)
  return seen(text.match(/\bitem\d+\b/g) ?? [], text.match(/This comment was deleted/g)?.length ?? 0)
}

/** The list has the id of the channel. Its name in the model is known only when all responses are there. */
async function listed({ url, key, people }: Site, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/public/channels`, { headers })
  if (response.status === 503) return '503'
  const { result }: { result: { channelID: string; name: string; memberIDs: string[] }[] } = JSON.parse(
    await response.text(),
  )
  const found = result.filter((channel) => channel.name === name)
  if (found.length === 0) return 'none'
  const words = found.flatMap(({ channelID, memberIDs }) => [
    `#${channelID}`,
    ...memberIDs.filter((id) => people.includes(id)),
  ])
  return words.join(' ')
}

/** The history of a place. A channel is named by the key that created it. */
export function historyOf({ ids, operations }: Place): Operation<Input>[] {
  const names = new Map([...ids].map(([name, id]) => [`#${id}`, name]))
  return operations.map((operation) => {
    if (operation.output?.startsWith('#') !== true) return operation
    const [channel = '', ...members] = operation.output.split(' ')
    return { ...operation, output: seen([names.get(channel) ?? channel, ...members]) }
  })
}
