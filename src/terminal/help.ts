/** Writes the help from the declarations of the commands. */

import { commonOptions } from './arguments.js'
import { type Command, isSetting, type Option, type Options, type Program } from './command.js'

export function generalHelp({ name, commands, defaultCommand, notes }: Program): string {
  const summaries = Object.entries(commands).map(([command, { summary }]): Row => [command, summary])
  const options: Row[] = [
    ['-h, --help', 'show this help; after a command, the help of that command'],
    ['-v, --version', 'show the version'],
  ]
  const usage = `Usage: ${name} ${defaultCommand === undefined ? 'COMMAND' : '[COMMAND]'} [OPTION]... [FILE]...`
  const defaultNote = defaultCommand === undefined ? '' : `\nWithout a COMMAND, runs ${defaultCommand}.\n`
  return `${usage}\n${defaultNote}\nCommands:\n${formatColumns(summaries)}\nOptions:\n${formatColumns(options)}${notesText(notes)}`
}

/** Maximum number of columns of a line, for a wide terminal. */
const WIDTH = 104

/** Writes the help of one command; `name` is the call, for example `blockmark render`. */
export function commandHelp(name: string, summary: string, command: Command): string {
  const call = `Usage: ${name} [OPTION]...`
  const isLong = call.length + command.operands.length > WIDTH
  const usage = `${call}${isLong ? '\n        ' : ''} ${command.operands}`.trimEnd()
  const all: Options = { ...command.options, ...commonOptions }
  const options = Object.entries(all).map(([long, option]): Row => [optionSignature(long, option), option.help])
  return `${usage}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.\n\nOptions:\n${formatColumns(options)}${notesText(command.notes)}${examplesText(command)}`
}

function examplesText({ examples }: Command): string {
  return `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`
}

function notesText(notes: string | undefined): string {
  return notes === undefined ? '' : `\n${notes}\n`
}

function optionSignature(long: string, option: Option): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `
  return `${short}--${long}${isSetting(option) ? ` ${option.value}` : ''}`
}

type Row = [left: string, right: string]

function formatColumns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}
