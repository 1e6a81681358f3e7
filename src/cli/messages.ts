/** The code that all commands that post a message share: it reads the message, then shows or sends its parts. */

import type { Client, SendOptions, Streamed } from '../api/client/index.js'
import { createStream, type Source } from '../index.js'
import { limitsOfBody, limitsOfComment, packetsOf, type StreamReader } from '../packing.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { readChunks, readMessage } from '../terminal/input.js'
import { write } from '../terminal/output.js'
import { botNotes, botOptions, withBot, withOneLineErrors } from './bot.js'
import { type Format, loadMarkdown, printDiagnostics, readAs, sourceFormats } from './convert.js'

/** The options of every command that posts. */
export const messageOptions: typeof botOptions & {
  readonly from: { readonly value: string; readonly choices: readonly Format[]; readonly help: string }
  readonly 'dry-run': { readonly help: string }
  readonly 'idempotency-key': { readonly value: string; readonly help: string }
} = {
  from: {
    value: 'FORMAT',
    choices: sourceFormats,
    help: 'the format of FILE: dialect (default), markdown or slack',
  },
  'dry-run': { help: 'send nothing; show the parts that would be sent' },
  'idempotency-key': {
    value: 'KEY',
    help: 'your name for this message: with the same KEY it is posted once in 24 hours',
  },
  ...botOptions,
}

/** The option of commands that can post while a message is written. */
export const streamOptions: { readonly stream: { readonly help: string } } = {
  stream: { help: 'post while FILE is written; with the same KEY, nothing is repeated' },
}

export const messageNotes: string = `With no FILE, or when FILE is -, reads standard input. Prints the URL of each post.
${botNotes}`

/** Reads the message of a command. Losses of a conversion are reported on standard error. */
export async function readSource([path = '-', ...rest]: readonly string[], from: Format = 'dialect'): Promise<Source> {
  if (rest[0] !== undefined) throw new UsageError(`expected one FILE, received ${rest.length + 1}`)
  const { name, text } = await readMessage(path)
  const { tree, diagnostics } = await readAs(from, text, [])
  printDiagnostics(name, diagnostics)
  if (tree.children.length === 0) throw emptyMessageError(name)
  return from === 'dialect' ? text : tree
}

function emptyMessageError(name: string): Failure {
  return new Failure(`${name}: it contains nothing to post`)
}

/** Option values of the commands that post a message as several parts. */
interface DeliveryValues {
  readonly stream: boolean
  readonly 'dry-run': boolean
  readonly from: Format | undefined
  readonly 'idempotency-key': string | undefined
  readonly profile: string | undefined
  readonly json: boolean
}

/** The functions with which a command posts or shows the parts of a message. */
interface Delivery<Result> {
  readonly part: 'comment' | 'message'
  readonly urlOf: (result: Result) => string
  readonly sendAll: (bot: Client, source: Source, options: SendOptions) => Promise<Result[]>
  readonly sendStream: (bot: Client, message: Stream<Result>, options: SendOptions) => Promise<Streamed<Result>>
  /** Shows the parts of a whole message. */
  readonly showAll: (source: Source, isJson: boolean) => Promise<void>
}

interface Stream<Result> extends Pick<ArrivingMessage, 'source'> {
  readonly reader: () => StreamReader
  readonly onMessage: (result: Result) => void
}

/** Posts a message as one or several comments or chat messages, and prints their URLs; with `--dry-run`, only shows them. */
export async function deliver<Result>(
  { values, operands }: { readonly values: DeliveryValues; readonly operands: readonly string[] },
  delivery: Delivery<Result>,
): Promise<void> {
  const { stream, 'dry-run': isDry, from, 'idempotency-key': key, profile, json } = values
  const { part, urlOf, sendAll, sendStream, showAll } = delivery
  const options = { idempotencyKey: key ?? crypto.randomUUID() }
  if (stream) {
    const arriving = await openSource(operands, from)
    if (isDry) return withOneLineErrors(() => showArriving(part, arriving, json))
    return withBot(profile, (bot) =>
      sendArriving(arriving, (message) => sendStream(bot, message, options), urlOf, json),
    )
  }
  const source = await readSource(operands, from)
  if (isDry) return withOneLineErrors(() => showAll(source, json))
  await withBot(profile, async (bot) => report(await sendAll(bot, source, options), urlOf, json))
}

/** A message that is still being written. */
interface ArrivingMessage {
  readonly name: string
  readonly source: AsyncIterable<string>
  readonly reader: StreamReader
}

/** Opens a message that is posted while it is written. */
async function openSource(
  [path = '-', ...rest]: readonly string[],
  from: Format = 'dialect',
): Promise<ArrivingMessage> {
  if (rest[0] !== undefined) throw new UsageError(`expected one FILE, received ${rest.length + 1}`)
  if (from === 'slack') throw new UsageError('--stream reads dialect or markdown')
  const arriving = { name: path === '-' ? 'standard input' : path, source: readChunks(path) }
  return {
    ...arriving,
    reader: from === 'dialect' ? createStream() : (await loadMarkdown()).createMarkdownStream({ breaks: true }),
  }
}

/** Shows the parts in which a message would be sent while it is written. */
async function showArriving(part: Delivery<never>['part'], arriving: ArrivingMessage, isJson: boolean): Promise<void> {
  const parts: string[] = []
  const limits = part === 'comment' ? limitsOfComment() : limitsOfBody()
  for await (const packet of packetsOf('sendStream', arriving, arriving.reader, limits)) parts.push(packet.join('\n\n'))
  printDiagnostics(arriving.name, arriving.reader.diagnostics ?? [])
  await printParts(part, parts, isJson)
}

/** Posts a message while it is written. Prints the URL of each part as it is posted, or all parts as JSON at the end. */
async function sendArriving<Result>(
  { name, source, reader }: ArrivingMessage,
  send: (stream: Stream<Result>) => Promise<Streamed<Result>>,
  urlOf: (result: Result) => string,
  isJson: boolean,
): Promise<void> {
  let lastWrite = Promise.resolve()
  const onMessage = (result: Result): void => {
    if (!isJson) lastWrite = lastWrite.then(() => write(`${urlOf(result)}\n`))
  }
  const { delivered: results, diagnostics } = await send({ source, reader: () => reader, onMessage })
  await lastWrite
  printDiagnostics(name, diagnostics)
  if (results.length === 0) throw emptyMessageError(name)
  if (isJson) await report(results, urlOf, isJson)
}

/** Shows the parts in which a message would be sent; `kind` names the kind of a part. */
export async function printParts(kind: string, parts: readonly string[], isJson: boolean): Promise<void> {
  if (isJson) return write(`${JSON.stringify(parts)}\n`)
  const headedParts = parts.map((part, index) => {
    const length = [...part].length
    return `--- ${kind} ${index + 1} of ${parts.length}, ${length} characters ---\n${part}\n`
  })
  await write(headedParts.join(''))
}

async function report<Result>(
  results: readonly Result[],
  urlOf: (result: Result) => string,
  isJson: boolean,
): Promise<void> {
  await write(isJson ? `${JSON.stringify(results)}\n` : results.map((result) => `${urlOf(result)}\n`).join(''))
}
