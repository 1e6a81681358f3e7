/** Both packages, installed by every package manager from a registry, into an empty folder. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serverManifest } from '../../.ci/server-package.js'
import manifest from '../../package.json' with { type: 'json' }
import { isThorough } from '../amount.js'
import { call, environmentOf, isInstalled, type Manager } from './managers.js'
import { openRegistry, type Registry } from './registry.js'

const { tarballs } = inject('installed')
let home: string
let registry: Registry
let env: Record<string, string>

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'install-'))
  registry = await openRegistry(Object.values(tarballs))
  env = environmentOf(join(home, 'user'), registry.url)
})

afterAll(() => {
  registry.close()
  rmSync(home, { recursive: true })
})

function emptyFolder(name: string): string {
  const folder = join(home, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n')
  return folder
}

/** The commands of each package manager that add a package, and run a program or a module. */
const managers: Readonly<Record<Manager, { add: string; program: string[]; node: string[] }>> = {
  npm: { add: 'install', program: ['exec', '--'], node: ['exec', '--', 'node'] },
  pnpm: { add: 'add', program: ['exec'], node: ['exec', 'node'] },
  'yarn classic': { add: 'add', program: ['--silent', 'run'], node: ['--silent', 'node'] },
  yarn: { add: 'add', program: ['run'], node: ['node'] },
}

describe.for(Object.entries(managers))('%s', ([name, { add, program, node }]) => {
  // The type of `Object.keys` is wider than the record's keys.
  const manager = name as Manager
  test.skipIf(!isThorough || (manager !== 'npm' && !isInstalled()))(
    `${name} installs the library and nothing else (if CI is set; npm --prefix test/install ci installs ${name})`,
    async () => {
      const folder = emptyFolder(`library by ${name}`)
      const added = await call(manager, [add, 'blockmark'], folder, env)
      expect(added.code, added.stdout + added.stderr).toBe(0)
      expect(added.stdout + added.stderr).not.toMatch(/ERESOLVE|\bwarn(?:ing)?\b.*(?:peer|deprecated)/i)
      const modules = manager === 'yarn' ? [] : readdirSync(join(folder, 'node_modules'))
      expect(modules.filter((each) => !each.startsWith('.'))).toEqual(manager === 'yarn' ? [] : ['blockmark'])
      writeFileSync(join(folder, 'run.js'), `import { toHtml } from 'blockmark'\nconsole.log(toHtml('*a*'))\n`)
      expect((await call(manager, [...node, 'run.js'], folder, env)).stdout).toBe('<p><em>a</em></p>\n')
      const version = await call(manager, [...program, 'blockmark', '--version'], folder, env)
      expect(version.stdout).toMatch(new RegExp(`^${manifest.version} \\(dialect \\d+\\)\n$`))
    },
  )

  test.skipIf(!isThorough || (manager !== 'npm' && !isInstalled()))(
    `${name} installs the server and its dependencies (if CI is set; npm --prefix test/install ci installs ${name})`,
    async () => {
      const folder = emptyFolder(`server by ${name}`)
      const added = await call(manager, [add, 'blockmark-server'], folder, env)
      expect(added.code, added.stdout + added.stderr).toBe(0)
      const data = join(home, `data by ${name}`)
      writeFileSync(
        join(folder, 'run.js'),
        `import { serve } from 'blockmark-server'
const server = await serve({ port: 0, data: ${JSON.stringify(data)}, logLevel: 'silent', welcome: true })
const response = await fetch(server.siteUrl + '/readyz')
console.log(response.status)
await server.close()
`,
      )
      const { stdout, stderr } = await call(manager, [...node, 'run.js'], folder, env)
      expect(stdout, stderr).toBe('200\n')
      const version = await call(manager, [...program, 'blockmark-server', '--version'], folder, env)
      expect(version.stdout).toContain(manifest.version)
    },
  )
})

/** The fields of CycloneDX that the test uses. */
interface Bill {
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly hashes?: readonly unknown[]
  }[]
}

test.runIf(isThorough)('npm writes a bill of materials of the server from its lock file (if CI is set)', async () => {
  const folder = emptyFolder('bill')
  // A bill names its subject with a version.
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0", "private": true }\n')
  const locked = await call('npm', ['install', '--package-lock-only', 'blockmark-server'], folder, env)
  expect(locked.code, locked.stderr).toBe(0)
  const { code, stdout, stderr } = await call(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'],
    folder,
    env,
  )
  expect(code, stderr).toBe(0)
  const { components }: Bill = JSON.parse(stdout)
  const { packages }: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(folder, 'package-lock.json'), 'utf8'),
  )
  const expected = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
  expect(components.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(expected.toSorted())
  const own = Object.entries(serverManifest().dependencies).map(([name, version]) => `${name} ${version}`)
  expect(expected).toEqual(expect.arrayContaining(own))
  expect(components.filter(({ hashes = [] }) => hashes.length === 0).map(({ name }) => name)).toEqual([])
})
