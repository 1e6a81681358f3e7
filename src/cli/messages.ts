/** What the commands that post a message share: where it comes from, and how it looks before it is sent. */

import type { Source } from '../index.js'
import { botNotes, botOptions } from './bot.js'
import { readAs, remark } from './convert.js'
import { UsageError } from './errors.js'
import { readMessage } from './input.js'
import { write } from './output.js'

type Format = 'dialect' | 'markdown' | 'slack'

/** Options of every command that posts. */
export const messageOptions: typeof botOptions & {
  readonly from: { readonly value: string; readonly choices: readonly Format[]; readonly help: string }
  readonly 'dry-run': { readonly help: string }
  readonly id: { readonly value: string; readonly help: string }
} = {
  from: {
    value: 'FORMAT',
    choices: ['dialect', 'markdown', 'slack'],
    help: 'what FILE is written in (default dialect)',
  },
  'dry-run': { help: 'send nothing; show the message as it would be sent, with its seams' },
  id: { value: 'ID', help: 'what this message is to you: with the same ID it is posted once in 24 hours' },
  ...botOptions,
}

export const messageNotes: string = `Without FILE, or where FILE is -, reads standard input. Prints the address of what was posted. ${botNotes}`

/**
 * Reads the message that a command is given. What another format has and this one does not is said on standard error.
 *
 * @param operands - what stands behind the options
 * @param from - what the message is written in
 * @returns the message
 */
export async function readSource([path = '-', ...rest]: readonly string[], from: Format = 'dialect'): Promise<Source> {
  if (rest[0] !== undefined) throw new UsageError(`expected one FILE, received ${rest.length + 1}`)
  const { name, text } = await readMessage(path)
  if (from === 'dialect') return text
  const { tree, messages } = await readAs(from, text, [])
  remark(name, messages)
  return tree
}

/**
 * Shows a message in the parts that it would be sent in.
 *
 * @param what - what a part is
 * @param parts - the parts
 * @param isJson - whether a program reads it
 */
export async function show(what: string, parts: readonly string[], isJson: boolean): Promise<void> {
  if (isJson) return write(`${JSON.stringify(parts)}\n`)
  const pieces = parts.map((part, index) => {
    const length = [...part].length
    return `--- ${what} ${index + 1} of ${parts.length}, ${length} characters ---\n${part}\n`
  })
  await write(pieces.join(''))
}

/**
 * Prints what was posted.
 *
 * @param results - what the service gave back
 * @param urlOf - the address of each
 * @param isJson - whether a program reads it
 */
export async function report<Result>(
  results: readonly Result[],
  urlOf: (result: Result) => string,
  isJson: boolean,
): Promise<void> {
  await write(isJson ? `${JSON.stringify(results)}\n` : results.map((result) => `${urlOf(result)}\n`).join(''))
}
