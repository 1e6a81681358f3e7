/** Builds and packs a copy of the project, and installs the library into an empty folder, like a user. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

interface Installed {
  /** A folder that contains only the installed library. */
  folder: string
  /** The files that `npm run pack` wrote: the library, and the server. */
  tarballs: { blockmark: string; 'blockmark-server': string }
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
  const packed = join(temporary, 'packed')
  const folder = join(temporary, 'folder')
  cpSync(project, copy, { recursive: true, filter: (path) => path === project || !leftOut.includes(basename(path)) })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  npm(copy, 'run', 'pack', '--', packed)
  const tarballOf = (name: RegExp): string => {
    const [file, ...others] = readdirSync(packed).filter((each) => name.test(each))
    if (file === undefined || others.length > 0) throw new Error(`npm run pack has written ${readdirSync(packed)}`)
    return join(packed, file)
  }
  const tarballs = {
    blockmark: tarballOf(/^blockmark-\d[^/]*\.tgz$/),
    'blockmark-server': tarballOf(/^blockmark-server-\d[^/]*\.tgz$/),
  }
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarballs.blockmark)
  provide('installed', { folder, tarballs })
  return () => rmSync(temporary, { recursive: true })
}

/** Runs npm as in a terminal: without the settings of the npm that runs the tests. */
function npm(folder: string, ...words: string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== 'INIT_CWD')
  const env = Object.fromEntries(inherited)
  return execFileSync('npm', words, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
