/** Converts DATABASE_URL to the options of the database driver. */

import type { PoolConfig } from 'pg'

/** The accepted values of `sslmode`. With libpq's other values, a server may choose a connection without encryption. */
const modes: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * Checks the URL of a database.
 *
 * @param text - for example `postgres://ann:secret@db.example.com/messages?sslmode=verify-full`
 * @returns the options of the driver
 * @throws {Error} if the URL is not valid; the message does not contain its password
 */
export function connectionOf(text: string): PoolConfig {
  // libpq accepts `postgres://ann@/messages?host=/run/postgresql`, but a URL needs a host.
  const urlText = text.replace(/^(\w+:\/\/[^/?]*@)(?=[/?])/, '$1localhost')
  const url = URL.canParse(urlText) ? new URL(urlText) : null
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new Error('expected a URL that starts with postgres:// or postgresql://')
  }
  const { searchParams } = url
  const isSystem = searchParams.get('sslrootcert') === 'system'
  // Without a mode, `system` means `verify-full`, as for libpq.
  const mode = searchParams.get('sslmode') ?? (isSystem ? 'verify-full' : 'disable')
  if (!modes.includes(mode)) throw new Error(`sslmode=${mode}: choose ${modes.join(', ')}`)
  if (isSystem && mode !== 'verify-full') {
    throw new Error(`sslmode=${mode}: sslrootcert=system requires sslmode=verify-full`)
  }
  if (mode === 'verify-ca' && !searchParams.get('sslrootcert')) {
    throw new Error('sslmode=verify-ca: name the file of the certificate authority in sslrootcert')
  }
  searchParams.set('sslmode', mode)
  // With this option, the modes mean the same as for libpq: without it, `require` makes the driver check the certificate.
  searchParams.set('uselibpqcompat', 'true')
  // The driver uses the system's certificates if no other is named.
  if (isSystem) searchParams.delete('sslrootcert')
  return { connectionString: url.href }
}
