/**
 * How many bytes does a parser allocate for each byte of input? Each parser runs in its own process, without a garbage
 * collection during the measurement. Its code is warm by then, and tables that it keeps between calls are not counted.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type MemoryOfOne, memoryContenderNames } from './memory-of-one.js'
import type { Amount, Answer } from './question.js'
import { printTable } from './table.js'

/** Young generations, in MiB, that are larger than all allocations between two collections. */
const flags: readonly string[] = ['--expose-gc', '--min-semi-space-size=1024', '--max-semi-space-size=1024']

const bounds: Readonly<Record<string, number>> = { 'blockmark parse': 41, 'blockmark parse, no positions': 28 }

export async function memory(amount: Amount): Promise<Answer> {
  const program = fileURLToPath(new URL('memory-of-one.js', import.meta.url))
  const results = memoryContenderNames.map((name): MemoryOfOne => {
    return JSON.parse(execFileSync(process.execPath, [...flags, program, name, amount], { encoding: 'utf8' }))
  })
  printTable(
    'Memory, chat: bytes allocated for each byte of input (UTF-8)',
    ['contender', 'bytes', 'in typed arrays'],
    results.map((result) => [result.name, result.bytesPerByte.toFixed(1), result.outsideHeap.toFixed(2)]),
  )
  const figures = results.flatMap(({ name, bytesPerByte }) => {
    const atMost = bounds[name]
    return atMost === undefined
      ? []
      : [{ name: `memory of ${name}, chat`, reached: bytesPerByte, atMost, unit: 'bytes/byte' }]
  })
  return { figures, details: results }
}
