/** `blockmark convert`: converts from CommonMark with GFM and from Slack, and to these formats and the formats of other messengers. */

import type { Converted } from '../convert/options.js'
import type { Diagnostic } from '../diagnostic.js'
import { parse, type Root, stringify, toHtml, toText } from '../index.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { readMessage } from '../terminal/input.js'
import { write } from '../terminal/output.js'

/** The formats that the command reads. */
export const sourceFormats = ['dialect', 'markdown', 'slack'] as const
const messengers = ['telegram', 'discord', 'whatsapp', 'matrix'] as const

export type Format = (typeof sourceFormats)[number]
type Messenger = (typeof messengers)[number]
type TargetFormat = Format | 'html' | 'text' | Messenger

export const command: Command = defineCommand({
  operands: '--from FORMAT --to FORMAT [FILE|-]',
  examples: [
    'blockmark convert --from markdown --to telegram answer.md',
    'blockmark convert --from slack --to markdown < message.json',
  ],
  options: {
    from: { value: 'FORMAT', choices: sourceFormats, help: 'dialect, markdown (CommonMark with GFM) or slack' },
    to: {
      value: 'FORMAT',
      choices: [...sourceFormats, 'html', 'text', ...messengers],
      help: 'dialect, markdown, slack, html, text, telegram, discord, whatsapp or matrix',
    },
    mention: { value: 'ID', repeats: true, help: 'a user that foreign text may mention; may be given several times' },
    breaks: { help: 'show the line breaks in Markdown paragraphs, as chats do' },
    json: { help: 'print the messages of discord and whatsapp as JSON, too' },
    quiet: { short: 'q', help: 'do not report what was lost' },
  },
  notes: `With no FILE, or when FILE is -, reads standard input. From slack, FILE is mrkdwn, or JSON: an array
of blocks or a message with text, blocks and attachments. Standard error reports what the dialect lacks.

A message is cut at the limit of the messenger. For telegram and matrix, each line of the output is a
message as JSON: text and entities for sendMessage, or the content of an event. For discord and whatsapp,
the output is text; if there are several messages, a line --- message 2 of 3 --- is before each.`,
  run: async ({ values: { from, to, mention, breaks, json, quiet }, operands: [path = '-', ...others] }) => {
    if (from === undefined) throw new UsageError('--from is missing: dialect, markdown or slack')
    if (to === undefined) throw new UsageError('--to is missing: for example dialect, html or telegram')
    if (others.length > 0) throw new UsageError('convert takes one FILE')
    const { name, text } = await readMessage(path)
    const { tree, diagnostics } = await readAs(from, text, mention, breaks)
    const output = isMessenger(to) ? await formatMessages(to, tree, json) : await writers[to](tree)
    await write(output === '' || output.endsWith('\n') ? output : `${output}\n`)
    if (!quiet) printDiagnostics(name, diagnostics)
  },
})

function isMessenger(to: TargetFormat): to is Messenger {
  return messengers.some((each) => each === to)
}

async function formatMessages(to: Messenger, tree: Root, isJson: boolean): Promise<string> {
  const { toDiscord, toMatrix, toTelegram, toWhatsApp } = await import('../messengers/index.js')
  const convert = { telegram: toTelegram, discord: toDiscord, whatsapp: toWhatsApp, matrix: toMatrix }[to]
  const messages: readonly (string | object)[] = convert(tree)
  return messages
    .map((message, index) => {
      if (isJson || typeof message !== 'string') return `${JSON.stringify(message)}\n`
      const line = messages.length > 1 ? `--- message ${index + 1} of ${messages.length} ---\n` : ''
      return `${line}${message}\n`
    })
    .join('')
}

/** Writes the diagnostics of a conversion to standard error; `name` is the name of the source. */
export function printDiagnostics(name: string, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) process.stderr.write(lineOf(name, diagnostic))
}

/** Formats a diagnostic as a line that editors can open: `FILE:LINE:COLUMN: reason (rule)`. */
export function lineOf(name: string, diagnostic: Diagnostic): string {
  return `${name}:${String(diagnostic)} (${diagnostic.ruleId})\n`
}

/** Reads a text of any of the formats. `mentions` and `breaks` are the options of `fromMarkdown`. */
export async function readAs(
  from: Format,
  text: string,
  mentions: readonly string[],
  breaks = false,
): Promise<Converted> {
  if (from === 'dialect') return { tree: parse(text), diagnostics: [] }
  if (from === 'markdown') return (await loadMarkdown()).fromMarkdown(text, { mentions, breaks })
  const { fromSlack } = await import('../messengers/index.js')
  const json = jsonOf(text)
  // `markdown` blocks are read as the dialect if the packages that read Markdown are not installed.
  const reader = json === null ? undefined : await loadMarkdown().catch(() => undefined)
  try {
    const mention = (id: string, label: string | null) =>
      mentions.includes(id) ? { name: label ?? id, id } : undefined
    return fromSlack(json ?? text, { mention, markdown: reader?.fromMarkdown })
  } catch (cause) {
    // Any text is valid mrkdwn, but JSON may be something else than a message. Then the user gets the reason.
    if (!(cause instanceof TypeError) || json === null) throw cause
    throw new Failure(cause.message.replace('fromSlack: ', '').replace('a string, ', 'mrkdwn, '), { cause })
  }
}

/** Returns the blocks or the message of Slack's API in a text; null if the text is not JSON. */
function jsonOf(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    // A text that begins with a bracket need not be JSON.
    return null
  }
}

const writers: Readonly<Record<Exclude<TargetFormat, Messenger>, (tree: Root) => string | Promise<string>>> = {
  dialect: stringify,
  text: toText,
  markdown: async (tree) => (await loadMarkdown()).toMarkdown(tree),
  slack: async (tree) => (await import('../messengers/index.js')).toSlack(tree),
  html: toHtml,
}

/** The packages that the converters of Markdown need. They are optional peer dependencies of this package. */
const markdownPackages = 'mdast-util-from-markdown mdast-util-gfm mdast-util-to-markdown micromark-extension-gfm'

export async function loadMarkdown(): Promise<typeof import('../convert/index.js')> {
  try {
    return await import('../convert/index.js')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new Failure(`CommonMark needs packages that are not installed: npm install ${markdownPackages}`, { cause })
  }
}
