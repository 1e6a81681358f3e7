/** `blockmark-server`: the service and its operator's commands. */

import { createRequire } from 'node:module'
import type { Commands } from '../../terminal/command.js'
import { runProgram } from '../../terminal/program.js'
import { settings } from '../config.js'
import { program } from '../program.js'

/** All commands by name. The operator's commands are loaded together, and only when one of them runs. */
export const commands: Commands = {
  serve: { summary: 'run the service', load: () => import('./serve.js') },
  organizations: {
    summary: 'list, add, rename, suspend and remove organizations',
    load: operatorCommand('organizations'),
  },
  keys: { summary: 'create, list, rotate and revoke the API keys of bots', load: operatorCommand('keys') },
  bots: { summary: 'list and remove bots', load: operatorCommand('bots') },
  people: { summary: 'list, add, remove and import people, and sign them in', load: operatorCommand('people') },
  posts: { summary: 'remove posts of any author', load: operatorCommand('posts') },
  export: { summary: 'write organizations to a folder', load: operatorCommand('exporting') },
  import: { summary: 'read organizations from a folder into an empty database', load: operatorCommand('importing') },
  doctor: { summary: 'check the database, its schema and its clock', load: operatorCommand('doctor') },
}

function operatorCommand(name: keyof typeof import('./operator.js')): Commands[string]['load'] {
  return async () => ({ command: (await import('./operator.js'))[name] })
}

/**
 * Runs a command, as the shell's `blockmark-server` does.
 *
 * @param words - the words after the program's name; by default `serve`
 * @returns a promise that resolves when the command has ended; errors go to standard error and set `process.exitCode`
 */
export async function run(words: readonly string[]): Promise<void> {
  const parts = { version, commands, notes: settings, areErrorsShort: true }
  await runProgram({ name: 'blockmark-server', call: program, defaultCommand: 'serve', ...parts }, words)
}

/** Returns the version of both packages. The path works in every bundle, because it begins with the package's name. */
async function version(): Promise<string> {
  const packageJson: { version: string } = createRequire(import.meta.url)('blockmark/package.json')
  const { dialectVersion } = await import('../../index.js')
  return `${packageJson.version} (dialect ${dialectVersion})`
}
