/** What a command is: the options it declares, and what it does with those it is given; and a table of commands. */

/** An option that is there or not. */
interface Switch {
  readonly help: string
  /** Its one-letter name, without the dash. */
  readonly short?: string
}

/** An option with a value. */
interface Setting extends Switch {
  /** What the help calls the value, in capitals. */
  readonly value: string
  readonly choices?: readonly string[]
  /** It may be given more than once and is a list then. */
  readonly repeats?: true
}

export type Option = Switch | Setting

/** Options by their long names, without the dashes. */
export type Options = Readonly<Record<string, Option>>

type ValueOf<Declared> = Declared extends { choices: readonly (infer Choice)[] } ? Choice : string

/** What was given, typed by what was declared. */
type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { repeats: true }
    ? readonly ValueOf<Declared[Name]>[]
    : Declared[Name] extends { value: string }
      ? ValueOf<Declared[Name]> | undefined
      : boolean
}

/** The words behind a command's name. */
export interface Given<Declared extends Options = Options> {
  readonly values: Values<Declared>
  readonly operands: readonly string[]
}

export interface Command<Declared extends Options = Options> {
  /** What stands behind the command's name and its options, as `[FILE]...`. */
  readonly operands: string
  readonly options: Declared
  /** Two calls as they are typed, the second for what the first does not show. */
  readonly examples: readonly [first: string, second: string]
  /** What the help says below the options. */
  readonly notes?: string
  run(given: Given<Declared>): Promise<void>
}

/**
 * Lets the compiler work out the types of the values from the declared options.
 *
 * @param command - the command
 * @returns the same, as the table of commands holds it
 */
export function defineCommand<const Declared extends Options>(command: Command<Declared>): Command {
  return command
}

interface Entry {
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

/** Commands by their names; each is loaded when it is called. */
export type Commands = Readonly<Record<string, Entry>>

export function isSetting(option: Option): option is Setting {
  return 'value' in option
}

export interface Program {
  readonly name: string
  /** What `--version` prints. */
  readonly version: () => Promise<string>
  readonly commands: Commands
  /** The command that is meant where none is named. */
  readonly usual?: string
  /** What the help says below the options. */
  readonly notes?: string
  /** The command that is meant where a file is named in its place. */
  readonly commandOfFiles?: string
  /** The commands of another program, and the call that runs that. */
  readonly others?: readonly string[]
  readonly otherProgram?: string
}
