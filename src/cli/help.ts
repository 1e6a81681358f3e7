/** The help, made of what the table of commands and the commands declare. */

import { commonOptions } from './arguments.js'
import { type Command, isSetting, type Option, type Options } from './command.js'
import type { Commands } from './commands.js'

/**
 * The help of `blockmark` itself.
 *
 * @param commands - the table of commands
 * @returns the text to print
 */
export function generalHelp(commands: Commands): string {
  const summaries = Object.entries(commands).map(([name, { summary }]): Row => [name, summary])
  const options: Row[] = [
    ['-h, --help', "show this help; behind a command, the command's"],
    ['-v, --version', 'show the version'],
  ]
  const usage = 'Usage: blockmark COMMAND [OPTION]... [FILE]...'
  return `${usage}\n\nCommands:\n${columns(summaries)}\nOptions:\n${columns(options)}`
}

/**
 * The help of one command.
 *
 * @param name - the command's name
 * @param summary - what the table of commands says of it
 * @param command - the command
 * @returns the text to print
 */
export function commandHelp(name: string, summary: string, command: Command): string {
  const usage = `Usage: blockmark ${name} [OPTION]... ${command.operands}`.trimEnd()
  const all: Options = { ...command.options, ...commonOptions }
  const options = Object.entries(all).map(([long, option]): Row => [signature(long, option), option.help])
  const notes = command.notes === undefined ? '' : `\n${command.notes}\n`
  return `${usage}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.\n\nOptions:\n${columns(options)}${notes}`
}

function signature(long: string, option: Option): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `
  return `${short}--${long}${isSetting(option) ? ` ${option.value}` : ''}`
}

type Row = [left: string, right: string]

function columns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}
