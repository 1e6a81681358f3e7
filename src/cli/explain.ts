/** `blockmark explain`: prints why a character is markup or text. */

import { displayWidth } from '../convert/display-width.js'
import { explain } from '../lint/index.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { readMessage } from '../terminal/input.js'
import { write } from '../terminal/output.js'

export const command: Command = defineCommand({
  operands: '[FILE:]LINE:COLUMN...',
  examples: ['blockmark explain message.md:3:14', "echo 'call snake_case' | blockmark explain 1:11"],
  options: {
    json: { help: 'print the reasons as JSON' },
  },
  notes: `Lines and columns count from 1, as in lint and most editors. Columns are UTF-16 code units.
With no FILE, reads standard input. Sections are those of the dialect's description.`,
  run: async ({ values, operands }) => {
    if (operands.length === 0)
      throw new UsageError('no position given, for example message.md:1:5; see blockmark explain --help')
    // Messages are kept, because standard input can be read only once.
    const messages = new Map<string, ReturnType<typeof readMessage>>()
    for (const [index, operand] of operands.entries()) {
      const place = readPosition(operand)
      const message = messages.get(place.path) ?? readMessage(place.path)
      messages.set(place.path, message)
      const { name, text } = await message
      const offset = offsetOf(text, place, name)
      const reasons = explain(text, offset)
      if (values.json) await write(`${JSON.stringify(reasons, null, 2)}\n`)
      else await write(`${index > 0 ? '\n' : ''}${lineWithCaret(text, offset, place)}${reasons.map(lineOf).join('')}`)
    }
  },
})

interface Position {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** Parses `FILE:LINE:COLUMN`. Only the last colons separate the parts, because a path may contain colons. */
function readPosition(operand: string): Position {
  const [, path = '-', line, column] = /^(?:(.+):)?([1-9]\d*):([1-9]\d*)$/.exec(operand) ?? []
  if (line === undefined)
    throw new UsageError(`${operand} is not a position: expected LINE:COLUMN, for example message.md:1:5`)
  return { path, line: Number(line), column: Number(column) }
}

function offsetOf(text: string, { line, column }: Position, name: string): number {
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (ending) => ending.index + ending[0].length)]
  const start = starts[line - 1]
  if (start === undefined) throw new Failure(`${name}: has no line ${line}, only ${starts.length}`)
  const length = (starts[line] ?? text.length) - start
  if (column > length) throw new Failure(`${name}: line ${line} has no column ${column}, only ${length}`)
  return start + column - 1
}

/** Returns the line, and a caret below the character. A control character would move the caret, so it is shown as a space. */
function lineWithCaret(text: string, offset: number, { line, column }: Position): string {
  const rest = text.slice(offset - column + 1)
  const content = (/^[^\r\n]*/.exec(rest)?.[0] ?? '').replace(/\p{Cc}/gu, ' ')
  const gutter = `${line} | `
  return `${gutter}${content}\n${' '.repeat(gutter.length + displayWidth(content.slice(0, column - 1)))}^\n`
}

function lineOf({ section, message, place }: ReturnType<typeof explain>[number]): string {
  const { start, end } = place
  return `${section.padEnd(6)} ${message.replace(/\p{Cc}/gu, ' ')} (${start.line}:${start.column}-${end.line}:${end.column})\n`
}
