/** Checks that the time for work grows linearly with its input. */

const LENGTH = 2_048
/** Shorter times are ignored. */
const MILLISECONDS_MIN = 100
/** Maximum factor for three times the input. Linear work gives 3, and more on a busy machine; quadratic work gives 9. */
const GROWTH_MAX = 6
const LOOKS = 3

/**
 * Does work for a repeated text, then for three times and for nine times the number of copies. The number is always odd,
 * because markup that opens in one copy may close in the next.
 *
 * @returns the fault, or null
 */
export function slownessOf(work: (text: string) => unknown, text: string): string | null {
  if (text === '') return null
  const count = Math.ceil(LENGTH / text.length / 2) * 2 + 1
  const times: number[] = []
  for (const copies of [count, 3 * count, 9 * count]) {
    const input = text.repeat(copies)
    if (times.length > 0 && timeOf(work, input, 1) < MILLISECONDS_MIN) return null
    const time = timeOf(work, input, LOOKS)
    if (times.length > 0 && time < GROWTH_MAX * (times.at(-1) ?? 0)) return null
    times.push(time)
  }
  return `grows faster than its input: ${times.map(Math.round).join(' ms, ')} ms for ${count} copies, and 3 and 9 times as many`
}

/** Returns the shortest processor time of several runs, because other programs slow the machine. */
function timeOf(work: (text: string) => unknown, text: string, looks: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < looks; look += 1) {
    const used = process.cpuUsage()
    work(text)
    const { user, system } = process.cpuUsage(used)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
