/** Uploads that survive a loss of power: the order in which a file and its folders are written to the disk. */

import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test, vi } from 'vitest'
import type { createFolderStorage as create } from '../../src/server/files/folder.js'
import { sharedFolder } from './support/backends.js'

const { steps } = vi.hoisted(() => ({ steps: [] as [string, string][] }))

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>()
  return {
    ...fs,
    async open(path: string, ...rest: [string?, number?]) {
      const handle = await fs.open(path, ...rest)
      const sync = handle.sync.bind(handle)
      handle.sync = () => {
        steps.push(['sync', path])
        return sync()
      }
      return handle
    },
    async rename(from: string, to: string) {
      steps.push(['rename', to])
      await fs.rename(from, to)
    },
  }
})

const folder = sharedFolder()
let createFolderStorage: typeof create

beforeAll(async () => {
  // Other tests of the same process have loaded the module without the mock.
  vi.resetModules()
  ;({ createFolderStorage } = await import('../../src/server/files/folder.js'))
})

test('a file is synced before it gets its name, and then its folder and each new folder above', async () => {
  const storage = await createFolderStorage(folder)
  const keep = async (text: string): Promise<(string | undefined)[]> => {
    steps.length = 0
    const { keep, hash } = await storage.receive('one', Readable.from([Buffer.from(text)]))
    await keep()
    const named = steps.map(([step, path]) => `${step} ${relative(folder, path)}`)
    return named.map((step) =>
      step
        .replace(/incoming\/.*/, 'incoming')
        .replace(hash, 'hash')
        .replace(hash.slice(0, 2), 'ha'),
    )
  }
  expect(await keep('content')).toEqual(['sync incoming', 'rename one/ha/hash', 'sync one/ha', 'sync one', 'sync '])
  expect(await keep('content')).toEqual(['sync incoming', 'rename one/ha/hash', 'sync one/ha'])
})
