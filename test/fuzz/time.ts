/** Whether work grows faster than what it is done for. */

const LENGTH = 2_048
/** Shorter times are ignored. */
const MILLISECONDS_MIN = 100
/** Three times as much takes three times as long, and more on a machine that does other things as well; nine were wrong. */
const GROWTH_MAX = 6
const LOOKS = 3

/**
 * Does work for a text that is repeated, for three times as much of it, and again for three times as much. What opens in
 * one copy may close in the next: it is an odd number of copies each time.
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

/** The least processor time of several runs, because other programs slow the machine. */
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
