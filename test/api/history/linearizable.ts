/**
 * Checks whether a history is linearizable: whether one object that performs one operation at a time, each between its
 * start and its end, explains all outputs. The search is Wing and Gong's, with Lowe's cache of visited states.
 */

/** One operation of one client, with its output. */
export interface Operation<Input> {
  readonly client: number
  /** Milliseconds of one clock that all clients share. */
  readonly start: number
  /** Infinity if the outcome is not known: it may happen later, or never. */
  readonly end: number
  readonly input: Input
  /** The output; null if it is not known. */
  readonly output: string | null
}

/** The behavior of an object for one operation at a time. States are plain data and never change. */
export interface Model<State, Input> {
  readonly initial: State
  apply(state: State, input: Input): readonly [next: State, output: string]
}

/** The start or the end of an operation, in a list from which both can be taken and put back. */
interface Entry<Input> {
  readonly operation: Operation<Input>
  readonly index: number
  readonly isStart: boolean
  /** The end of a start. */
  readonly match: Entry<Input> | null
  before: Entry<Input> | null
  after: Entry<Input> | null
}

/** The maximum number of visited states. A history that needs more is too long for this search. */
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
  // An operation without a known outcome may not have happened.
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
      // An operation that has ended must come before those that start later: the last choice was wrong.
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

/** Puts entries back in the reverse order of their removal, so that each finds its neighbors. */
function putBack<Input>(start: Entry<Input>): void {
  for (const entry of [start.match, start]) {
    if (entry?.before) entry.before.after = entry
    if (entry?.after) entry.after.before = entry
  }
}
