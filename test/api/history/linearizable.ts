/**
 * Whether what several clients saw of one object can have come from one that does a thing at a time: each operation at some
 * moment between its start and its end. Wing and Gong's search, with Lowe's memory of what was tried.
 */

/** What one client asked of one object, and what it saw. */
export interface Operation<Input> {
  readonly client: number
  /** Milliseconds of one clock that all clients share. */
  readonly start: number
  /** Infinity where nobody knows the answer: it may have been done since, or never. */
  readonly end: number
  readonly input: Input
  /** The answer in a word; null where nobody knows it. */
  readonly output: string | null
}

/** What an object does when it is asked one thing at a time. States are plain data, and are not changed. */
export interface Model<State, Input> {
  readonly initial: State
  apply(state: State, input: Input): readonly [next: State, output: string]
}

/** The start or the end of an operation, in a list from which both can be taken and put back. */
interface Entry<Input> {
  readonly operation: Operation<Input>
  readonly index: number
  readonly isStart: boolean
  /** Of a start, its end. */
  readonly match: Entry<Input> | null
  before: Entry<Input> | null
  after: Entry<Input> | null
}

/** So many states are visited at most; a history that needs more is too long for this search. */
const VISITS_MAX = 2_000_000

/** Searches for a legal order. */
export function isLinearizable<State, Input>(
  { initial, apply }: Model<State, Input>,
  operations: readonly Operation<Input>[],
): boolean {
  const head = listOf(operations)
  const known = operations.filter(({ output }) => output !== null).length
  const placed: { entry: Entry<Input>; state: State }[] = []
  const done = new Uint8Array(operations.length)
  const tried = new Set<string>()
  let [state, placedKnown] = [initial, 0]
  let entry = head.after
  // What nobody knows the answer of need not have been done.
  while (placedKnown < known) {
    if (entry === null) throw new Error('a history ends with an end')
    if (entry.isStart) {
      const { input, output } = entry.operation
      const [next, answer] = apply(state, input)
      done[entry.index] = 1
      const isLegal = (output === null || output === answer) && isNew(tried, `${done.join('')} ${JSON.stringify(next)}`)
      if (isLegal) {
        placed.push({ entry, state })
        state = next
        if (output !== null) placedKnown += 1
        take(entry)
        entry = head.after
      } else {
        done[entry.index] = 0
        entry = entry.after
      }
    } else {
      // Whatever is over has to stand before what begins later: the last choice was wrong.
      const last = placed.pop()
      if (last === undefined) return false
      state = last.state
      done[last.entry.index] = 0
      if (last.entry.operation.output !== null) placedKnown -= 1
      putBack(last.entry)
      entry = last.entry.after
    }
  }
  return true
}

function isNew(tried: Set<string>, name: string): boolean {
  if (tried.size >= VISITS_MAX) throw new Error(`no order was found in ${VISITS_MAX} states`)
  return tried.size !== tried.add(name).size
}

/** Starts and ends in the order of time; at one moment starts come first, so that nothing is ruled out by a coarse clock. */
function listOf<Input>(operations: readonly Operation<Input>[]): Entry<Input> {
  const entries = operations.flatMap((operation, index) => {
    const end: Entry<Input> = { operation, index, isStart: false, match: null, before: null, after: null }
    return [{ ...end, isStart: true, match: end }, end]
  })
  const timeOf = ({ isStart, operation }: Entry<Input>): number => (isStart ? operation.start : operation.end)
  entries.sort((one, other) => timeOf(one) - timeOf(other) || Number(other.isStart) - Number(one.isStart))
  const none = { client: -1, start: 0, end: 0, output: null } as Operation<Input>
  const head: Entry<Input> = { operation: none, index: -1, isStart: true, match: null, before: null, after: null }
  let last = head
  for (const entry of entries) {
    entry.before = last
    last.after = entry
    last = entry
  }
  return head
}

function take<Input>(start: Entry<Input>): void {
  for (const entry of [start, start.match]) {
    if (entry?.before) entry.before.after = entry.after
    if (entry?.after) entry.after.before = entry.before
  }
}

/** In the other order than they were taken, so that each finds its neighbours. */
function putBack<Input>(start: Entry<Input>): void {
  for (const entry of [start.match, start]) {
    if (entry?.before) entry.before.after = entry
    if (entry?.after) entry.after.before = entry
  }
}
