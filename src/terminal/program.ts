/**
 * Runs the command that a call names, and sets the exit code: 0 for success, 1 if the command fails, 2 for an incorrect call,
 * 3 or 4 if a service rejects the call or cannot be reached. `lint` exits with 1 for warnings and 2 for unreadable files.
 * `process.exit` is not called: it would cut off output that a slow reader has not taken yet.
 */

import { existsSync } from 'node:fs'
import { readArguments } from './arguments.js'
import type { Program } from './command.js'
import { Failure, UsageError } from './errors.js'
import { commandHelp, generalHelp } from './help.js'
import { suggestion } from './nearest.js'
import { ClosedOutput, reportError, write } from './output.js'

export async function runProgram(program: Program, words: readonly string[]): Promise<void> {
  try {
    await runWords(program, words)
  } catch (error) {
    if (error instanceof UsageError) reportError(replaceName(program, error.message), 2, program.name)
    else if (error instanceof Failure) reportError(replaceName(program, error.message), error.exitCode, program.name)
    // The reader has closed the pipe, like `head`. That is not an error.
    else if (error instanceof ClosedOutput) return
    else if (program.areErrorsShort && error instanceof Error)
      reportError(replaceName(program, error.message), 1, program.name)
    else throw error
  }
}

async function runWords(program: Program, words: readonly string[]): Promise<void> {
  const { name, version, defaultCommand } = program
  const [first, ...rest] = words
  if (first === '--version' || first === '-v') return write(`${await version()}\n`)
  if (first === '--help' || first === '-h') return write(replaceName(program, generalHelp(program)))
  if (first === 'help')
    return rest[0] === undefined ? write(replaceName(program, generalHelp(program))) : run(program, rest[0], ['--help'])
  if (first !== undefined && !first.startsWith('-')) return run(program, first, rest)
  if (defaultCommand !== undefined) return run(program, defaultCommand, words)
  if (first === undefined) throw new UsageError(`no command given; see ${name} --help`)
  throw new UsageError(`unknown option ${first}${suggestion(first, ['--help', '--version'], `${name} --help`)}`)
}

async function run(program: Program, name: string, words: readonly string[]): Promise<void> {
  const { commands } = program
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) throw new UsageError(`unknown command ${name}${commandHint(program, name)}`)
  const { command } = await entry.load()
  const call = `${program.name} ${name}`
  const result = readArguments(call, words, command.options)
  return result === 'help'
    ? write(replaceName(program, commandHelp(call, entry.summary, command)))
    : command.run(result)
}

/** Replaces the name of the program by its call in the commands that a text mentions. */
function replaceName({ name, call = name }: Program, text: string): string {
  return text.replaceAll(`${name} `, `${call} `)
}

function commandHint(
  { name, commands, commandOfFiles, otherProgram, otherCommands = [] }: Program,
  word: string,
): string {
  if (otherCommands.includes(word)) return `; it is a command of the server: ${otherProgram} ${word}`
  if (commandOfFiles !== undefined && existsSync(word)) return `; did you mean ${name} ${commandOfFiles} ${word}?`
  return suggestion(word, [...Object.keys(commands), ...otherCommands], `${name} --help`)
}
