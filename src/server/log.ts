/** The log: a line for each request with its id, and nothing of what people wrote, and no key. */

import type { Answered } from '../api/service/options.js'
import { StoreError } from '../api/store/store.js'
import { codeOf } from './error-code.js'

export interface Log {
  answered(answered: Answered): void
  info(message: string): void
}

/** Opens the log on standard error, from a level on: JSON for programs, and on a terminal lines for people. */
export async function openLog(level: string): Promise<Log> {
  if (process.stderr.isTTY) return openTerminal(level)
  const { default: pino } = await import('pino')
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
  return {
    answered({ error, milliseconds, ...fields }) {
      const entry = { ...fields, milliseconds: Math.round(milliseconds * 10) / 10 }
      if (fields.status < 500) logger.info(entry, 'answered')
      else logger.error({ ...entry, error: failureOf(error) }, 'failed')
    },
    info: (message) => logger.info(message),
  }
}

/** What a level lets through. */
const levels: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent']

function openTerminal(level: string): Log {
  const write = (of: string, line: string): void => {
    if (levels.indexOf(of) >= levels.indexOf(level))
      process.stderr.write(`${new Date().toLocaleTimeString('en-GB')} ${line}\n`)
  }
  return {
    answered({ status, method, endpoint, milliseconds, requestID, error }) {
      const line = `${status} ${method} ${endpoint ?? 'nothing'} in ${milliseconds.toFixed(1)} ms (${requestID})`
      if (status < 500) return write('info', line)
      const { name, code, stack } = failureOf(error)
      write(
        'error',
        [`${line}: ${[name, code].filter((each) => each !== '').join(' ')}`, ...stack.split('; ')].join('\n  '),
      )
    },
    info: (message) => write('info', message),
  }
}

interface Failure {
  readonly name: string
  readonly code: string
  readonly stack: string
}

/** Where an error happened and what kind it is; its message may quote what was sent, so it stays out. */
function failureOf(error: unknown): Failure {
  const cause = error instanceof StoreError && error.cause !== undefined ? error.cause : error
  if (!(cause instanceof Error)) return { name: typeof cause, code: '', stack: '' }
  const { name, stack = '' } = cause
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { name, code: codeOf(cause), stack: frames.map((frame) => frame.trim()).join('; ') }
}
