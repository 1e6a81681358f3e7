/** The log: one entry for each request and event, as JSON on standard error, without message content or API keys. */

import pino from 'pino'
import { StoreError } from '../../api/store/store.js'
import { codeOf } from '../error-code.js'
import type { RequestReport } from '../request-context.js'

export interface Log {
  answered(report: RequestReport): void
  /** Writes an event of the process, such as its start. */
  event(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Writes what the operator should change. */
  warn(message: string): void
  /** Resolves when all entries so far are written. */
  flush(): Promise<void>
}

/** Maximum length of a path in the log. */
const PATH_LENGTH_MAX = 200

export function openLog(level: string): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
  return {
    answered({ error, milliseconds, code, path, ...fields }) {
      const entry = {
        ...fields,
        ...(code === null ? {} : { code }),
        // The path of a page that exists would tell who reads what, so only a 404 is logged with its path.
        ...(fields.status === 404 ? { path: path.slice(0, PATH_LENGTH_MAX) } : {}),
        milliseconds: Math.round(milliseconds * 10) / 10,
      }
      if (fields.status < 500) logger.info(entry, 'answered')
      else logger.error({ ...entry, error: failureOf(error) }, 'failed')
    },
    event: (message, fields = {}) => logger.info(fields, message),
    warn: (message) => logger.warn(message),
    // The error of `flush` is ignored: it only says that a terminal or a pipe cannot be synced.
    flush: () => new Promise((resolve) => logger.flush(() => resolve())),
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
