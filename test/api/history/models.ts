/** Models of a thread, a chat and the name of a channel, for one operation at a time: each has a state. */

import type { Model } from './linearizable.js'

/** An operation on an object. `name` is the object that is created or deleted, `key` the idempotency key. */
export type Input =
  | { readonly kind: 'read' }
  | { readonly kind: 'make' | 'remove' | 'take'; readonly name: string; readonly key: string }
  | { readonly kind: 'add'; readonly name: string; readonly parent: string | null; readonly key: string }
  | { readonly kind: 'join'; readonly name: string; readonly member: string; readonly key: string }

/** The output while another request holds the idempotency key. Nothing changes. */
export const BUSY = 'busy'

interface Kept {
  /** The idempotency keys whose responses are kept. */
  readonly kept: readonly string[]
}

export interface Room extends Kept {
  readonly is: 'not yet' | 'there' | 'gone'
  /** The messages that are not deleted, and the placeholders of deleted comments with replies. */
  readonly items: Readonly<Record<string, { readonly parent: string | null; readonly isEmpty: boolean }>>
}

/** A thread with its comments, or a chat with its messages, which have no replies. */
export const room: Model<Room, Input> = {
  initial: { is: 'not yet', items: {}, kept: [] },
  apply: (state, input) => once(state, input, inRoom),
}

/** The channel that has a name, with its members. */
export interface ChannelName extends Kept {
  /** The idempotency key that created the channel; null while no channel has the name. */
  readonly current: string | null
  readonly members: readonly string[]
}

export const channelName: Model<ChannelName, Input> = {
  initial: { current: null, members: [], kept: [] },
  apply: (state, input) => once(state, input, ofName),
}

type Step<State> = (state: State, input: Input) => readonly [State, string]

/** Repeats the response of a key that is kept. Only operations that succeed keep their key. */
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
      throw new Error(`a room has no operation ${input.kind}`)
  }
}

/** A deleted comment with replies leaves a placeholder until its last reply is deleted. */
function without(items: Room['items'], name: string): Room['items'] {
  const hasReplies = Object.values(items).some(({ parent }) => parent === name)
  const { [name]: item, ...others } = items
  const parent = item?.parent ?? null
  if (hasReplies) return sorted({ ...others, [name]: { parent, isEmpty: true } })
  return parent !== null && others[parent]?.isEmpty === true ? without(others, parent) : others
}

/** Sorts the items, so that equal states are written alike. */
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

/** The output of reading: names, and the number of placeholders. */
export function seen(names: readonly string[], emptyCount = 0): string {
  return `${names.toSorted().join(' ')} +${emptyCount}`
}

function ofName(state: ChannelName, input: Input): readonly [ChannelName, string] {
  const { current, members } = state
  if (input.kind === 'read') return [state, current === null ? 'none' : seen([current, ...members])]
  if (input.kind === 'make') {
    return current === null ? [{ ...state, current: input.key, members: [] }, 'done'] : [state, '409']
  }
  if (current !== input.name) return [state, '404']
  if (input.kind === 'remove') return [{ ...state, current: null, members: [] }, 'done']
  if (input.kind !== 'join') throw new Error(`a name has no operation ${input.kind}`)
  return [{ ...state, members: [...new Set([...members, input.member])].toSorted() }, 'done']
}
