/** TLS to PostgreSQL, and the other parts of DATABASE_URL. */

import { spawnSync } from 'node:child_process'
import { chmod, chown } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/server/config.js'
import { connectionOf } from '../../src/server/store/connection.js'
import { openDatabase } from '../../src/server/store/database.js'
import { freePort, testFolder } from './support/backends.js'
import { isDebianInstalled, startDebian, unprivilegedAccount } from './support/debian.js'

test('a mode that checks less than it seems is rejected, and a folder of a socket may be given as host', () => {
  for (const mode of ['banana', 'prefer', 'allow', 'no-verify', '']) {
    expect(() => readConfig({ DATABASE_URL: `postgres://u:secret@db/m?sslmode=${mode}` }), mode).toThrow(
      `DATABASE_URL: sslmode=${mode}: choose disable, require, verify-ca, verify-full`,
    )
  }
  for (const mode of ['disable', 'require', 'verify-ca']) {
    expect(() => readConfig({ DATABASE_URL: `postgres://u:secret@db/m?sslmode=${mode}&sslrootcert=system` })).toThrow(
      `DATABASE_URL: sslmode=${mode}: sslrootcert=system requires sslmode=verify-full`,
    )
  }
  for (const url of ['postgres://u@/m?host=/run/postgresql', 'postgresql:///m?host=/run/postgresql']) {
    expect(connectionOf(url).connectionString).toMatch(/host=(?:\/|%2F)run(?:\/|%2F)postgresql/)
  }
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.skipIf(!isDebianInstalled || !hasOpenssl)(
  'a connection with TLS is encrypted, and checked as its mode says (PostgreSQL, openssl)',
  async () => {
    const place = await testFolder()
    const [certificate, secret] = [join(place, 'server.crt'), join(place, 'server.key')]
    const words = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
    const made = spawnSync('openssl', [...words.split(' '), '-keyout', secret, '-out', certificate])
    expect(made.status).toBe(0)
    const { uid, gid } = unprivilegedAccount()
    await chmod(place, 0o711)
    if (uid !== undefined && gid !== undefined) await chown(secret, uid, gid)
    const folderOfServer = await testFolder()
    const settings = ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${secret}`]
    const postgres = await startDebian(folderOfServer, await freePort(), settings)
    onTestFinished(() => postgres.stop())
    const isEncrypted = async (host: string, query: string): Promise<unknown> => {
      const connection = connectionOf(`postgres://blockmark@${host}:${postgres.port}/postgres?${query}`)
      const database = await openDatabase({ connection, areStatementsNamed: false, connectionsMax: 1, isPatient: true })
      const question = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
      try {
        return (await database.run<{ ssl: boolean }>(question)).rows[0]?.ssl
      } catch (error) {
        return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      } finally {
        await database.close()
      }
    }
    const own = `sslrootcert=${certificate}`
    expect([await isEncrypted('127.0.0.1', ''), await isEncrypted('127.0.0.1', 'sslmode=disable')]).toEqual([
      false,
      false,
    ])
    expect(await isEncrypted('127.0.0.1', 'sslmode=require')).toBe(true)
    expect(await isEncrypted('127.0.0.1', `sslmode=require&${own}`)).toBe(true)
    for (const query of ['sslmode=verify-full', 'sslmode=verify-full&sslrootcert=system', 'sslrootcert=system']) {
      expect(await isEncrypted('127.0.0.1', query)).toMatch(/self-signed certificate/)
    }
    expect(await isEncrypted('127.0.0.1', 'sslmode=verify-full&sslrootcert=/nowhere')).toMatch(/ENOENT/)
    expect(await isEncrypted('127.0.0.1', `sslmode=verify-ca&${own}`)).toBe(true)
    expect(await isEncrypted('127.0.0.1', `sslmode=verify-full&${own}`)).toMatch(/does not match|altnames/)
    expect(await isEncrypted('localhost', `sslmode=verify-full&${own}`)).toBe(true)
  },
)
