/** The log: one entry for each request and event, without message content or API keys. */

import type { RequestReport } from '../api/rules/types.js'
import { StoreError } from '../api/store/store.js'
import { codeOf } from './error-code.js'

export interface Log {
  answered(answered: RequestReport): void
  /** Writes an event of the process, such as its start. */
  event(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Opens the log on standard error: JSON for programs, and lines for people on a terminal. */
export async function openLog(level: string): Promise<Log> {
  if (process.stderr.isTTY) return openTerminal(level)
  const { default: pino } = await import('pino')
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
  return {
    answered({ error, milliseconds, code, path, ...fields }) {
      // The path of a page that exists would tell who reads what.
      const failure = {
        ...(code === null ? {} : { code }),
        ...(fields.status === 404 ? { path: path.slice(0, PATH_LENGTH_MAX) } : {}),
      }
      const entry = { ...fields, ...failure, milliseconds: Math.round(milliseconds * 10) / 10 }
      if (fields.status < 500) logger.info(entry, 'answered')
      else logger.error({ ...entry, error: failureOf(error) }, 'failed')
    },
    event: (message, fields = {}) => logger.info(fields, message),
  }
}

/** Maximum length of a path in the log. */
const PATH_LENGTH_MAX = 200

/** The levels; each includes those after it. */
const levels: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent']

function openTerminal(level: string): Log {
  const write = (of: string, line: string): void => {
    if (levels.indexOf(of) >= levels.indexOf(level))
      process.stderr.write(`${new Date().toLocaleTimeString('en-GB')} ${line}\n`)
  }
  return {
    answered({ status, method, endpoint, milliseconds, requestID, code, error, path }) {
      const result = code === null ? status : `${status} ${code}${status === 404 ? ` ${path}` : ''}`
      const line = `${result} ${method} ${endpoint ?? 'unknown'} in ${milliseconds.toFixed(1)} ms (${requestID})`
      if (status < 500) return write('info', line)
      const { name, code: cause, stack } = failureOf(error)
      const reason = [name, cause].filter((each) => each !== '').join(' ')
      write('error', [`${line}: ${reason}`, ...stack.split('; ')].join('\n  '))
    },
    event: (message, fields = {}) =>
      write('info', [message, ...Object.entries(fields).map(([name, value]) => `${name} ${value}`)].join(', ')),
  }
}

interface Failure {
  readonly name: string
  readonly code: string
  readonly stack: string
}

/** Describes an error by its name, code and stack. Its message is left out, because it may quote a request. */
export function failureOf(error: unknown): Failure {
  const cause = error instanceof StoreError && error.cause !== undefined ? error.cause : error
  if (!(cause instanceof Error)) return { name: typeof cause, code: '', stack: '' }
  const { name, stack = '' } = cause
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { name, code: codeOf(cause), stack: frames.map((frame) => frame.trim()).join('; ') }
}
