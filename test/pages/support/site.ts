/** A running service with some posts in it. */

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { openBackend } from '../../../src/server/backend.js'
import { readConfig } from '../../../src/server/config.js'
import { type ServerOptions, serve } from '../../../src/server/index.js'
import { createBotKey } from '../../../src/server/operator/keys.js'
import { addPeople, createSignInLink, members } from '../../../src/server/operator/members.js'
import { organizationNamed } from '../../../src/server/operator/organizations.js'
import { dataFolder } from '../../api/support/backends.js'

type Result = Readonly<Record<string, string>>

export interface Site {
  readonly url: string
  readonly key: string
  call(name: string, body: object): Promise<Result>
  upload(content: string | Uint8Array<ArrayBuffer>, name: string): Promise<string>
  /** Runs a statement in the service's database, for changes that no endpoint makes. */
  run(statement: string, values: readonly unknown[]): Promise<unknown>
  /** Creates a person if the e-mail address is new. */
  person(name: string): Promise<{ id: string; link: string }>
  close(): Promise<void>
}

/** Starts an empty server. */
export async function startSite(
  environment: Readonly<Record<string, string>> = {},
  options: ServerOptions = {},
): Promise<Site> {
  const folder = await dataFolder()
  const quiet = { PORT: '0', DATA: folder, LOG_LEVEL: 'silent', RATE_LIMIT: '0' }
  const config = readConfig({ ...quiet, ...environment })
  const server = await serve({ ...config, ...options })
  const backend = await openBackend(config)
  const { siteUrl: url } = server
  const key =
    server.first?.key ??
    (await createBotKey(backend.database.run, { organization: 'Workspace', bot: 'Bot', siteUrl: url })).key
  const headers = { authorization: `Bearer ${key}` }
  const resultOf = async (response: Response): Promise<Result> => {
    const body: { ok: boolean; result?: Result } = JSON.parse(await response.text())
    if (!body.ok) throw new Error(JSON.stringify(body))
    return body.result ?? {}
  }
  return {
    ...{ url, key },
    async call(name, body) {
      const init = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      }
      // On a busy machine the storage may respond too late; a client tries again then.
      for (let left = 5; ; left -= 1) {
        const response = await fetch(`${url}/api/public/${name}`, init)
        if (response.status !== 503 || left === 0) return resultOf(response)
      }
    },
    async upload(content, name) {
      const body = new FormData()
      body.append('data', new Blob([content]), name)
      const { fileID = '' } = await resultOf(await fetch(`${url}/api/public/upload`, { method: 'POST', headers, body }))
      return fileID
    },
    run: (statement, values) => backend.database.run(statement, [...values]),
    async person(name) {
      const { organization } = await organizationNamed(backend.database.run, undefined)
      const email = `${Buffer.from(name).toString('hex')}@people.test`
      await addPeople(backend.database.run, organization, [{ name, email }])
      const people = await members(backend.database.run, organization, false)
      const link = await createSignInLink(backend.database.run, organization, email, url, new Date())
      return { id: people.find((person) => person.email === email)?.id ?? '', link }
    },
    async close() {
      await backend.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
