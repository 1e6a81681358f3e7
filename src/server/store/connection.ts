/** The options of a connection from DATABASE_URL. */

import type { PoolConfig } from 'pg'

/** The modes of `sslmode` that a connection can have. With the others of libpq, a server may choose plain text. */
const modes: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * Checks the URL of a database.
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
  const certificates = searchParams.get('sslrootcert')
  // As libpq does: without a mode, `system` means `verify-full`.
  const mode = searchParams.get('sslmode') ?? (certificates === 'system' ? 'verify-full' : 'disable')
  if (!modes.includes(mode)) throw new Error(`sslmode=${mode}: choose ${modes.join(', ')}`)
  if (certificates === 'system' && mode !== 'verify-full') {
    throw new Error(`sslmode=${mode}: sslrootcert=system requires sslmode=verify-full`)
  }
  if (!certificates && mode === 'verify-ca') {
    throw new Error('sslmode=verify-ca: name the file of the certificate authority in sslrootcert')
  }
  searchParams.set('sslmode', mode)
  // Otherwise the driver's own meaning of the modes applies: `require` would check the certificate.
  searchParams.set('uselibpqcompat', 'true')
  // The driver uses the system's certificates if no other is named.
  if (certificates === 'system') searchParams.delete('sslrootcert')
  return { connectionString: url.href }
}
