/**
 * The definition of a step, and the cost of each built-in in steps.
 *
 * A step is one iteration of a loop, one call of a function of the package, or one character or element that a built-in
 * reads, copies or fills in. A regular expression takes one step each time it tries a character. A built-in that reads
 * only a few (`charCodeAt`, `push`, `Math.min`) is part of the function that calls it. So are `+` on strings, which makes
 * a rope, and `slice` of a string, which refers to its parent.
 *
 * In the counted copy of the package, `text.indexOf(x)` is replaced by `text.$indexOf(x)`. This file adds such methods to
 * the built-ins, only in the counting thread.
 */
import { stepsOfReplace, stepsOfSearch } from './pattern-steps.js'

/** The count. An object, because a module cannot assign another module's variable. */
export const meter: { steps: number; numbers: number } = { steps: 0, numbers: 0 }

/** Functions that read a few characters or elements at most, whatever their arguments. */
export const freeMethods: readonly string[] = [
  ...['charAt', 'charCodeAt', 'codePointAt', 'fromCharCode', 'fromCodePoint', 'push', 'pop', 'get', 'add'],
  // Errors quote short values as JSON.
  ...['isArray', 'isFinite', 'isInteger', 'defineProperty', 'stringify', 'min', 'max', 'has', 'at', 'subarray'],
]
/** Functions whose own cost is constant; `file` is the caller's. */
export const freeFunctions: readonly string[] = [
  'String',
  'Number',
  'TypeError',
  'RangeError',
  'Map',
  'RegExp',
  'Set',
  'file',
]

/** Functions whose cost is the length of their argument, or the given number. */
export const countedFunctions: readonly string[] = [
  'encodeURIComponent',
  'Array',
  'Int32Array',
  'Uint32Array',
  'Uint8Array',
  'Uint16Array',
  'ArrayBuffer',
]

/** Counts an argument of a function in `countedFunctions`, and returns it. */
export function paid<Value>(argument: Value): Value {
  if (typeof argument === 'string') meter.steps += argument.length
  else if (typeof argument === 'number') meter.numbers += argument
  else if (Array.isArray(argument)) meter.steps += argument.length
  return argument
}

const ofStrings = {
  /** A search without a result has read everything after its start. */
  $indexOf(this: string, piece: string, from = 0): number {
    const found = this.indexOf(piece, from)
    meter.steps += 1 + (found < 0 ? Math.max(this.length - from, 0) : found - from)
    return found
  },
  $includes(this: string, piece: string): boolean {
    const found = this.indexOf(piece)
    meter.steps += 1 + (found < 0 ? this.length : found)
    return found >= 0
  },
  $startsWith(this: string, piece: string, at?: number): boolean {
    meter.steps += piece.length
    return this.startsWith(piece, at)
  },
  $slice(this: string, start?: number, end?: number): string {
    return this.slice(start, end)
  },
  /** The work of the replacer is counted in the replacer itself. */
  $replace(this: string, pattern: RegExp, replacer: (part: string) => string): string {
    meter.steps += stepsOfReplace(pattern, this)
    return this.replace(pattern, replacer)
  },
  $replaceAll(this: string, piece: string, replacement: string): string {
    meter.steps += 1 + this.length
    return this.replaceAll(piece, replacement)
  },
  $split(this: string, pattern: RegExp): string[] {
    meter.steps += 1 + this.length
    return this.split(pattern)
  },
  $trimStart(this: string): string {
    const trimmed = this.trimStart()
    meter.steps += 1 + this.length - trimmed.length
    return trimmed
  },
  $trimEnd(this: string): string {
    const trimmed = this.trimEnd()
    meter.steps += 1 + this.length - trimmed.length
    return trimmed
  },
}

const ofPatterns = {
  $test(this: RegExp, text: string): boolean {
    const from = this.lastIndex
    const isFound = this.test(text)
    meter.steps += stepsOfSearch(this, text, from, isFound)
    return isFound
  },
  $exec(this: RegExp, text: string): RegExpExecArray | null {
    const from = this.lastIndex
    const found = this.exec(text)
    meter.steps += stepsOfSearch(this, text, from, found !== null)
    return found
  },
}

