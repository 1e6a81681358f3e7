#!/usr/bin/env node
/**
 * The command line. It ends by itself once everything is written (never by `process.exit`, which would cut off what a
 * slow reader has not taken yet); its exit code is 0, 1 for what could not be read or written, 2 for a wrong call, and
 * 3 or 4 where a service refuses or is not there (`errors.ts`).
 */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readArguments } from './arguments.js'
import { commands } from './commands.js'
import { Failure, UsageError } from './errors.js'
import { commandHelp, generalHelp } from './help.js'
import { suggestion } from './nearest.js'
import { ClosedOutput, complain, write } from './output.js'

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) complain(error.message, 2)
  else if (error instanceof Failure) complain(error.message, error.exitCode)
  // The reader has seen enough, as `head` does: nothing is wrong, and there is nobody left to tell.
  else if (!(error instanceof ClosedOutput)) throw error
}

async function main([first, ...rest]: readonly string[]): Promise<void> {
  if (first === undefined) throw new UsageError('no command given; see blockmark --help')
  if (first === '--version' || first === '-v') return write(`${version()}\n`)
  if (first === '--help' || first === '-h') return write(generalHelp(commands))
  if (first === 'help') return rest[0] === undefined ? write(generalHelp(commands)) : run(rest[0], ['--help'])
  if (first.startsWith('-')) {
    throw new UsageError(`unknown option ${first}${suggestion(first, ['--help', '--version'], 'blockmark --help')}`)
  }
  return run(first, rest)
}

async function run(name: string, words: readonly string[]): Promise<void> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) throw new UsageError(`unknown command ${name}${commandMeant(name)}`)
  const { command } = await entry.load()
  const given = readArguments(name, words, command.options)
  return given === 'help' ? write(commandHelp(name, entry.summary, command)) : command.run(given)
}

function commandMeant(name: string): string {
  if (existsSync(name)) return `; did you mean blockmark render ${name}?`
  return suggestion(name, Object.keys(commands), 'blockmark --help')
}

/** The package's name finds its description from wherever the bundler put this code. */
function version(): string {
  const description: { version: string } = createRequire(import.meta.url)('blockmark/package.json')
  return description.version
}
