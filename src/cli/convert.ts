/** `blockmark convert`: from and to CommonMark with GFM and Slack's formats. */

import type { Converted } from '../convert/options.js'
import { parse, type Root, stringify, toHtml, toText } from '../index.js'
import type { Message as Remark } from '../message.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { readMessage } from '../terminal/input.js'
import { write } from '../terminal/output.js'

type From = 'dialect' | 'markdown' | 'slack'
type To = From | 'html' | 'text'

export const command: Command = defineCommand({
  operands: '[FILE|-]',
  examples: [
    'blockmark convert --from markdown --to dialect answer.md',
    'blockmark convert --from slack --to markdown < message.json',
  ],
  options: {
    from: {
      value: 'FORMAT',
      choices: ['dialect', 'markdown', 'slack'],
      help: 'dialect, markdown (CommonMark with GFM) or slack',
    },
    to: {
      value: 'FORMAT',
      choices: ['dialect', 'markdown', 'slack', 'html', 'text'],
      help: 'dialect, markdown, slack, html or text',
    },
    mention: { value: 'ID', repeats: true, help: 'a user whom foreign text may mention; may be given several times' },
    quiet: { short: 'q', help: 'do not say what was lost' },
  },
  notes: `Without FILE, or where FILE is -, reads standard input. From slack, FILE is mrkdwn, or JSON: an array
of blocks or a message with text, blocks and attachments. What the other format has and this one does not
is said on standard error, line by line.`,
  run: async ({ values: { from, to, mention, quiet }, operands: [path = '-', ...others] }) => {
    if (from === undefined) throw new UsageError('--from is missing: dialect, markdown or slack')
    if (to === undefined) throw new UsageError('--to is missing: dialect, markdown, slack, html or text')
    if (others.length > 0) throw new UsageError('convert takes one FILE')
    const { name, text } = await readMessage(path)
    const { tree, messages } = await readAs(from, text, mention)
    const written = await writers[to](tree)
    await write(written === '' || written.endsWith('\n') ? written : `${written}\n`)
    if (!quiet) remark(name, messages)
  },
})

/**
 * Says on standard error what a conversion lost.
 *
 * @param name - what was read
 * @param messages - what was lost
 */
export function remark(name: string, messages: readonly Remark[]): void {
  for (const message of messages) process.stderr.write(`${name}:${lineOf(message)}\n`)
}

function lineOf({ place, block, reason, ruleId }: Remark): string {
  const point = place !== undefined && 'start' in place ? place.start : place
  const where = point === undefined ? '' : `${point.line}:${point.column}:`
  return `${block === undefined ? where : `block ${block}:`} ${reason} (${ruleId})`
}

/**
 * Reads a text of any of the formats.
 *
 * @param from - the format
 * @param text - the text
 * @param mentions - whom foreign text may mention
 * @returns the tree, and what was lost
 */
export async function readAs(from: From, text: string, mentions: readonly string[]): Promise<Converted> {
  if (from === 'dialect') return { tree: parse(text), messages: [] }
  if (from === 'markdown') return (await markdown()).fromMarkdown(text, { mentions })
  const { fromSlack } = await import('../convert/slack/index.js')
  const json = jsonOf(text)
  try {
    return fromSlack(json ?? text, { mentions })
  } catch (cause) {
    // Of JSON that is no message; text always is one.
    if (!(cause instanceof TypeError) || json === null) throw cause
    throw new Failure(cause.message.replace('fromSlack: ', '').replace('a string, ', 'mrkdwn, '), { cause })
  }
}

/** Blocks or a message of Slack's API, if that is what a file holds. */
function jsonOf(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    // Text may begin with a bracket.
    return null
  }
}

const writers: Readonly<Record<To, (tree: Root) => string | Promise<string>>> = {
  dialect: stringify,
  text: toText,
  markdown: async (tree) => (await markdown()).toMarkdown(tree),
  slack: async (tree) => (await import('../convert/slack/index.js')).toSlack(tree),
  html: toHtml,
}

/** What reads and writes Markdown is installed beside this package; its entry says so where it is not. */
export async function markdown(): Promise<typeof import('../convert/index.js')> {
  try {
    return await import('../convert/index.js')
  } catch (cause) {
    throw new Failure(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
