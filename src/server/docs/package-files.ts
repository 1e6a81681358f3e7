/** The documents that come with the package `blockmark`, whose name finds them from wherever the bundler put this code. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Reads a file of the package. */
export function readPackageFile(name: string): Promise<string> {
  return readFile(join(dirname(createRequire(import.meta.url).resolve('blockmark/package.json')), name), 'utf8')
}

/** The sections of its README with these titles, in this order. */
export async function readmeSections(...titles: readonly string[]): Promise<string> {
  const sections = (await readPackageFile('README.md')).split(/^(?=## )/m)
  const found = titles.map((title) => sections.find((section) => section.startsWith(`## ${title}\n`)))
  const missing = titles.find((_, index) => found[index] === undefined)
  if (missing !== undefined) throw new Error(`the README of blockmark has no section ${missing}`)
  return found.join('')
}
