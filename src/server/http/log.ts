/** The log: one entry for each request and event, as JSON on standard error, without message content or API keys. */

import pino, { type Logger } from 'pino'
import { errorOf } from '../../api/rules/response.js'
import { StoreError } from '../../api/store/store.js'
import { codeOf } from '../error-code.js'
import type { ReceivedRequest } from '../request-context.js'

/** Maximum length of a path in the log. */
const PATH_LENGTH_MAX = 200

export function openLog(level: string): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: null, timestamp }, pino.destination({ fd: 2, sync: false }))
}

/** Writes the entry about a response. */
export function logResponse(log: Logger, context: ReceivedRequest, status: number): void {
  const { requestID, endpoint, request, url, organization, botID, error, arrivedAt } = context
  const entry = {
    ...{ requestID, endpoint, method: request.method, status, organization, botID, address: request.address ?? null },
    ...(error === undefined ? {} : { code: errorOf(error).code }),
    // The path of a page that exists would tell who reads what, so only a 404 is logged with its path.
    ...(status === 404 ? { path: url.pathname.slice(0, PATH_LENGTH_MAX) } : {}),
    milliseconds: Math.round((performance.now() - arrivedAt) * 10) / 10,
  }
  if (status < 500) log.info(entry, 'answered')
  else log.error({ ...entry, error: failureOf(error) }, 'failed')
}

/** Describes an error by its name, code and stack. The message is omitted, because it may quote a request. */
export function failureOf(error: unknown): { name: string; code: string; stack: string } {
  const cause = error instanceof StoreError && error.cause !== undefined ? error.cause : error
  if (!(cause instanceof Error)) return { name: typeof cause, code: '', stack: '' }
  const { name, stack = '' } = cause
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { name, code: codeOf(cause), stack: frames.map((frame) => frame.trim()).join('; ') }
}
