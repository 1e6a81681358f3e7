/** Writes to standard output and standard error. */

import { withPictures } from '../describe.js'
import { Failure } from './errors.js'

/** Thrown if the reader of standard output has closed it. */
export class ClosedOutput extends Error {}

// The callback in `write` handles an error of a write. Without a listener, the error would also end the process with a stack trace.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

const closedOutputCodes: readonly unknown[] = ['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED']

/**
 * Writes to standard output; resolves when the text has been handed over, so a slow reader slows the writer. On a terminal,
 * control characters are shown as their pictures (`\u241B` for escape), because a message could otherwise send commands to
 * the terminal.
 *
 * @throws {ClosedOutput} if the reader has closed standard output
 * @throws {Failure} if the text cannot be written, for example because the disk is full
 */
export function write(text: string): Promise<void> {
  const visibleText = process.stdout.isTTY ? withPictures(text) : text
  return new Promise((resolve, reject) => {
    process.stdout.write(visibleText, (error) => {
      if (error === null || error === undefined) resolve()
      else if ('code' in error && closedOutputCodes.includes(error.code)) reject(new ClosedOutput())
      else reject(new Failure(`standard output: ${error.message}`))
    })
  })
}

/**
 * Writes an error in one line, and sets the exit code (`errors.ts`) with which the process ends. Control characters, for
 * example of a file's name, are escaped.
 */
export function reportError(message: string, exitCode: number, program = 'blockmark'): void {
  process.stderr.write(`${program}: ${message.replace(/\p{Cc}/gu, escapeControl)}\n`)
  process.exitCode = exitCode
}

function escapeControl(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
