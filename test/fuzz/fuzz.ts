/**
 * A coverage-guided fuzzer: it keeps inputs that reach new code and changes them again, and reports the shortest input that
 * breaks a property. One seed gives one run. It is ours because the engine of jazzer.js 4 needs glibc 2.38, which Debian 12
 * does not have, and because its targets are asynchronous requests as well as functions.
 */

import { seededRandom } from '../reference/generate.js'
import type { Blocks } from './blocks.js'
import { mutate } from './mutate.js'
import { shorten } from './shorten.js'
import type { Input, Target } from './target.js'
import { slownessOf } from './time.js'

/** A failure that was found. */
export interface Find {
  readonly target: string
  /** The violated property, in the words of the check. */
  readonly error: string
  readonly input: Input
  readonly example: string
}

export interface Outcome {
  readonly target: string
  readonly runs: number
  readonly kept: number
  readonly finds: readonly Find[]
}

export interface Options {
  readonly seed: number
  /** Maximum number of the target's first inputs. */
  readonly seedCount: number
  /** Maximum number of failures of a target. */
  readonly findsMax: number
  /** Maximum number of inputs, in addition to the first ones. */
  readonly runs: number
  readonly milliseconds: number
  readonly blocks: Blocks
  /** Called with each input before it runs. */
  readonly before: (target: string, input: Input) => void
}

/** The number of changes of an input that reached new code: enough for most of what one change leads to. */
const TURNS = 512
/** Number of inputs between two looks at the coverage, because a look takes as long as a few dozen inputs. */
const BATCH = 64
/** Maximum number of milliseconds of an input, far above the time on any machine. */
const MILLISECONDS_MAX = 3_000

interface State {
  readonly options: Options
  readonly target: Target
  readonly random: () => number
  readonly seeds: readonly Input[]
  /** Inputs that reached new code or gave a new kind of result. */
  readonly kept: Input[]
  /** Inputs that reached new code, the latest last, with the number of changes left. */
  readonly fresh: { readonly input: Input; turns: number }[]
  /** The kinds of results so far. */
  readonly looks: Set<string>
  /** The failures by the violated property. */
  readonly finds: Map<string, Find>
  runs: number
}

/** Fuzzes one target. */
export async function fuzz(target: Target, options: Options): Promise<Outcome> {
  const all = target.seeds().map((text, index): Input => ({ text, knob: index }))
  const step = Math.ceil(all.length / options.seedCount)
  const seeds = all.filter((_, index) => index % Math.max(1, step) === 0)
  const random = seededRandom(options.seed)
  const state: State = {
    options,
    target,
    random,
    seeds,
    kept: [],
    fresh: [],
    looks: new Set(),
    finds: new Map(),
    runs: 0,
  }
  const end = performance.now() + options.milliseconds
  options.blocks.hasNew(true)
  // The code that the first inputs reach counts as known.
  for (const seed of seeds) await tryOne(state, seed)
  options.blocks.hasNew(true)
  state.runs = 0
  while (state.runs < options.runs && state.finds.size < options.findsMax && performance.now() < end)
    await tryBatch(state)
  return { target: target.name, runs: state.runs, kept: state.kept.length, finds: [...state.finds.values()] }
}

async function tryBatch(state: State): Promise<void> {
  const { options, target } = state
  const { blocks } = options
  const batch = Array.from({ length: Math.min(BATCH, options.runs - state.runs) }, () => next(state))
  const found = new Set<Input>()
  for (const input of batch) if (await tryOne(state, input)) found.add(input)
  for (const input of blocks.hasNew(false) ? await whatRanNew(state, batch) : []) {
    found.add(input)
    state.fresh.push({ input, turns: TURNS })
  }
  for (const input of found) {
    state.kept.push(input)
    options.before(target.name, input)
    const slowness = target.work === null ? null : slownessOf(target.work, input.text)
    if (slowness !== null) report(state, input, new Error(slowness), input)
  }
}

/** Finds the inputs that reach new code, in a list that contains at least one: runs each half again. */
async function whatRanNew(state: State, batch: readonly Input[]): Promise<readonly Input[]> {
  const found: Input[] = []
  const middle = batch.length >> 1
  for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
    for (const input of half) await resultOf(state, input)
    if (half.length === 0 || !state.options.blocks.hasNew(half.length === 1)) continue
    found.push(...(half.length === 1 ? half : await whatRanNew(state, half)))
  }
  return found
}

/** Every second input is made from one that reached new code recently, the rest from kept and first inputs. */
function next(state: State): Input {
  const { random, kept, seeds, fresh, target } = state
  const pick = (some: readonly Input[]): Input => some[Math.floor(random() * some.length)] ?? { text: '', knob: 0 }
  const others = Array.from({ length: 4 }, () => pick(kept.length > 0 && random() < 0.5 ? kept : seeds))
  const last = fresh.at(-1)
  if (last !== undefined && random() < 0.5) {
    last.turns -= 1
    if (last.turns === 0) fresh.pop()
    return mutate(random, target.form, last.input, others)
  }
  return mutate(random, target.form, pick(kept.length > 0 && random() < 0.6 ? kept : seeds), others)
}

/** Whether the result is of a new kind. */
async function tryOne(state: State, input: Input): Promise<boolean> {
  state.runs += 1
  const result = await resultOf(state, input)
  if (result instanceof Error) {
    const property = propertyOf(result)
    if (state.finds.has(property) || state.finds.size >= state.options.findsMax) return false
    const isSame = async (candidate: Input): Promise<boolean> => {
      const other = await resultOf(state, candidate)
      return other instanceof Error && propertyOf(other) === property
    }
    report(state, input, result, await shorten(state.target.form, input, isSame))
    return false
  }
  const fresh = result.filter((look) => !state.looks.has(look))
  for (const look of fresh) state.looks.add(look)
  return fresh.length > 0
}

async function resultOf({ target, options }: State, input: Input): Promise<readonly string[] | Error> {
  options.before(target.name, input)
  const used = process.cpuUsage()
  try {
    const looks = await target.check(input)
    const { user, system } = process.cpuUsage(used)
    const time = (user + system) / 1000
    return time > MILLISECONDS_MAX ? new Error(`takes long: ${Math.round(time)} ms`) : looks
  } catch (error) {
    return error instanceof Error ? error : new Error(`throws a value that is not an Error: ${error}`)
  }
}

/** Returns the violated property, without the values. */
function propertyOf({ name, message, stack = '' }: Error): string {
  // An error from elsewhere is identified by its position in the code.
  const [, place = ''] = /^ +at (\S+) /m.exec(stack) ?? []
  return name === 'Error' ? (message.split(':')[0] ?? '') : `${name} ${place}`
}

function report({ target, finds }: State, from: Input, error: Error, input: Input): void {
  const said = `${error.name === 'Error' ? '' : `${error.stack ?? error.name}\n`}${error.message}`
  const example = `${target.show(input)}${from.knob === 0 && input.knob === 0 ? '' : `\nknob: ${input.knob}`}`
  finds.set(propertyOf(error), { target: target.name, error: said, input, example })
}
