/** The files of the library's tarball, installed into an empty folder, and the imports of each. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inject } from 'vitest'
import { nodesOf, parseTypeScript } from '../source.js'

export const home: string = join(inject('installed').folder, 'node_modules', 'blockmark')

/** The library's package.json. */
export const description: {
  readonly exports: Readonly<Record<string, string | { types: string; default: string; require?: string }>>
} = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))

export const paths: readonly string[] = filesOf(home)

export function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Returns the paths of the project that a text names, without those in examples of messages. */
export function pathsNamedIn(text: string): string[] {
  const found = text
    .replace(/^`{4,}[\s\S]*?^`{4,}$/gm, '')
    .matchAll(/(?<![\w/.*-])(?:src|test|fixtures|bench|dist|\.ci)\/[\w.*/-]*\w/g)
  return Array.from(found, ([name]) => name)
}

export interface Loaded {
  now: string[]
  later: string[]
}

const known = new Map<string, Loaded>()

/** Returns the static and the dynamic imports of a built file. */
export function importsOf(path: string): Loaded {
  const before = known.get(path)
  if (before !== undefined) return before
  const { program } = parseTypeScript(path, readFileSync(join(home, path), 'utf8'))
  const loaded: Loaded = { now: [], later: [] }
  for (const node of nodesOf(program)) {
    const list = node.type === 'ImportExpression' ? loaded.later : loaded.now
    const source = 'source' in node ? node.source : null
    if (typeof source !== 'object' || source === null) continue
    if (source.type === 'Literal') list.push(String(source.value))
    // A minifier writes quotes of any kind.
    if (source.type === 'TemplateLiteral') list.push(source.quasis[0]?.value.raw ?? '')
  }
  known.set(path, loaded)
  return loaded
}

/** Returns files and all files that they import statically. */
export function filesFrom(paths: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const load = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const name of importsOf(path).now) {
      if (name.startsWith('.')) load(join(path, '..', name))
      else if (name === 'blockmark') load('dist/index.js')
    }
  }
  paths.forEach(load)
  return seen
}

export function codeOf(paths: ReadonlySet<string>): string {
  return [...paths].map((path) => readFileSync(join(home, path), 'utf8')).join('\n')
}
