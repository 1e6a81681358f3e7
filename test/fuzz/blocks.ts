/** Coverage by V8: an input that runs new blocks of the source is kept. */

import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'

export interface Blocks {
  /**
   * Returns whether code ran for the first time since the last call.
   *
   * @param isKept - whether that code counts as known from now on
   */
  hasNew(isKept: boolean): boolean
  /** The numbers of characters of the source that have run, and of all. */
  readonly counts: { readonly ran: number; readonly all: number }
}

/**
 * Starts to count.
 *
 * @param url - the one script that everything was bundled into
 * @param isSource - whether the module with a path counts
 */
export function watchBlocks(url: URL, isSource: (path: string) => boolean): Blocks {
  const code = readFileSync(url, 'utf8')
  const moduleAt = modulesOf(code)
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  /** The characters that have run, for each function that has run. */
  const functions = new Map<string, Uint8Array>()
  let ran = 0

  function look({ functionName, ranges }: Profiler.FunctionCoverage, isKept: boolean): boolean {
    const [whole, ...parts] = ranges
    if (whole === undefined || whole.count === 0) return false
    const { startOffset: start, endOffset: end } = whole
    const key = `${functionName} ${start} ${end}`
    const known = functions.get(key)
    if (known === undefined) {
      if (!isSource(moduleAt(start))) return false
      const none = new Uint8Array(end - start)
      if (isKept) functions.set(key, none)
      return mark(none, ranges, isKept)
    }
    // Most functions have run completely by now.
    if (parts.length === 0 && !known.includes(0)) return false
    return mark(known, ranges, isKept)
  }

  /** Whether characters of a function ran for the first time. */
  function mark(known: Uint8Array, ranges: readonly Profiler.CoverageRange[], isKept: boolean): boolean {
    const start = ranges[0]?.startOffset ?? 0
    const now = new Uint8Array(known.length)
    // A nested block comes after the block that contains it.
    for (const { startOffset, endOffset, count } of ranges) {
      now.fill(Math.min(count, 1), startOffset - start, endOffset - start)
    }
    let fresh = 0
    for (let at = 0; at < now.length; at += 1) {
      if (now[at] === 0 || known[at] === 1) continue
      fresh += 1
      if (isKept) known[at] = 1
    }
    if (isKept) ran += fresh
    return fresh > 0
  }

  return {
    hasNew(isKept) {
      let isNew = false
      // A session of the same thread calls back synchronously.
      session.post('Profiler.takePreciseCoverage', (error, taken) => {
        if (error !== null) throw error
        for (const script of taken.result) {
          if (script.url !== url.href) continue
          for (const each of script.functions) isNew = look(each, isKept) || isNew
        }
      })
      return isNew
    },
    get counts() {
      const all = [...functions.values()].reduce((sum, { length }) => sum + length, 0)
      return { ran, all }
    },
  }
}

/** Finds the module of an offset: esbuild writes the path of each module above it. */
function modulesOf(code: string): (offset: number) => string {
  const starts = Array.from(code.matchAll(/^\/\/ (\S+\.[jt]s)$/gm), ({ index, 1: path = '' }) => ({ index, path }))
  return (offset) => starts.findLast(({ index }) => index <= offset)?.path ?? ''
}
