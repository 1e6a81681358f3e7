/**
 * A registry on the loopback interface: the project's two packages, and its installed packages, packed again on demand.
 * Package managers reach no other registry.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { top } from '../source.js'

export interface Registry {
  /** The registry's URL, with a slash at its end. */
  readonly url: string
  close(): void
}

interface Package {
  readonly manifest: Readonly<Record<string, unknown>>
  /** The tarball, packed on the first request. */
  readonly pack: () => Buffer
}

/** The packages by version; the first version is the newest. */
type Versions = Map<string, Package>

/** Folders with a `package-lock.json`; the folder with the newest versions is the first. */
const installed = [top, join(top, 'test/install'), join(top, 'test/peers')]

/** Opens a registry that also has the given tarballs. */
export async function openRegistry(tarballs: readonly string[]): Promise<Registry> {
  const packages = new Map<string, Versions>()
  const add = (found: Package): void => {
    const { name, version } = found.manifest
    const versions = packages.get(String(name)) ?? new Map<string, Package>()
    packages.set(String(name), versions)
    if (!versions.has(String(version))) versions.set(String(version), found)
  }
  tarballs.map(packedBefore).forEach(add)
  installed.flatMap(packagesIn).forEach(add)
  const server = createServer(({ url = '/' }, response) => {
    const [name = '', version] = decodeURIComponent(url.slice(1)).split('/-/')
    const versions = packages.get(name)
    if (versions === undefined) return response.writeHead(404).end()
    const body = version === undefined ? documentOf(name, versions, urlOf()) : versions.get(version)?.pack()
    return response.end(body)
  })
  const urlOf = (): string => {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: urlOf(),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A registry's description of a package. */
function documentOf(name: string, versions: Versions, url: string): string {
  const all = [...versions]
  const described = all.map(([version, { manifest, pack }]) => {
    const integrity = `sha512-${createHash('sha512').update(pack()).digest('base64')}`
    return [version, { ...manifest, dist: { tarball: `${url}${name}/-/${version}`, integrity } }]
  })
  const longAgo = '2020-01-01T00:00:00.000Z'
  return JSON.stringify({
    name,
    'dist-tags': { latest: all[0]?.[0] },
    versions: Object.fromEntries(described),
    time: Object.fromEntries([['created'], ['modified'], ...all].map(([key]) => [key, longAgo])),
  })
}

function packedBefore(tarball: string): Package {
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }))
  return { manifest, pack: () => readFileSync(tarball) }
}

/** Returns every package of a lock file. A package for another system is empty, with the description of the lock file. */
function packagesIn(folder: string): Package[] {
  const { packages }: { packages: Record<string, object> } = JSON.parse(
    readFileSync(join(folder, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (path === '') return []
    const home = join(folder, path)
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!existsSync(join(home, 'package.json'))) {
      return 'os' in locked ? [{ manifest: { name, ...locked }, pack: () => Buffer.alloc(0) }] : []
    }
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    return [{ manifest: { ...manifest, name }, pack: once(() => packed(home)) }]
  })
}

function packed(home: string): Buffer {
  const words = ['--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', home, '-cf', '-', '.']
  return execFileSync('tar', ['-I', 'gzip -1', ...words], { maxBuffer: 2 ** 30 })
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
