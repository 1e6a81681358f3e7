/** A command with its declared options, and the table of commands. */

/** An option without a value. */
interface Switch {
  readonly help: string
  /** The one-letter name, without the dash. */
  readonly short?: string
}

/** An option with a value. */
interface Setting extends Switch {
  /** The name of the value in the help, in capitals. */
  readonly value: string
  readonly choices?: readonly string[]
  /** The option may be repeated, and its value is a list. */
  readonly repeats?: true
}

export type Option = Switch | Setting

/** Options by their long names, without the dashes. */
export type Options = Readonly<Record<string, Option>>

type ValueOf<Declared> = Declared extends { choices: readonly (infer Choice)[] } ? Choice : string

type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { repeats: true }
    ? readonly ValueOf<Declared[Name]>[]
    : Declared[Name] extends { value: string }
      ? ValueOf<Declared[Name]> | undefined
      : boolean
}

export interface ParsedArguments<Declared extends Options = Options> {
  readonly values: Values<Declared>
  readonly operands: readonly string[]
}

export interface Command<Declared extends Options = Options> {
  /** The operands as the help shows them, for example `[FILE]...`. */
  readonly operands: string
  readonly options: Declared
  /** Two calls as people type them. The second shows an option that the first does not. */
  readonly examples: readonly [first: string, second: string]
  /** The text below the options in the help. */
  readonly notes?: string
  run(given: ParsedArguments<Declared>): Promise<void>
}

/** Returns the command unchanged. TypeScript derives the types of its values from its declared options. */
export function defineCommand<const Declared extends Options>(command: Command<Declared>): Command {
  return command
}

interface Entry {
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

/** Commands by name. Each is loaded when it is called. */
export type Commands = Readonly<Record<string, Entry>>

export function isSetting(option: Option): option is Setting {
  return 'value' in option
}

export interface Program {
  readonly name: string
  /** The command that starts the program here, if it differs from `name`. Printed commands begin with `call` instead of `name`. */
  readonly call?: string
  /** Returns the text that `--version` prints. */
  readonly version: () => Promise<string>
  readonly commands: Commands
  /** The command that runs if the call names no command. */
  readonly defaultCommand?: string
  /** The text below the options in the help. */
  readonly notes?: string
  /** Whether every error is reported in one line. By default, an error that no command expects has a stack trace. */
  readonly areErrorsShort?: boolean
  /** The command to suggest if the call names a file instead of a command. */
  readonly commandOfFiles?: string
  /** The commands of another program, and the call that runs that program. */
  readonly otherCommands?: readonly string[]
  readonly otherProgram?: string
}
