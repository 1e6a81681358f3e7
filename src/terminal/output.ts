/** Writes to standard output and standard error. */

import { Failure } from './errors.js'

/** Nobody reads standard output any more. */
export class ClosedOutput extends Error {}

// An error of a write reaches its callback below; without a listener it would also end the process with a stack trace.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

const closedCodes: readonly unknown[] = ['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED']

/**
 * Writes to standard output.
 *
 * @param text - what to write
 * @returns when it has been handed over, so that a slow reader slows the writer
 * @throws {ClosedOutput} when there is no reader any more
 * @throws {Failure} when it can not be written, as to a full disk
 */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === null || error === undefined) resolve()
      else if ('code' in error && closedCodes.includes(error.code)) reject(new ClosedOutput())
      else reject(new Failure(`standard output: ${error.message}`))
    })
  })
}

/**
 * Says what is wrong, in one line, and lets the process end with that exit code when everything else is done.
 *
 * @param message - the line; control characters in it (of a file's name) are shown escaped
 * @param exitCode - what `errors.ts` says of it
 * @param program - who says it
 */
export function complain(message: string, exitCode: number, program = 'blockmark'): void {
  process.stderr.write(`${program}: ${message.replace(/\p{Cc}/gu, escapeControl)}\n`)
  process.exitCode = exitCode
}

function escapeControl(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