const ofArrays = {
  $indexOf(this: unknown[], element: unknown): number {
    const found = this.indexOf(element)
    meter.steps += 1 + (found < 0 ? this.length : found)
    return found
  },
  $includes(this: unknown[], element: unknown): boolean {
    const found = this.indexOf(element)
    meter.steps += 1 + (found < 0 ? this.length : found)
    return found >= 0
  },
  $slice(this: unknown[], start?: number, end?: number): unknown[] {
    const part = this.slice(start, end)
    meter.steps += 1 + part.length
    return part
  },
  $findIndex(this: unknown[], callback: (element: unknown, i: number) => boolean): number {
    meter.steps += this.length
    return this.findIndex(callback)
  },
  $fill(this: unknown[], value: unknown): unknown[] {
    meter.steps += this.length
    return this.fill(value)
  },
  $unshift(this: unknown[], ...elements: unknown[]): number {
    meter.steps += this.length
    return this.unshift(...elements)
  },
  $join(this: unknown[], between: string): string {
    meter.steps += this.length
    return this.join(between)
  },
  /** Each iteration of a loop over the matches is counted too. */
  $entries(this: unknown[]): ArrayIterator<[number, unknown]> {
    return this.entries()
  },
  $filter(this: unknown[], callback: (element: unknown, i: number) => boolean): unknown[] {
    meter.steps += this.length
    return this.filter(callback)
  },
  $some(this: unknown[], callback: (element: unknown, i: number) => boolean): boolean {
    meter.steps += this.length
    return this.some(callback)
  },
  /** The work of the callback is counted in the callback itself. */
  $map(this: unknown[], callback: (element: unknown, i: number) => unknown): unknown[] {
    meter.steps += this.length
    return this.map(callback)
  },
  $flatMap(this: unknown[], callback: (element: unknown, i: number) => unknown): unknown[] {
    const all = this.flatMap(callback)
    meter.steps += this.length + all.length
    return all
  },
}

const ofTypedArrays = {
  $fill(this: Uint8Array, value: number, start?: number, end?: number): Uint8Array {
    meter.numbers += this.length
    return this.fill(value, start, end)
  },
  $map(this: Uint8Array, callback: (element: number, i: number) => number): Uint8Array {
    meter.steps += this.length
    return this.map(callback)
  },
  $set(this: Uint8Array, elements: ArrayLike<number>): void {
    meter.numbers += elements.length
    this.set(elements)
  },
}

const ofMaps = {
  $set(this: Map<unknown, unknown>, key: unknown, value: unknown): unknown {
    return this.set(key, value)
  },
}

const ofSets = {
  $clear(this: Set<unknown>): void {
    meter.steps += this.size
    this.clear()
  },
}

const ofObjects = {
  $values(this: ObjectConstructor, object: object): unknown[] {
    return this.values(object)
  },
  $entries(this: ObjectConstructor, object: object): [string, unknown][] {
    return this.entries(object)
  },
  $keys(this: ObjectConstructor, object: object): string[] {
    return this.keys(object)
  },
  $fromEntries(this: ObjectConstructor, entries: Iterable<readonly [string, unknown]>): object {
    return this.fromEntries(entries)
  },
  $assign(this: ObjectConstructor, target: object, source: object): object {
    return this.assign(target, source)
  },
}

/** The counted methods by their prototypes. */
export const additions: readonly (readonly [prototype: object, methods: object])[] = [
  [String.prototype, ofStrings],
  [RegExp.prototype, ofPatterns],
  [Array.prototype, ofArrays],
  [Object.getPrototypeOf(Uint8Array.prototype), ofTypedArrays],
  [Map.prototype, ofMaps],
  [Set.prototype, ofSets],
  [Object, ofObjects],
]

/** Whether a method has a counted version. */
export function isCounted(method: string): boolean {
  return additions.some(([, methods]) => Object.hasOwn(methods, `$${method}`))
}
