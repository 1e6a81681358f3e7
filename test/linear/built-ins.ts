/**
 * Counts the elements that built-in functions read, copy or fill in, for all calls in a thread that does nothing else.
 * Imported before the counted code.
 */
import { meter } from './meter.js'
import { stepsOfSearch } from './pattern-steps.js'

type Cost = (self: { readonly length: number }, given: readonly unknown[], result: unknown) => number

/** Whether a cost is being computed: that work is not counted. */
let isFree = false

function count(prototype: object, name: string | symbol, cost: Cost, what: keyof typeof meter = 'steps'): void {
  const original: unknown = Reflect.get(prototype, name)
  if (typeof original !== 'function') throw new Error(`there is no ${String(name)}`)
  const value = function (this: { readonly length: number }, ...given: unknown[]): unknown {
    if (isFree) return Reflect.apply(original, this, given)
    const result: unknown = Reflect.apply(original, this, given)
    isFree = true
    meter[what] += cost(this, given, result)
    isFree = false
    return result
  }
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
}

const all: Cost = ({ length }) => 1 + length
const ofResult: Cost = (_, __, result) => 1 + (result as { readonly length: number }).length
const untilFound: Cost = ({ length }, [, from = 0], result) => {
  const start = Number(from)
  return 1 + (Number(result) < 0 ? Math.max(0, length - start) : Math.abs(Number(result) - start))
}
const untilFoundBackwards: Cost = ({ length }, _, result) => (Number(result) < 0 ? 1 + length : length - Number(result))
const ofArgument: Cost = (_, [piece]) => 1 + String(piece).length

function countEach(prototype: object, names: readonly (string | symbol)[], cost: Cost): void {
  for (const name of names) count(prototype, name, cost)
}

const text = String.prototype
countEach(text, ['indexOf', 'search'], untilFound)
countEach(text, ['lastIndexOf'], untilFoundBackwards)
countEach(text, ['startsWith', 'endsWith'], ofArgument)
countEach(text, ['includes', 'replaceAll', 'split', 'toLowerCase', 'toUpperCase', 'normalize', Symbol.iterator], all)
countEach(text, ['repeat', 'padEnd', 'padStart'], ofResult)
countEach(text, ['trim', 'trimStart', 'trimEnd'], ({ length }, _, result) => 1 + length - String(result).length)

// The work of a callback is counted in the callback.
const list = Array.prototype
countEach(list, ['indexOf', 'findIndex'], untilFound)
countEach(list, ['lastIndexOf', 'findLastIndex'], untilFoundBackwards)
countEach(list, ['includes', 'join', 'fill', 'sort', 'toSorted', 'reverse', 'toReversed', 'shift', 'unshift'], all)
countEach(list, ['slice', 'concat', 'flatMap', 'flat'], ofResult)
countEach(list, ['splice'], ({ length }, [start = 0, , ...added], result) => {
  const removed = (result as readonly unknown[]).length
  const from = Number(start) < 0 ? length + Number(start) : Number(start)
  // Later elements move, unless as many are added as removed.
  return 1 + removed + added.length + (removed === added.length ? 0 : Math.max(0, length - from))
})
countEach(Object, ['keys', 'values', 'entries'], ofResult)
countEach(Set.prototype, ['clear'], (self) => 1 + Number(Reflect.get(self, 'size')))
count(globalThis, 'encodeURIComponent', ofArgument)

// Typed arrays are made with a length, or as a copy.
for (const made of [Int32Array, Uint8Array, Uint16Array, Uint32Array]) {
  const value = new Proxy<typeof Uint8Array>(made as typeof Uint8Array, {
    construct(target, given, called) {
      const array: Uint8Array = Reflect.construct(target, given, called)
      if (!(given[0] instanceof ArrayBuffer)) meter.numbers += array.length
      return array
    },
  })
  Object.defineProperty(globalThis, made.name, { value })
}
const numbers: object = Object.getPrototypeOf(Uint8Array.prototype)
countEach(numbers, ['indexOf'], untilFound)
countEach(numbers, ['includes', 'join'], all)
for (const name of ['fill', 'map', 'slice']) count(numbers, name, all, 'numbers')
count(numbers, 'set', (_, [elements]) => Object(elements).length, 'numbers')

/** All functions that test, replace, split or match call this method. */
const { exec } = RegExp.prototype
RegExp.prototype.exec = function (given) {
  const from = this.global || this.sticky ? this.lastIndex : 0
  const found = exec.call(this, given)
  if (isFree) return found
  isFree = true
  meter.steps += stepsOfSearch(this, given, from, found)
  isFree = false
  return found
}

/** A spread, a destructuring or a copy reads the elements one by one. */
const { values } = Array.prototype
Object.defineProperty(Array.prototype, Symbol.iterator, {
  value(this: unknown[]) {
    if (isFree) return values.call(this)
    const elements = values.call(this)
    const { next } = elements
    Object.defineProperty(elements, 'next', {
      value: () => {
        meter.steps += 1
        return next.call(elements)
      },
    })
    return elements
  },
})
for (const prototype of [Set.prototype, Map.prototype]) {
  const iterate: unknown = Reflect.get(prototype, Symbol.iterator)
  Object.defineProperty(prototype, Symbol.iterator, {
    value(this: Set<unknown> | Map<unknown, unknown>): unknown {
      meter.steps += 1 + this.size
      return Reflect.apply(iterate as () => unknown, this, [])
    },
  })
}
