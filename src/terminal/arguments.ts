/** Reads the arguments of a command with the options that the command declares. */

import { parseArgs } from 'node:util'
import { isSetting, type Option, type Options, type ParsedArguments } from './command.js'
import { UsageError } from './errors.js'
import { nearestWord, suggestion } from './nearest.js'

const help: Option = { help: 'show this help', short: 'h' }

/** The options of every command. */
export const commonOptions: Options = { help }

/**
 * Returns the values of all options and the operands, or `help` if help is requested. Throws UsageError if an option or a
 * value is not declared; `command` is the command's name in the message.
 */
export function readArguments(command: string, words: readonly string[], options: Options): ParsedArguments | 'help' {
  const declaredOptions = { ...options, ...commonOptions }
  const occurrences = new Map<string, string[]>()
  const operands: string[] = []
  for (const token of tokenize(words, declaredOptions)) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(declaredOptions, token.name) ? declaredOptions[token.name] : undefined
    if (option === undefined) throw new UsageError(unknownOption(command, token.rawName, declaredOptions))
    const values = occurrences.get(token.name) ?? []
    values.push(readValue(token.rawName, token.value, option, values.length))
    occurrences.set(token.name, values)
  }
  if (occurrences.has('help')) return 'help'
  const values = Object.entries(options).map(([name, option]) => [
    name,
    valueOfOption(option, occurrences.get(name) ?? []),
  ])
  return { values: Object.fromEntries(values), operands }
}

/** Splits the arguments into tokens. `strict` is false, because the errors of the strict mode do not name the right option. */
function tokenize(words: readonly string[], options: Options): Required<ReturnType<typeof parseArgs>>['tokens'] {
  const optionTypes = Object.entries(options).map(([name, option]) => [
    name,
    { type: isSetting(option) ? 'string' : 'boolean', ...(option.short === undefined ? {} : { short: option.short }) },
  ])
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(optionTypes),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

function readValue(name: string, value: string | undefined, option: Option, valuesBefore: number): string {
  if (!isSetting(option)) {
    if (value !== undefined) throw new UsageError(`${name} takes no value`)
    return ''
  }
  if (valuesBefore > 0 && option.repeats !== true) throw new UsageError(`${name} is given more than once`)
  if (value === undefined || value === '') {
    throw new UsageError(`${name} needs a value: ${option.choices?.join(', ') ?? option.value}`)
  }
  if (option.choices === undefined || option.choices.includes(value)) return value
  const nearestChoice = nearestWord(value, option.choices)
  const hint =
    nearestChoice === undefined ? `choose from ${option.choices.join(', ')}` : `did you mean ${nearestChoice}?`
  throw new UsageError(`${name}: unknown ${option.value} ${value}; ${hint}`)
}

function valueOfOption(option: Option, values: readonly string[]): boolean | string | undefined | readonly string[] {
  if (!isSetting(option)) return values.length > 0
  return option.repeats === true ? values : values[0]
}

function unknownOption(command: string, name: string, options: Options): string {
  const names = Object.keys(options).map((declared) => `--${declared}`)
  return `unknown option ${name}${suggestion(name, names, `${command} --help`)}`
}
