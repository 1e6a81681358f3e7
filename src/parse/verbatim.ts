/** Fenced code (§2). */
import { endOfLine, startOfLine } from './blocks.js'
import { endOfRun, endOfSpaces } from './neighbors.js'
import type { Reader } from './reader.js'
import type { SourceBlock } from './tape.js'

interface Fenced {
  readonly lang: string | null
  readonly meta: string | null
  readonly value: string
}

/** Matches spaces, the first word, spaces, and the rest. */
const words = /^[ \t]*([^ \t]*)[ \t]*(.*)/s

/** The first word of an info string, and the rest (§2). */
export function splitInfo(info: string): { lang: string | null; meta: string | null } {
  const [, lang, meta] = words.exec(info) ?? []
  return { lang: lang || null, meta: meta || null }
}

/** Returns the fenced code of a block. */
export function codeAt(reader: Reader, block: SourceBlock): Fenced {
  const infoStart = endOfRun(reader.chars, block.start)
  return { ...splitInfo(reader.source.slice(infoStart - 1, block.contentStart - 1)), value: valueAt(reader, block) }
}

/** Returns the code. Removes from each line as many spaces as are before the opening fence, or fewer if the line has fewer. */
function valueAt(reader: Reader, { start: fence, first, last }: SourceBlock): string {
  const indent = fence - startOfLine(reader, first - 1)
  let value = ''
  for (let line = first; line < last; line += 1) {
    const lineStart = startOfLine(reader, line)
    const end = endOfLine(reader, line)
    const start = endOfSpaces(reader.chars, lineStart, Math.min(end, lineStart + indent))
    value += (line > first ? '\n' : '') + reader.source.slice(start - 1, end - 1)
  }
  return value
}
