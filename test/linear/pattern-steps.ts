/** A backtracking machine that counts how often a regular expression tries a character. */
import { compile, type Program } from './pattern.js'

interface Cost {
  /** Whether no character is ever tried twice, so that the engine's own result shows how far it looked. */
  readonly isPlain: boolean
  readonly isUnicode: boolean
  readonly program: Program
}

const costs = new WeakMap<RegExp, Cost | null>()
/** By source and flags, because a pattern inside a function is a new object at each call. */
const costsByText = new Map<string, Cost | null>()

/** The cost of a pattern; null if the machine cannot run it. */
function costOf(pattern: RegExp): Cost | null {
  let cost = costs.get(pattern)
  if (cost !== undefined) return cost
  const text = String(pattern)
  cost = costsByText.get(text)
  if (cost === undefined) cost = newCost(pattern)
  costsByText.set(text, cost)
  costs.set(pattern, cost)
  return cost
}

function newCost(pattern: RegExp): Cost | null {
  try {
    return { isPlain: plain.test(pattern.source), isUnicode: pattern.unicode, program: compile(pattern) }
  } catch {
    return null
  }
}

/** Single characters; the last one may be repeated. */
const plain = /^(?:\[(?:[^\]\\]|\\.)*\]|\\[^pPuxc\d]|[^\\()[\]{}*+?^$])+[*+]?$/s

/**
 * Returns the steps of a search that began at `from`. A plain pattern looks no further than its match, and so counts a pattern
 * of a dependency that the machine cannot run.
 */
export function stepsOfSearch(pattern: RegExp, text: string, from: number, found: RegExpExecArray | null): number {
  const cost = costOf(pattern)
  if (cost?.isPlain === false) {
    const { steps, end } = search(cost, text, pattern.sticky || pattern.global ? from : 0, pattern.sticky)
    // Otherwise, something else would be counted.
    if (end >= 0 === (found !== null)) return steps
    throw new Error(`the engine and the machine differ about ${pattern} at ${from} of ${text}`)
  }
  if (found !== null) return 1 + found.index + found[0].length - from
  return pattern.sticky ? 1 : 1 + Math.max(0, text.length - from)
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
