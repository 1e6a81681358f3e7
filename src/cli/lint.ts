/** `blockmark lint`: reports markup that the authors of messages probably did not mean. */

import { writeFile } from 'node:fs/promises'
import type { Diagnostic } from '../diagnostic.js'
import { fix, lint, type RuleId, ruleIds } from '../lint/index.js'
import { rules as lintRules } from '../lint/rules.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { type Message, readMessage } from '../terminal/input.js'
import { reportError, write } from '../terminal/output.js'
import { lineOf } from './convert.js'
import { filesOf } from './files.js'

type Rules = Partial<Record<RuleId, boolean>>

interface LintedFile {
  /** The path; null for standard input. */
  readonly path: string | null
  readonly messages: readonly Diagnostic<RuleId>[]
}

export const command: Command = defineCommand({
  operands: '[FILE|FOLDER|PATTERN|-]...',
  examples: ['blockmark lint messages', 'blockmark lint --fix --off bullet message.md'],
  options: {
    off: { value: 'RULE', choices: ruleIds, repeats: true, help: 'turn a rule off; may be given several times' },
    fix: { help: 'write the corrections that are certain, and report the rest' },
    json: { help: 'print the diagnostics as JSON' },
    explain: { value: 'RULE', choices: ruleIds, help: 'only print the explanation of a rule' },
  },
  notes: `Each FILE is one message. In a FOLDER, all .md files at any depth are read; a PATTERN may
contain *, ** and ?. With no FILE, or when FILE is -, reads standard input; with --fix, writes it
to standard output and the report to standard error. Exits with 1 if there are warnings, with 2
if a FILE cannot be read or written.
Rules: ${wrapRules(ruleIds.join(', '))}`,
  run: async ({ values, operands }) => {
    if (values.explain !== undefined) return write(explainRule(values.explain))
    const paths = await pathsOf(operands.length === 0 ? ['-'] : operands)
    if (paths.indexOf('-') !== paths.lastIndexOf('-'))
      throw new UsageError('standard input (-) is given more than once')
    const rules: Rules = Object.fromEntries(values.off.map((ruleId) => [ruleId, false]))
    const files: LintedFile[] = []
    for (const path of paths) files.push(...(await lintFile(path, rules, values.fix)))
    const reportText = values.json ? `${JSON.stringify(files, null, 2)}\n` : files.map(linesOf).join('')
    // With --fix and `-`, standard output has the corrected message, so the report goes to standard error.
    if (values.fix && paths.includes('-')) process.stderr.write(reportText)
    else await write(reportText)
    if (files.some(({ messages }) => messages.length > 0)) process.exitCode ??= 1
  },
})

/** Lists the files that the operands name. An operand that names no file is reported and skipped. */
async function pathsOf(operands: readonly string[]): Promise<string[]> {
  const paths: string[] = []
  for (const operand of operands) {
    try {
      paths.push(...(await filesOf(operand)))
    } catch (error) {
      report(error)
    }
  }
  return paths
}

/** Checks a file, and corrects it if `isFixing` is true. A file that cannot be read is reported and skipped. */
async function lintFile(path: string, rules: Rules, isFixing: boolean): Promise<LintedFile[]> {
  try {
    const message = await readMessage(path)
    const text = isFixing ? fix(message.text, { rules }) : message.text
    const isChanged = text !== message.text
    if (path === '-' && isFixing) await write(message.byteOrderMark + text)
    else if (isChanged) await save(path, message, text)
    return [{ path: path === '-' ? null : path, messages: lint(text, { rules }) }]
  } catch (error) {
    report(error)
    return []
  }
}

function linesOf({ path, messages }: LintedFile): string {
  return messages.map((message) => lineOf(path ?? 'standard input', message)).join('')
}

/** Returns the note of a rule, and a sentence that says whether `--fix` applies its corrections. */
function explainRule(ruleId: RuleId): string {
  const { note, isCertain } = lintRules[ruleId]
  const correction = isCertain ? '--fix corrects it if the result is certain.' : '--fix leaves it as it is.'
  return `${ruleId}: ${note}\n${correction}\n`
}

function report(error: unknown): void {
  if (!(error instanceof Failure)) throw error
  reportError(error.message, 2)
}

async function save(path: string, { name, byteOrderMark }: Message, text: string): Promise<void> {
  try {
    await writeFile(path, byteOrderMark + text)
  } catch (error) {
    throw new Failure(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Breaks the list of rules into lines of at most 92 characters. */
function wrapRules(text: string): string {
  const lines = text.match(/\S.{0,90}(?:,(?= )|$)/g) ?? []
  return lines.join('\n  ')
}
