/** `blockmark lint`: what a writer probably did not mean. */

import { writeFile } from 'node:fs/promises'
import { fix, type LintMessage, lint, type RuleId, ruleIds } from '../lint/index.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { type Message, readMessage } from '../terminal/input.js'
import { complain, write } from '../terminal/output.js'
import { type Linted, report } from './report.js'

type Rules = Partial<Record<RuleId, boolean>>

export const command: Command = defineCommand({
  operands: '[FILE|-]...',
  examples: ['blockmark lint message.md', 'blockmark lint --fix --off bullet message.md'],
  options: {
    off: {
      value: 'RULE',
      choices: ruleIds,
      repeats: true,
      help: 'switch a rule off; may be given several times',
    },
    fix: { help: 'write what was meant, where that is certain, and report the rest' },
    json: { help: 'print the warnings as JSON' },
  },
  notes: `Without FILE, or where FILE is -, reads standard input; with --fix, writes it to standard output
and the report to standard error. Each FILE is one message. Exits with 1 if there are warnings, with
2 if a FILE could not be read or written.
Rules: ${wrap(ruleIds.join(', '))}`,
  run: async ({ values, operands }) => {
    const paths = operands.length === 0 ? ['-'] : operands
    if (paths.indexOf('-') !== paths.lastIndexOf('-'))
      throw new UsageError('standard input (-) is given more than once')
    const rules: Rules = Object.fromEntries(values.off.map((ruleId) => [ruleId, false]))
    const files: Linted[] = []
    for (const path of paths) files.push(...(await lintFile(path, rules, values.fix)))
    const isOutputTaken = values.fix && paths.includes('-')
    await print(files, values.json, isOutputTaken)
    if (files.some(({ messages }) => messages.length > 0)) process.exitCode ??= 1
  },
})

/** A file that can not be read is reported and left out. */
async function lintFile(path: string, rules: Rules, isFix: boolean): Promise<Linted[]> {
  try {
    const message = await readMessage(path)
    const text = isFix ? fix(message.text, { rules }) : message.text
    const isChanged = text !== message.text
    if (path === '-' && isFix) await write(message.mark + text)
    else if (isChanged) await save(path, message, text)
    const name = path === '-' ? undefined : path
    return [{ path: name, messages: lint(text, { rules }), isWritten: isChanged && path !== '-' }]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    complain(error.message, 2)
    return []
  }
}

async function save(path: string, { name, mark }: Message, text: string): Promise<void> {
  try {
    await writeFile(path, mark + text)
  } catch (error) {
    throw new Failure(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

async function print(files: readonly Linted[], isJson: boolean, isOutputTaken: boolean): Promise<void> {
  const stream = isOutputTaken ? process.stderr : process.stdout
  const text = isJson
    ? `${JSON.stringify(files.map(jsonOf), null, 2)}\n`
    : files.length > 0
      ? report(files, stream.isTTY && stream.hasColors())
      : ''
  if (isOutputTaken) process.stderr.write(text)
  else await write(text)
}

function jsonOf({ path, messages }: Linted): { path: string | null; messages: readonly LintMessage[] } {
  return { path: path ?? null, messages }
}

/** Breaks the list of rules into lines of a terminal's width. */
function wrap(text: string): string {
  const lines = text.match(/\S.{0,90}(?:,(?= )|$)/g) ?? []
  return lines.join('\n  ')
}
