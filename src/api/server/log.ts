/** The log: JSON lines with the request's id, and nothing of what people wrote, and no key. */

import type { Answered } from '../service/options.js'
import { StoreError } from '../store/store.js'

export interface Log {
  answered(answered: Answered): void
  info(message: string): void
}

/**
 * Opens the log on standard error.
 *
 * @param level - the least that is written
 * @returns the log
 */
export async function openLog(level: string): Promise<Log> {
  const pino = await loadLogger()
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

async function loadLogger(): Promise<typeof import('pino').default> {
  try {
    return (await import('pino')).default
  } catch (cause) {
    throw new Error('the server needs the package pino: npm install pino', { cause })
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
  const code = 'code' in cause ? String(cause.code) : ''
  const frames = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: cause.name, code, stack: frames.map((frame) => frame.trim()).join('; ') }
}
