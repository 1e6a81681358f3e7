/** Builds and packs a copy of the project, and installs the package into an empty folder, as a user would have it. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

/** What npm says of a packed package. */
interface Packed {
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

interface Installed {
  packed: Packed
  /** A folder that held nothing before the package was installed into it. */
  folder: string
}

declare module 'vitest' {
  interface ProvidedContext {
    installed: Installed
  }
}

const project = fileURLToPath(new URL('..', import.meta.url))
const leftOut = ['node_modules', 'dist', '.git']

export default function setup({ provide }: TestProject): () => void {
  const temporary = mkdtempSync(join(tmpdir(), 'blockmark-'))
  const copy = join(temporary, 'copy')
  const folder = join(temporary, 'folder')
  cpSync(project, copy, { recursive: true, filter: (path) => path === project || !leftOut.includes(basename(path)) })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  npm(copy, 'run', 'prepare')
  // Without the scripts, whose output some versions of npm mix into the JSON.
  const [packed]: Packed[] = JSON.parse(
    npm(copy, 'pack', '--json', '--ignore-scripts', '--pack-destination', temporary),
  )
  if (packed === undefined) throw new Error('npm pack has packed nothing')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(temporary, packed.filename))
  provide('installed', { packed, folder })
  return () => rmSync(temporary, { recursive: true })
}

/** npm as typed in a terminal: what the npm that runs the tests was told must not reach this one. */
function npm(folder: string, ...words: string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const env = Object.fromEntries(inherited)
  return execFileSync('npm', words, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
