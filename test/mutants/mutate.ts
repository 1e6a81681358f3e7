/** The mutants of a folder's files, as Stryker's instrumenter finds them, and what a file reads with one of them. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A change of a file that the tests should see. */
export interface Mutant {
  /** What the instrumenter counts it by; another number in another version of the files. */
  id: string
  /** The file, from the top of the project. */
  file: string
  line: number
  /** What kind of change it is, as Stryker names them. */
  kind: string
  /** The lines that it changes, before and after, on one line: this names it as long as the lines stand. */
  was: string
  is: string
  /** The whole file with the change. */
  source: string
}

interface Place {
  line: number
  column: number
}

interface Found {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  location: { start: Place; end: Place }
}

interface Named {
  name: string
  content: string
}

/** What is used of `@stryker-mutator/instrumenter`, which `npm --prefix test/mutants ci` installs. */
interface Instrumenting {
  Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly (Named & { mutate: true })[],
      options: object,
    ): Promise<{ files: readonly Named[]; mutants: readonly Found[] }>
  }
}

export interface Mutants {
  mutants: Mutant[]
  /** Each file with all of its mutants, none of them active, which counts which of them are reached. */
  counting: ReadonlyMap<string, string>
}

/** Finds every mutant of some files. */
export async function findMutants(files: readonly string[]): Promise<Mutants> {
  const path = createRequire(resolve('test/mutants/package.json')).resolve('@stryker-mutator/instrumenter')
  const { Instrumenter }: Instrumenting = await import(pathToFileURL(path).href)
  const nothing = () => undefined
  const instrumenter = new Instrumenter({ debug: nothing, info: nothing, warn: nothing, isDebugEnabled: () => false })
  const sources = new Map(files.map((name) => [name, readFileSync(name, 'utf8')]))
  const found = await instrumenter.instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  return {
    mutants: found.mutants.map((each) => read(each, sources.get(each.fileName) ?? '')),
    counting: new Map(found.files.map(({ name, content }) => [name, content])),
  }
}

function read({ id, fileName, mutatorName, replacement, location }: Found, source: string): Mutant {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const at = ({ line, column }: Place) => (starts[line] ?? 0) + column
  const start = at(location.start)
  const end = at(location.end)
  const lineStart = at({ line: location.start.line, column: 0 })
  const newline = source.indexOf('\n', end)
  const lineEnd = newline === -1 ? source.length : newline
  const before = source.slice(0, start)
  const change = bracketed(replacement, before)
  return {
    id,
    file: fileName,
    line: location.start.line + 1,
    kind: mutatorName,
    was: brief(source.slice(lineStart, lineEnd)),
    is: brief(source.slice(lineStart, start) + change + source.slice(end, lineEnd)),
    source: before + change + source.slice(end),
  }
}

/** What is put in the place of an operand binds as one, and no statement that begins with `(` goes on with the line above. */
function bracketed(replacement: string, before: string): string {
  if (!/ (?:[-+*/%&|<>=!?^]+|in|instanceof) /.test(replacement) || /^(?:case|default|\{)|=>/.test(replacement))
    return replacement
  const isStatement = /(?:^|[\w)\]}'"`])\s*\n\s*$/.test(before)
  return isStatement ? `;(${replacement})` : `(${replacement})`
}

/** One line of some lines; the middle of many is left out. */
function brief(lines: string): string {
  const line = lines.replace(/\s+/g, ' ').trim()
  return line.length <= 200 ? line : `${line.slice(0, 120)} … ${line.slice(-60)}`
}
