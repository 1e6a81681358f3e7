/** The projects of users: folders into which the library and other packages are installed. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { top } from '../source.js'
import { call, environmentOf, outputOf, type ProgramOutput } from './managers.js'
import { openRegistry } from './registry.js'

export interface Projects {
  /** The folder of all projects. Each folder in it is one project. */
  readonly home: string
  /** The environment of a user who works in a project. */
  readonly env: Readonly<Record<string, string>>
  /** Creates a project in which npm installs the library and these packages; returns the output of npm. */
  install(name: string, versions: Readonly<Record<string, string>>): Promise<{ folder: string; npm: ProgramOutput }>
  close(): void
}

/** The versions that the tests use: the highest of each peer dependency. */
export const highest: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<string>(manifest.devDependencies).filter(([name]) => name in manifest.peerDependencies),
)

export async function openProjects(): Promise<Projects> {
  const home = mkdtempSync(join(tmpdir(), 'projects-'))
  const registry = await openRegistry(Object.values(inject('installed').tarballs))
  const env = environmentOf(join(home, 'user'), registry.url)
  return {
    home,
    env,
    async install(name, versions) {
      const folder = join(home, name)
      mkdirSync(folder)
      const dependencies = { blockmark: manifest.version, ...versions }
      const project = { name: 'user', private: true, type: 'module', dependencies }
      writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
      return { folder, npm: await call('npm', ['install'], folder, env) }
    },
    close() {
      registry.close()
      rmSync(home, { recursive: true })
    },
  }
}

/** Returns the compiler's errors in files, with every check, also of declarations; '' if it finds no error. */
export async function compiled(folder: string, words: readonly string[]): Promise<string> {
  const compiler = join(top, 'node_modules', 'typescript', 'bin', 'tsc')
  const strict = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022', '--types', '']
  const { stdout, stderr } = await outputOf(process.execPath, [compiler, '--ignoreConfig', ...strict, ...words], folder)
  return stdout + stderr
}
