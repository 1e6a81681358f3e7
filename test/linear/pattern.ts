/**
 * Compiles a regular expression to a program for a backtracking machine that tries alternatives in the order of the
 * language's specification. Syntax that the package does not use throws an error.
 */

/** An instruction of the machine. Numbers are positions in the program. */
export type Instruction =
  | { readonly do: 'take'; readonly accepts: (codePoint: number) => boolean }
  /** Goes on at `first`; if that fails, at `second`. */
  | { readonly do: 'try'; first: number; second: number }
  | { readonly do: 'jump'; to: number }
  /** From the current position, or from one code unit before. */
  | { readonly do: 'look'; readonly isNegative: boolean; readonly isBehind: boolean; readonly program: Program }
  | { readonly do: 'start' | 'end' | 'done' }

export type Program = readonly Instruction[]

interface Reader {
  readonly source: string
  /** The flags that affect how characters match: `u`, `i`, `s`, not those for the start of a search. */
  readonly flags: string
  at: number
  readonly program: Instruction[]
}

/** The machine's program for a pattern. */
export function compile(pattern: RegExp): Program {
  return compileSource(pattern.source, pattern.flags.replace(/[gyd]/g, ''))
}

function compileSource(source: string, flags: string): Program {
  const reader: Reader = { source, flags, at: 0, program: [] }
  readAlternatives(reader)
  if (reader.at < source.length) throw unknown(reader)
  reader.program.push({ do: 'done' })
  return reader.program
}

function unknown({ source, at }: Reader): Error {
  return new SyntaxError(`a pattern that cannot be counted, at ${at}: ${source}`)
}

/** `a|b`: tries the first one, then the others. */
function readAlternatives(reader: Reader): void {
  const { program, source } = reader
  const start = program.length
  readSequence(reader)
  if (source[reader.at] !== '|') return
  reader.at += 1
  // The first alternative moves one position on, and a jump over the others follows it.
  const first = program.splice(start)
  const fork: Instruction = { do: 'try', first: start + 1, second: 0 }
  const jump: Instruction = { do: 'jump', to: 0 }
  program.push(fork, ...first.map((instruction) => moved(instruction, 1)), jump)
  fork.second = program.length
  readAlternatives(reader)
  jump.to = program.length
}

function moved(instruction: Instruction, by: number): Instruction {
  if (instruction.do === 'try') {
    return { do: 'try', first: instruction.first + by, second: instruction.second + by }
  }
  return instruction.do === 'jump' ? { do: 'jump', to: instruction.to + by } : instruction
}

function readSequence(reader: Reader): void {
  const { source, program } = reader
  while (reader.at < source.length && source[reader.at] !== '|' && source[reader.at] !== ')') {
    const start = program.length
    readAtom(reader)
    readQuantifier(reader, start)
  }
}

const group = /\((\?(?:[:=!]|<[=!]))?/y
const simpleAtom =
  /\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\[wWdDsS0nrtf]|\\[^A-Za-z\d]|[^\\()[\]{}*+?|^$]/suy

function readAtom(reader: Reader): void {
  const { source, flags, program } = reader
  const char = source[reader.at]
  if (char === '^' || char === '$') {
    reader.at += 1
    program.push({ do: char === '^' ? 'start' : 'end' })
    return
  }
  group.lastIndex = reader.at
  const [opening, kind] = group.exec(source) ?? []
  if (opening !== undefined) {
    reader.at += opening.length
    const start = program.length
    readAlternatives(reader)
    if (source[reader.at] !== ')') throw unknown(reader)
    reader.at += 1
    if (kind === undefined || kind === '?:') return
    const inner = program.splice(start).map((instruction) => moved(instruction, -start))
    const isBehind = kind.includes('<')
    if (isBehind && (inner.length !== 1 || flags.includes('u'))) throw unknown(reader)
    program.push({ do: 'look', isNegative: kind.endsWith('!'), isBehind, program: [...inner, { do: 'done' }] })
    return
  }
  simpleAtom.lastIndex = reader.at
  const [atom] = simpleAtom.exec(source) ?? []
  if (atom === undefined) throw unknown(reader)
  reader.at += atom.length
  program.push({ do: 'take', accepts: acceptorOf(atom, flags) })
}

/** Matches a character with the engine itself, once for each character. */
function acceptorOf(atom: string, flags: string): (codePoint: number) => boolean {
  const pattern = new RegExp(`^${atom}$`, flags)
  const ask = (codePoint: number): boolean => pattern.test(String.fromCodePoint(codePoint))
  const ascii = Array.from({ length: 128 }, (_, codePoint) => ask(codePoint))
  const others = new Map<number, boolean>()
  return (codePoint) => {
    const known = codePoint < 128 ? ascii[codePoint] : others.get(codePoint)
    if (known !== undefined) return known
    const matches = ask(codePoint)
    others.set(codePoint, matches)
    return matches
  }
}

const quantifier = /[*+?]|\{(\d+)(,(\d*))?\}/y

/** Repeats the program from `start` on. */
function readQuantifier(reader: Reader, start: number): void {
  const { source, program } = reader
  quantifier.lastIndex = reader.at
  const [found, low, comma, high] = quantifier.exec(source) ?? []
  if (found === undefined) return
  reader.at += found.length
  if (source[reader.at] === '?') throw unknown(reader)
  const least = low !== undefined ? Number(low) : found === '+' ? 1 : 0
  const most =
    found === '?' ? 1 : low === undefined || (comma !== undefined && high === '') ? Infinity : Number(high ?? low)
  const body = program.splice(start).map((instruction) => moved(instruction, -start))
  const add = (): void => {
    const by = program.length
    program.push(...body.map((instruction) => moved(instruction, by)))
  }
  for (let count = 0; count < least; count += 1) add()
  if (most === Infinity) {
    const fork: Instruction = { do: 'try', first: program.length + 1, second: 0 }
    program.push(fork)
    add()
    program.push({ do: 'jump', to: program.indexOf(fork) })
    fork.second = program.length
    return
  }
  const forks: { second: number }[] = []
  for (let count = least; count < most; count += 1) {
    const fork: Instruction = { do: 'try', first: program.length + 1, second: 0 }
    program.push(fork)
    forks.push(fork)
    add()
  }
  for (const fork of forks) fork.second = program.length
}
