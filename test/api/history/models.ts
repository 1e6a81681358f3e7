/** What a thread, a chat and the name of a channel are when nobody comes between: the rules of the service, a state each. */

import type { Model } from './linearizable.js'

/** What is asked of an object. `name` is what is made or removed, `key` the Idempotency-Key of whatever changes something. */
export type Input =
  | { readonly kind: 'read' }
  | { readonly kind: 'make' | 'remove' | 'take'; readonly name: string; readonly key: string }
  | { readonly kind: 'add'; readonly name: string; readonly parent: string | null; readonly key: string }
  | { readonly kind: 'join'; readonly name: string; readonly member: string; readonly key: string }

/** Another request has the key at the moment: nothing is done. */
export const BUSY = 'busy'

interface Kept {
  /** The keys whose answers are kept. */
  readonly kept: readonly string[]
}

export interface Room extends Kept {
  readonly is: 'not yet' | 'there' | 'gone'
  /** What was said in it, and not yet removed; what was removed and has replies has no text. */
  readonly items: Readonly<Record<string, { readonly parent: string | null; readonly isEmpty: boolean }>>
}

/** A thread with its comments, or a chat with its messages, none of which answers another. */
export const room: Model<Room, Input> = {
  initial: { is: 'not yet', items: {}, kept: [] },
  apply: (state, input) => once(state, input, inRoom),
}

/** The channel that has a name, and who is in it. */
export interface ChannelName extends Kept {
  /** What it is called here: the key by which it was made; null while nobody has the name. */
  readonly current: string | null
  readonly members: readonly string[]
}

export const channelName: Model<ChannelName, Input> = {
  initial: { current: null, members: [], kept: [] },
  apply: (state, input) => once(state, input, ofName),
}

type Step<State> = (state: State, input: Input) => readonly [State, string]

/** A key that has an answer gets it again, and nothing is done; only what is done keeps its key. */
function once<State extends Kept>(state: State, input: Input, step: Step<State>): readonly [State, string] {
  if (input.kind === 'read') return step(state, input)
  if (state.kept.includes(input.key)) return [state, 'again']
  const [next, output] = step(state, input)
  return output === 'done' ? [{ ...next, kept: [...state.kept, input.key].toSorted() }, output] : [next, output]
}

function inRoom(state: Room, input: Input): readonly [Room, string] {
  const { items } = state
  if (input.kind === 'make') return [{ ...state, is: 'there' }, 'done']
  if (state.is !== 'there') return [state, '404']
  switch (input.kind) {
    case 'read':
      return [state, shown(state)]
    case 'remove':
      return [{ ...state, is: 'gone', items: {} }, 'done']
    case 'add': {
      const { name, parent } = input
      if (parent !== null && items[parent]?.isEmpty !== false) return [state, '422']
      return [{ ...state, items: sorted({ ...items, [name]: { parent, isEmpty: false } }) }, 'done']
    }
    case 'take':
      if (items[input.name]?.isEmpty !== false) return [state, '404']
      return [{ ...state, items: without(items, input.name) }, 'done']
    default:
      throw new Error(`nobody does ${input.kind} in a room`)
  }
}

/** A comment with replies leaves an empty place, which goes with the last of them. */
function without(items: Room['items'], name: string): Room['items'] {
  const hasReplies = Object.values(items).some(({ parent }) => parent === name)
  const { [name]: item, ...others } = items
  const parent = item?.parent ?? null
  if (hasReplies) return sorted({ ...others, [name]: { parent, isEmpty: true } })
  return parent !== null && others[parent]?.isEmpty === true ? without(others, parent) : others
}

/** States that are alike have to be written alike. */
function sorted(items: Room['items']): Room['items'] {
  return Object.fromEntries(Object.entries(items).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function shown({ items }: Room): string {
  const entries = Object.entries(items)
  return seen(
    entries.filter(([, { isEmpty }]) => !isEmpty).map(([name]) => name),
    entries.filter(([, { isEmpty }]) => isEmpty).length,
  )
}

/** What a reader sees, in a word: names, and how many empty places. */
export function seen(names: readonly string[], emptyCount = 0): string {
  return `${names.toSorted().join(' ')} +${emptyCount}`
}

function ofName(state: ChannelName, input: Input): readonly [ChannelName, string] {
  const { current, members } = state
  if (input.kind === 'read') return [state, current === null ? 'nobody' : seen([current, ...members])]
  if (input.kind === 'make') {
    return current === null ? [{ ...state, current: input.key, members: [] }, 'done'] : [state, '409']
  }
  if (current !== input.name) return [state, '404']
  if (input.kind === 'remove') return [{ ...state, current: null, members: [] }, 'done']
  if (input.kind !== 'join') throw new Error(`nobody does ${input.kind} to a name`)
  return [{ ...state, members: [...new Set([...members, input.member])].toSorted() }, 'done']
}
