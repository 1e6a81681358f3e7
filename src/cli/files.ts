/** Finds files by folders and patterns. The search is our own code, because Node.js 20 has no glob and the package has no dependencies. */

import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../terminal/errors.js'

/**
 * Lists the files that an operand names.
 *
 * @param operand - a file; `-`; a folder (its `.md` files); or a pattern with `*`, `**` and `?`
 * @returns the sorted paths, without files in `node_modules` and in hidden folders
 * @throws {Failure} if a folder has no `.md` file, or no file matches a pattern
 */
export async function filesOf(operand: string): Promise<string[]> {
  const isFolder = existsSync(operand) && statSync(operand).isDirectory()
  const isPattern = /[*?]/.test(operand) && !existsSync(operand)
  if (!isFolder && !isPattern) return [operand]
  const root = isFolder ? operand : (/^(?:[^*?]*\/)?/.exec(operand)?.[0] ?? '')
  const expression = isFolder ? /\.md$/i : expressionOf(operand)
  const matchingPaths = (await listFiles(root || '.')).filter((path) =>
    expression.test(root === '' ? path : join(root, path)),
  )
  if (matchingPaths.length === 0) throw new Failure(`${operand}: ${isFolder ? 'has no .md file' : 'no file fits'}`)
  return matchingPaths.map((path) => join(root, path)).toSorted()
}

/** Lists the files below a folder, as paths relative to the folder. */
async function listFiles(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])
  const paths: string[] = []
  for (const entry of entries) {
    const path = join(below, entry.name)
    if (entry.isFile()) paths.push(path)
    else if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      paths.push(...(await listFiles(folder, path)))
  }
  return paths
}

/** Compiles a pattern: `**` and a slash match any folders; `*` and `?` do not match a slash. */
function expressionOf(pattern: string): RegExp {
  const source = join(pattern).replace(/\*\*\/|\*\*|[*?]|[\\^$.|+()[\]{}]/g, (token) => {
    if (token === '**/') return '(?:.*/)?'
    if (token === '**') return '.*'
    return token === '*' ? '[^/]*' : token === '?' ? '[^/]' : `\\${token}`
  })
  return new RegExp(`^${source}$`)
}
