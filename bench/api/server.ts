/** The measured process: the service, or a bare node:http handler with the statements of one post. */

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { readConfig, serve } from '../../src/server/index.js'
import { sql } from '../../src/server/store/sql.js'

const environment: { ROLE?: string; DATA?: string; KEY?: string; DATABASE_URL?: string } = process.env

if (environment.ROLE === 'service') await runService()
else await runBare()

async function runService(): Promise<void> {
  const config = readConfig({ RATE_LIMIT: '0', ...process.env, PORT: '0', LOG_LEVEL: 'silent' })
  // The welcome thread has a picture. A bucket may never answer, so the first start keeps files in the data folder.
  const earlier = config.files === null ? null : await serve({ ...config, files: null, welcome: true })
  await earlier?.close()
  const server = await serve({ ...config, welcome: earlier === null })
  process.send?.({ url: server.siteUrl, key: (earlier ?? server).first?.key ?? '' })
  process.once('SIGTERM', () => void server.close().then(() => process.exit()))
}

/** Runs a handler for `postThread` alone: the same statements without any checks. */
async function runBare(): Promise<void> {
  const url = environment.DATABASE_URL
  const embedded = url === undefined ? await startEmbedded(environment.DATA ?? '') : null
  const pool = new pg.Pool({ ...(embedded === null ? { connectionString: url } : embedded.address), max: 20 })
  const named = embedded !== null
  const server = createServer(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { channel, blocks } = JSON.parse(text)
    const hash = createHash('sha256')
      .update(incoming.headers.authorization?.slice(7) ?? '')
      .digest()
    const client = await pool.connect()
    const run = (name: keyof typeof sql, ...values: unknown[]): Promise<pg.QueryResult> =>
      client.query({ text: sql[name], values, ...(named ? { name } : {}) })
    const { organization } = (await run('organizationOfKey', hash)).rows[0]
    const bot = (await run('identify', organization, hash, new Date())).rows[0]
    await client.query('BEGIN')
    const found = (await run('channelNamed', organization, channel, bot.botID)).rows[0]
    const { id } = (await run('addThread', organization, found.id, bot.botID, blocks, 'token', new Date())).rows[0]
    await client.query('COMMIT')
    client.release()
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify({ ok: true, result: { threadID: id, threadURL: `http://x/${id}` } }))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    process.send?.({ url: `http://127.0.0.1:${port}`, key: environment.KEY ?? '' })
  })
  process.once('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
    void pool
      .end()
      .then(() => embedded?.stop())
      .then(() => process.disconnect())
  })
}
