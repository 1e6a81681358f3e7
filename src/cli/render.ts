/** `blockmark render`: writes messages as HTML, plain text or a tree. */

import { parse, toHast, toHtml, toText } from '../index.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { type Message, readMessage } from '../terminal/input.js'
import { reportError, write } from '../terminal/output.js'
import { writePage } from './page.js'

type Format = 'html' | 'text' | 'json' | 'hast' | 'source'

/** The function that writes each format. Every output ends with a line ending, except the source and an empty output. */
const formats: Readonly<Record<Format, (message: Message) => string>> = {
  html: ({ text }) => withLineEnding(toHtml(text)),
  text: ({ text }) => withLineEnding(toText(text)),
  json: ({ text }) => withLineEnding(JSON.stringify(parse(text), null, 2)),
  hast: ({ text }) => withLineEnding(JSON.stringify(toHast(text), null, 2)),
  source: ({ byteOrderMark, text }) => byteOrderMark + text,
}

export const command: Command = defineCommand({
  operands: '[FILE|-]...',
  examples: ['blockmark render message.md', 'blockmark render --page *.md > page.html'],
  options: {
    to: {
      value: 'FORMAT',
      choices: ['html', 'text', 'json', 'hast', 'source'],
      repeats: true,
      help: 'html (default), text, json (mdast), hast or source; may be given several times',
    },
    page: { help: 'one whole HTML document with a style sheet, an article for each FILE' },
    lang: { value: 'TAG', help: "the language of the page's text, for example pt-BR (default: en)" },
    quiet: { short: 'q', help: 'no ==> header <== lines between several outputs' },
  },
  notes: `With no FILE, or when FILE is -, reads standard input. FILE is UTF-8.
A FILE that cannot be read is reported, the others are rendered, and the exit code is 1.`,
  run: async ({ values, operands }) => {
    const paths = operands.length === 0 ? ['-'] : operands
    if (paths.indexOf('-') !== paths.lastIndexOf('-'))
      throw new UsageError('standard input (-) is given more than once')
    if (!values.page && values.lang !== undefined) throw new UsageError('--lang goes with --page')
    if (!values.page) return renderEach(paths, values.to.length === 0 ? ['html'] : values.to, values.quiet)
    if (values.to.some((format) => format !== 'html')) throw new UsageError('--page goes with --to html only')
    return renderPage(paths, values.lang ?? 'en')
  },
})

/** Writes each message in each format. If there are several outputs, each has a header such as head(1) writes. */
async function renderEach(paths: readonly string[], to: readonly Format[], isQuiet: boolean): Promise<void> {
  const hasHeaders = paths.length * to.length > 1 && !isQuiet
  let separator = ''
  for await (const message of readAll(paths)) {
    for (const format of to) {
      const title = [...(paths.length > 1 ? [message.name] : []), ...(to.length > 1 ? [format] : [])].join(': ')
      const output = formats[format](message)
      await write(hasHeaders ? `${separator}==> ${title} <==\n${output}` : output)
      separator = output.endsWith('\n') || output === '' ? '\n' : '\n\n'
    }
  }
}

async function renderPage(paths: readonly string[], language: string): Promise<void> {
  const tag = languageTag(language)
  const messages: Message[] = []
  for await (const message of readAll(paths)) messages.push(message)
  if (messages.length > 0) await write(writePage(messages, tag))
}

/** Reads one file after the other. A file that cannot be read is reported and skipped. */
async function* readAll(paths: readonly string[]): AsyncGenerator<Message> {
  for (const path of paths) {
    try {
      yield await readMessage(path)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      reportError(error.message, 1)
    }
  }
}

function languageTag(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    throw new UsageError(`--lang: ${language} is not a language tag: expected one such as en or pt-BR`)
  }
}

function withLineEnding(text: string): string {
  return text === '' ? '' : `${text}\n`
}
