/** The options of a connection from DATABASE_URL. TLS has the meaning of libpq, from which the driver differs. */

import { readFileSync } from 'node:fs'
import type { PoolConfig } from 'pg'

/** The modes of `sslmode` that a connection can have. With the others of libpq, a server may choose plain text. */
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/**
 * Reads the URL of a database.
 *
 * @param text - for example `postgres://ann:secret@db.example.com/messages?sslmode=verify-full`
 * @returns the options of the driver
 * @throws {Error} if the URL is not valid, without its password
 */
export function connectionOf(text: string): PoolConfig {
  // libpq tries several hosts, `postgres://a,b/db`, to find the primary. The driver does not.
  const [, host = ''] = /^\w+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(text) ?? []
  // `postgres://ann@/messages?host=/run/postgresql` is a URL for libpq only.
  const whole = text.replace(/^(\w+:\/\/[^/?]*@)(?=[/?])/, '$1localhost')
  const url = URL.canParse(whole) ? new URL(whole) : null
  const folder = url?.searchParams.get('host') ?? '/'
  if (host.includes(',') || !/^\/[^,]*$/.test(folder) || url?.searchParams.has('target_session_attrs')) {
    throw new Error('expected one host: name a proxy that leads to the primary, as HAProxy or PgBouncer do')
  }
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new Error('expected a URL that starts with postgres:// or postgresql://')
  }
  const { searchParams } = url
  const given = searchParams.get('sslmode') ?? 'disable'
  const mode = modes.find((each) => each === given)
  if (mode === undefined) throw new Error(`sslmode=${given}: choose ${modes.join(', ')}`)
  const fileOf = (name: string): Buffer | undefined => {
    const path = searchParams.get(name)
    return path === null || path === 'system' ? undefined : readFileSync(path)
  }
  const [ca, cert, key] = [fileOf('sslrootcert'), fileOf('sslcert'), fileOf('sslkey')]
  for (const name of [...searchParams.keys()]) if (name.startsWith('ssl')) searchParams.delete(name)
  if (mode === 'disable') return { connectionString: url.href, ssl: false }
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  // As libpq does: `require` checks the certificate if there is one to check it against.
  if (mode === 'require' && ca === undefined) {
    return { connectionString: url.href, ssl: { ...files, rejectUnauthorized: false } }
  }
  const anyName = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  return { connectionString: url.href, ssl: { ...files, ...anyName, rejectUnauthorized: true } }
}
