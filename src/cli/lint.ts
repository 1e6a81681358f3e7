/** `blockmark lint`: what a writer probably did not mean. */

import { writeFile } from 'node:fs/promises'
import { type LintMessage, lint, type RuleId } from '../index.js'
import { type Command, defineCommand } from './command.js'
import { Failure, UsageError } from './errors.js'
import { type Message, readMessage } from './input.js'
import { complain, write } from './output.js'
import { type Linted, report } from './report.js'

/**
 * Every rule, and whether `--fix` applies what it expects: where there is one replacement, and it renders what was
 * meant. A character that nobody sees may be wanted, an id that was guessed may be somebody else's.
 */
const isSafe: Readonly<Record<RuleId, boolean>> = {
  'heading-depth': true,
  bullet: true,
  'ordered-list': false,
  quote: false,
  table: false,
  strikethrough: true,
  'double-underscore': true,
  html: true,
  image: false,
  'angle-url': true,
  'mention-id': false,
  'slack-reference': false,
  'link-target': true,
  'link-scheme': false,
  'file-alone': false,
  'unclosed-marker': false,
  'unclosed-fence': false,
  bidirectional: false,
  invisible: false,
  limit: false,
}

type Rules = Partial<Record<RuleId, boolean>>

export const command: Command = defineCommand({
  operands: '[FILE|-]...',
  options: {
    off: {
      value: 'RULE',
      choices: Object.keys(isSafe),
      repeats: true,
      help: 'switch a rule off; may be given several times',
    },
    fix: { help: 'write what was meant, where that is certain, and report the rest' },
    json: { help: 'print the warnings as JSON' },
  },
  notes: `Without FILE, or where FILE is -, reads standard input; with --fix, writes it to standard output
and the report to standard error. Each FILE is one message. Exits with 1 if there are warnings.
Rules: ${wrap(Object.keys(isSafe).join(', '))}`,
  run: async ({ values, operands }) => {
    const paths = operands.length === 0 ? ['-'] : operands
    if (paths.indexOf('-') !== paths.lastIndexOf('-'))
      throw new UsageError('standard input (-) is given more than once')
    const rules: Rules = Object.fromEntries(values.off.map((ruleId) => [ruleId, false]))
    const files: Linted[] = []
    for (const path of paths) files.push(...(await lintFile(path, rules, values.fix)))
    const isOutputTaken = values.fix && paths.includes('-')
    await print(files, values.json, isOutputTaken)
    if (files.some(({ messages }) => messages.length > 0)) process.exitCode = 1
  },
})

/** A file that can not be read is reported and left out. */
async function lintFile(path: string, rules: Rules, isFix: boolean): Promise<Linted[]> {
  try {
    const message = await readMessage(path)
    const text = isFix ? fix(message.text, rules) : message.text
    const isChanged = text !== message.text
    if (path === '-' && isFix) await write(message.mark + text)
    else if (isChanged) await save(path, message, text)
    const name = path === '-' ? undefined : path
    return [{ path: name, messages: lint(text, { rules }), isWritten: isChanged && path !== '-' }]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    complain(error.message, 1)
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

/** What one round puts right may be inside of what the next one does: `<b>~~x~~</b>`. */
const ROUNDS_MAX = 8

function fix(text: string, rules: Rules): string {
  let fixed = text
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = fixed
    fixed = apply(fixed, lint(fixed, { rules }))
    if (fixed === before) break
  }
  return fixed
}

/** Applies what is safe; of two that overlap or touch, the first: what the other becomes is asked once more. */
function apply(text: string, messages: readonly LintMessage[]): string {
  let fixed = ''
  let end = 0
  for (const { ruleId, place, expected } of messages) {
    const [replacement, ...others] = expected ?? []
    if (!isSafe[ruleId] || replacement === undefined || others.length > 0) continue
    if (place === undefined || !('start' in place)) continue
    const {
      start: { offset: from = 0 },
      end: { offset: to = 0 },
    } = place
    if (from < end || (from === end && end > 0)) continue
    fixed += text.slice(end, from) + replacement
    end = to
  }
  return fixed + text.slice(end)
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
