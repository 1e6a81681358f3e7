/** Leaves, of the declarations, those that a user's compiler can reach from an entry of the package. */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @type {{ exports: Record<string, string | { types?: string }> }} */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))

/** @type {Set<string>} */
const reached = new Set()

/** @param {string} path */
function reach(path) {
  if (reached.has(path)) return
  reached.add(path)
  for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)\.js['"]/g)) {
    reach(join(dirname(path), `${imported}.d.ts`))
  }
}

for (const entry of Object.values(exports)) {
  if (typeof entry !== 'string' && entry.types !== undefined) reach(join(entry.types))
}
for (const path of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = join('dist', path)
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
}
