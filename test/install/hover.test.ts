/** The text that an editor shows for a function of the packages. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.js'
import { nodesOf, parseTypeScript } from '../source.js'
import { type LanguageServer, openLanguageServer } from './language-server.js'

const folder = mkdtempSync(join(tmpdir(), 'hover-'))
const packages = Object.entries(inject('installed').tarballs).map(([name, tarball]) => {
  const home = join(folder, 'node_modules', name)
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', home])
  return { name, home, manifest: JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) }
})
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')

let server: LanguageServer

beforeAll(async () => {
  server = await openLanguageServer(folder)
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** The values that a declaration exports, by name. */
function namesIn(path: string): string[] {
  const { program } = parseTypeScript(path, readFileSync(path, 'utf8'))
  return [...nodesOf(program)].flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const { declaration } = node
    // `export declare` counts as a type, and so do types.
    const isType =
      declaration === null ? node.exportKind === 'type' : /^TS(?:Interface|TypeAlias)/.test(declaration.type)
    if (isType) return []
    const declared = declaration?.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
    const specified = node.specifiers.flatMap((each) => (each.exportKind === 'type' ? [] : [each.exported]))
    const names = [...declared.map((each) => (each !== null && 'id' in each ? each.id : null)), ...specified]
    return names.flatMap((name) => (name !== null && 'name' in name ? [String(name.name)] : []))
  })
}

const entries = packages.flatMap(({ name, home, manifest }) =>
  Object.entries<{ types?: string }>(manifest.exports).flatMap(([path, { types }]) =>
    types === undefined ? [] : [{ entry: name + path.slice(1), names: namesIn(join(home, types)) }],
  ),
)

/** The text that an editor shows for each name after `all.`. */
async function shown(entry: string, head: string, names: readonly string[]): Promise<[string, string][]> {
  const uri = server.open(
    `${entry.replaceAll('/', '-')}.ts`,
    `${head}\n${names.map((name) => `all.${name}`).join('\n')}\n`,
  )
  const line = head.split('\n').length
  return Promise.all(
    names.map(
      async (name, index) => [name, await server.hover(uri, line + index, 'all.'.length + 1)] as [string, string],
    ),
  )
}

const signature = '^```typescript\\n[\\s\\S]+?\\n```\\n'
/** Checks that a text has a sentence after its signature. */
const described = new RegExp(`${signature}\\S`)
/** Checks that a text also has an example. */
const exemplified = new RegExp(`${signature}\\S[\\s\\S]*\\*@example\\*`)
/** Whether a text is that of a function, a constant with a function, a plugin, or a class. */
const callable = /^```typescript\n\(alias\) (?:function|class|const \w+: (?:\(|Plugin<))/

test('every entry of the package is tested', () => {
  expect(entries.map(({ entry }) => entry)).toContain('blockmark-server')
  expect(entries.flatMap(({ names }) => names).length).toBeGreaterThan(55)
})

test.for(entries)('$entry: every function has a description and an example', async ({ entry, names }) => {
  const all = await shown(entry, `import * as all from '${entry}'`, names)
  expect(all.filter(([, text]) => text === '')).toEqual([])
  expect(all.filter(([, text]) => !described.test(text))).toEqual([])
  const functions = all.filter(([, text]) => callable.test(text))
  expect(functions.filter(([, text]) => !exemplified.test(text)).map(([name]) => name)).toEqual([])
  // An editor reads an @ after a space as a tag, and ends the example there.
  const tags = all.flatMap(([, text]) => Array.from(text.matchAll(/\*@(\w+)\*/g), ([, tag]) => tag))
  expect([...new Set(tags)].filter((tag) => !/^(?:param|returns|throws|example|see)$/.test(tag ?? ''))).toEqual([])
})

test('every method of the client has a description, its errors and an example', async () => {
  const names = [...Object.keys(endpoints), 'sendAll']
  const head = `import type { Client } from 'blockmark/client'\ndeclare const all: Client`
  const wrong = (await shown('methods', head, names)).filter(
    ([, text]) => !exemplified.test(text) || !text.includes('*@throws*'),
  )
  expect(wrong).toEqual([])
})
