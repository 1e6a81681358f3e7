/** A backtracking machine that counts how often a regular expression tries a character. */
import { compile, type Program } from './pattern.js'

interface Cost {
  /** Whether no character is ever tried twice, so that the engine's own result shows how far it looked. */
  readonly isPlain: boolean
  readonly isUnicode: boolean
  readonly program: Program
}

const costs = new WeakMap<RegExp, Cost>()
/** By source and flags, because a pattern inside a function is a new object at each call. */
const costsByText = new Map<string, Cost>()

function costOf(pattern: RegExp): Cost {
  const known = costs.get(pattern)
  if (known !== undefined) return known
  const text = `/${pattern.source}/${pattern.flags}`
  const cost = costsByText.get(text) ?? {
    isPlain: plain.test(pattern.source),
    isUnicode: pattern.unicode,
    program: compile(pattern),
  }
  costsByText.set(text, cost)
  costs.set(pattern, cost)
  return cost
}

/** Single characters; the last one may be repeated. */
const plain = /^(?:\[(?:[^\]\\]|\\.)*\]|\\[^pPuxc\d]|[^\\()[\]{}*+?^$])+[*+]?$/s

/** Returns the steps of a search that began at `from`, from the pattern's state after it. */
export function stepsOfSearch(pattern: RegExp, text: string, from: number, isFound: boolean): number {
  const cost = costOf(pattern)
  if (cost.isPlain && !pattern.sticky) return 1 + text.length
  if (cost.isPlain) return 1 + (isFound ? pattern.lastIndex - from : pattern.source.length)
  const { steps, end } = search(cost, text, pattern.sticky || pattern.global ? from : 0, pattern.sticky)
  // Otherwise, something else would be counted.
  if (end >= 0 !== isFound) throw new Error(`the engine and the machine differ about ${pattern} at ${from} of ${text}`)
  return steps
}

/**
 * Returns the steps of one search of several in a text, for example in a replacement: a plain pattern looks no further than
 * its match. This also counts a pattern of a library that the machine cannot run.
 */
export function stepsOfNextSearch(pattern: RegExp, text: string, from: number, found: RegExpExecArray | null): number {
  if (isCountable(pattern) && !costOf(pattern).isPlain) return stepsOfSearch(pattern, text, from, found !== null)
  if (found !== null) return 1 + found.index + found[0].length - from
  return pattern.sticky ? 1 : 1 + Math.max(0, text.length - from)
}

const uncountable = new Set<string>()

function isCountable(pattern: RegExp): boolean {
  const text = String(pattern)
  if (uncountable.has(text)) return false
  try {
    costOf(pattern)
    return true
  } catch {
    uncountable.add(text)
    return false
  }
}

/** Returns the steps of a replacement of the first match, or of all. */
export function stepsOfReplace(pattern: RegExp, text: string): number {
  const cost = costOf(pattern)
  if (cost.isPlain) return 1 + text.length
  let total = 0
  let from = 0
  for (;;) {
    const { steps, start, end } = search(cost, text, from, pattern.sticky)
    total += steps
    if (end < 0 || !pattern.global) return total
    from = end + (end === start ? 1 : 0)
  }
}

/** Returns the position of a match and the number of steps; `end` is -1 if nothing matches. */
interface Found {
  readonly steps: number
  readonly start: number
  readonly end: number
}

function search({ program, isUnicode }: Cost, text: string, from: number, isSticky: boolean): Found {
  const machine: Machine = { text, isUnicode, steps: 0 }
  for (let start = from; start <= text.length; start += 1) {
    machine.steps += 1
    const end = run(machine, program, start)
    if (end >= 0) return { steps: machine.steps, start, end }
    if (isSticky) break
  }
  return { steps: machine.steps, start: from, end: -1 }
}

interface Machine {
  readonly text: string
  readonly isUnicode: boolean
  steps: number
}

/** Runs a program at one position, and returns the end of the match, or -1. */
function run(machine: Machine, program: Program, start: number): number {
  const { text, isUnicode } = machine
  /** The positions at which to continue after a failure: alternately in the program and in the text. */
  let pending: number[] | null = null
  let place = 0
  let at = start
  for (;;) {
    const instruction = program[place]
    let isFine = true
    place += 1
    switch (instruction?.do) {
      case 'take': {
        machine.steps += 1
        const codePoint = (isUnicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0
        isFine = at < text.length && instruction.accepts(codePoint)
        at += codePoint > 0xffff ? 2 : 1
        break
      }
      case 'try':
        pending ??= []
        pending.push(instruction.second, at)
        place = instruction.first
        break
      case 'jump':
        place = instruction.to
        break
      case 'look':
        isFine = look(machine, instruction.program, instruction.isBehind ? at - 1 : at) !== instruction.isNegative
        break
      case 'start':
        isFine = at === 0
        break
      case 'end':
        isFine = at === text.length
        break
      default:
        return at
    }
    if (isFine) continue
    if (pending === null || pending.length === 0) return -1
    machine.steps += 1
    at = pending.pop() ?? 0
    place = pending.pop() ?? 0
  }
}

/** Whether a program matches at a position; before the text, none does. */
function look(machine: Machine, program: Program, at: number): boolean {
  return at >= 0 && run(machine, program, at) >= 0
}
