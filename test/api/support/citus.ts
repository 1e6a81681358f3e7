/** A Citus cluster on this machine. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFile, chown, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { citusPrograms, retrying } from './programs.js'

/** Returns a block of commands from the server's README. */
export async function recipe(language: 'conf' | 'sql', mark: string): Promise<string> {
  const text = await readFile(new URL('../../../src/server/README.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  )
  const found = blocks.find((block) => block.includes(mark))
  if (found === undefined) throw new Error(`the server's README has no ${language} with ${mark}`)
  return found
}

/** Returns the tables that the README's commands distribute by organization, and those that they put on every server. */
export async function declaredTables(): Promise<{ distributed: string[]; onEveryServer: string[] }> {
  const commands = await recipe('sql', 'create_distributed_table')
  const [, array = ''] = /ARRAY\[([^\]]*)\]/.exec(commands) ?? []
  return {
    distributed: ['organizations', ...Array.from(array.matchAll(/\w+/g), ([name]) => name)],
    onEveryServer: Array.from(commands.matchAll(/create_reference_table\('(\w+)'/g), ([, name = '']) => name),
  }
}

export interface Cluster {
  /** The URL of the coordinator. */
  readonly url: string
  readonly workers: readonly { readonly url: string; kill(): Promise<void> }[]
  stop(): Promise<void>
}

/** Settings for tests, in which data need not survive a crash, and only this machine connects. */
const forTests = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
citus.enable_statistics_collection = off
fsync = off
`

/** Starts a coordinator and its workers, each on its own port, as in the server's README. */
export async function startCitus(folder: string, ports: readonly number[]): Promise<Cluster> {
  const programs = citusPrograms() ?? ''
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  const settings = await recipe('conf', 'shared_preload_libraries')
  const nodes: ChildProcess[] = []
  for (const port of ports) {
    const data = join(folder, `node-${port}`)
    const initdb = ['-D', data, '-U', 'blockmark', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']
    execFileSync(join(programs, 'initdb'), initdb, { stdio: 'ignore', ...account })
    await appendFile(join(data, 'postgresql.conf'), `${settings}\n${forTests}`)
    nodes.push(spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port)], { stdio: 'ignore', ...account }))
  }
  const urlOf = (port: number | undefined): string => `postgres://blockmark@127.0.0.1:${port}/postgres`
  const [coordinator, ...workers] = ports
  const ended = nodes.map((node) => new Promise((resolve) => node.once('close', resolve)))
  const stop = async (): Promise<void> => {
    for (const node of nodes) node.kill('SIGQUIT')
    await Promise.all(ended)
  }
  try {
    for (const port of ports) await ask(urlOf(port), ['CREATE EXTENSION citus'])
    await ask(urlOf(coordinator), [
      `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`,
      ...workers.map((port) => `SELECT citus_add_node('127.0.0.1', ${port})`),
    ])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: urlOf(coordinator),
    workers: workers.map((port, index) => ({
      url: urlOf(port),
      async kill() {
        nodes[index + 1]?.kill('SIGQUIT')
        await ended[index + 1]
      },
    })),
    stop,
  }
}

/** Runs statements on a server, as soon as it accepts connections. */
async function ask(url: string, statements: readonly string[]): Promise<void> {
  await retrying(async () => {
    const client = new pg.Client(url)
    try {
      await client.connect()
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end().catch(() => undefined)
    }
  })
}
