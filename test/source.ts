/** Reads the project's source, for the tests of its structure and its examples. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser'

/** The project's folder. */
export const top: string = fileURLToPath(new URL('..', import.meta.url))

interface Syntax {
  program: Node
  comments: readonly Comment[]
}

/** A file of TypeScript, its path relative to the project's folder. */
export interface SourceFile extends Syntax {
  path: string
  text: string
}

/**
 * Lists the files below a folder, except installed and built ones.
 *
 * @param folder - relative to the project's folder
 * @returns their paths, relative to the project's folder
 */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // In an additional git worktree, `.git` is a file.
    if (['node_modules', 'dist', '.git'].includes(entry.name)) return []
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** Reads and parses every file of `src`. */
export function readSources(): SourceFile[] {
  const paths = filesBelow('src').filter((path) => path.endsWith('.ts'))
  return paths.map((path) => {
    const text = readFileSync(join(top, path), 'utf8')
    return { path, text, ...parseTypeScript(path, text) }
  })
}

/**
 * Parses TypeScript.
 *
 * @param path - for messages
 * @param text - a module
 * @returns its tree and its comments, with offsets into the text
 * @throws {SyntaxError} if it is not TypeScript
 */
export function parseTypeScript(path: string, text: string): Syntax {
  const { program, comments, errors } = parseSync(path, text, { lang: 'ts', sourceType: 'module' })
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].codeframe ?? errors[0].message}`)
  return { program, comments }
}

/** Returns the line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Yields a node and all nodes below it. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node
  const fields = new Map<string, unknown>(Object.entries(node))
  for (const key of visitorKeys[node.type] ?? []) {
    const field = fields.get(key)
    for (const child of Array.isArray(field) ? field : [field]) if (isNode(child)) yield* nodesOf(child)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
