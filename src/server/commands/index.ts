/** `blockmark-server`: the service, and what its operator does beside it. */

import { createRequire } from 'node:module'
import type { Commands } from '../../terminal/command.js'
import { runProgram } from '../../terminal/program.js'
import { settings } from './settings.js'

/** Every command by its name. A new one is a line here and a file beside this one, which is loaded when it is called. */
export const commands: Commands = {
  serve: { summary: 'run the service', load: () => import('./serve.js') },
  keys: { summary: 'make, list, rotate and revoke the keys of bots', load: () => import('./keys.js') },
  bots: { summary: 'list bots', load: () => import('./bots.js') },
  users: { summary: 'list, add, remove and import people, and sign them in', load: () => import('./users.js') },
  files: { summary: 'remove files that nothing shows', load: () => import('./files.js') },
  export: { summary: 'write an organization to a folder', load: () => import('./export.js') },
  import: { summary: 'read an organization from a folder', load: () => import('./import.js') },
  docs: { summary: 'write the documentation as files', load: () => import('./docs.js') },
  doctor: { summary: 'check what the service needs', load: () => import('./doctor.js') },
}

/**
 * Runs a command, as the shell's `blockmark-server` does.
 *
 * @param words - what stands behind the program's name; without a command `serve` is meant
 * @returns when it is done; what is wrong is said on standard error, and `process.exitCode` is set
 */
export async function run(words: readonly string[]): Promise<void> {
  await runProgram({ name: 'blockmark-server', version, commands, usual: 'serve', notes: settings }, words)
}

/** Both packages have one version; the name finds the description from wherever the bundler put this code. */
async function version(): Promise<string> {
  const description: { version: string } = createRequire(import.meta.url)('blockmark/package.json')
  const { dialectVersion } = await import('../../index.js')
  return `${description.version} (dialect ${dialectVersion})`
}
