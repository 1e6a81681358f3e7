/**
 * Lines and maps of built files. No bundler has an option for either: Node prints the line that an error comes from, which
 * in minified code is the whole file, and a map with columns and names is ten times as long as one that leads to lines.
 */

import { basename } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { parseAst } from 'rolldown/parseAst'

/** Code that a stack trace can name: it calls, reads a property, throws or waits. Other code needs no entry. */
const NAMED = /[.([{]|\b(?:throw|await|new)\b/

/** Length after which a line is broken, at the next statement at the top level. A statement of this length starts its own line. */
const LINE_LENGTH = 600

/**
 * Breaks a built file into short lines, and reduces its map to the lines of the source.
 *
 * @param {import('rolldown').OutputChunk} chunk
 * @param {string} path - the path of the built file
 * @returns {{ code: string, map: string }} the contents of the built file and of its map
 */
export function inShortLines({ code: built, map }, path) {
  const text = built.replace(/\n?\/\/# sourceMappingURL=.*\n?$/, '')
  const breaks = breaksOf(text)
  // A chunk that only exports from others has no map.
  const { sources, mappings } = map ?? { sources: [], mappings: '' }
  /** @type {[number, number, number, number][][]} */
  const lines = [[]]
  let [lineStart, next, offset] = [0, 0, 0]
  for (const [index, segments] of decode(mappings).entries()) {
    if (index > 0) {
      offset = text.indexOf('\n', offset) + 1
      lineStart = offset
      lines.push([])
    }
    for (const [number, [column, file, line]] of segments.entries()) {
      const at = offset + column
      for (; (breaks[next] ?? Number.POSITIVE_INFINITY) <= at; next += 1) {
        lineStart = breaks[next] ?? 0
        lines.push([])
      }
      const end = number + 1 < segments.length ? offset + (segments[number + 1]?.[0] ?? 0) : undefined
      if (!NAMED.test(text.slice(at, end))) continue
      const [, fileBefore, lineBefore] = lines.at(-1)?.at(-1) ?? []
      if (file === undefined || line === undefined || (file === fileBefore && line === lineBefore)) continue
      lines.at(-1)?.push([at - lineStart, file, line, 0])
    }
  }
  const pieces = [0, ...breaks].map((at, index) => text.slice(at, breaks[index]))
  const code = `${pieces.join('\n')}\n//# sourceMappingURL=${basename(path)}.map\n`
  return { code, map: JSON.stringify({ version: 3, sources, names: [], mappings: encode(lines) }) }
}

/**
 * Returns the offsets at which lines are broken.
 *
 * @param {string} text - a module
 */
function breaksOf(text) {
  /** @type {number[]} */
  const breaks = []
  let lineStart = 0
  for (const { start, end } of parseAst(text).body) {
    lineStart = Math.max(lineStart, text.lastIndexOf('\n', start) + 1)
    if (start === lineStart || Math.max(start - lineStart, end - start) < LINE_LENGTH) continue
    breaks.push(start)
    lineStart = start
  }
  return breaks
}
