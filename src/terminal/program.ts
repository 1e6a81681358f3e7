/**
 * A program: which of its commands is meant, and what its end tells the shell. It ends by itself once everything is
 * written (never by `process.exit`, which would cut off what a slow reader has not taken yet); its exit code is 0, 1 for
 * what could not be read or written, 2 for a wrong call, and 3 or 4 where a service refuses or is not there (`errors.ts`).
 */

import { existsSync } from 'node:fs'
import { readArguments } from './arguments.js'
import type { Program } from './command.js'
import { Failure, UsageError } from './errors.js'
import { commandHelp, generalHelp } from './help.js'
import { suggestion } from './nearest.js'
import { ClosedOutput, complain, write } from './output.js'

/**
 * Runs a program.
 *
 * @param program - the program
 * @param words - what stands behind its name
 */
export async function runProgram(program: Program, words: readonly string[]): Promise<void> {
  try {
    await choose(program, words)
  } catch (error) {
    if (error instanceof UsageError) complain(error.message, 2, program.name)
    else if (error instanceof Failure) complain(error.message, error.exitCode, program.name)
    // The reader has seen enough, as `head` does: nothing is wrong, and there is nobody left to tell.
    else if (!(error instanceof ClosedOutput)) throw error
  }
}

async function choose(program: Program, words: readonly string[]): Promise<void> {
  const { name, version, usual } = program
  const [first, ...rest] = words
  if (first === '--version' || first === '-v') return write(`${await version()}\n`)
  if (first === '--help' || first === '-h') return write(generalHelp(program))
  if (first === 'help') return rest[0] === undefined ? write(generalHelp(program)) : run(program, rest[0], ['--help'])
  if (first !== undefined && !first.startsWith('-')) return run(program, first, rest)
  if (usual !== undefined) return run(program, usual, words)
  if (first === undefined) throw new UsageError(`no command given; see ${name} --help`)
  throw new UsageError(`unknown option ${first}${suggestion(first, ['--help', '--version'], `${name} --help`)}`)
}

async function run(program: Program, name: string, words: readonly string[]): Promise<void> {
  const { commands } = program
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) throw new UsageError(`unknown command ${name}${commandMeant(program, name)}`)
  const { command } = await entry.load()
  const call = `${program.name} ${name}`
  const given = readArguments(call, words, command.options)
  return given === 'help' ? write(commandHelp(call, entry.summary, command)) : command.run(given)
}

function commandMeant({ name, commands, commandOfFiles, otherProgram, others = [] }: Program, word: string): string {
  if (others.includes(word)) return `; it is a command of the server: ${otherProgram} ${word}`
  if (commandOfFiles !== undefined && existsSync(word)) return `; did you mean ${name} ${commandOfFiles} ${word}?`
  return suggestion(word, [...Object.keys(commands), ...others], `${name} --help`)
}
