/** Every page of the documentation, as the package's build draws it, and its samples. */

import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { Element, Nodes } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { endpointNames, endpoints } from '../../src/api/contract/endpoints.js'
import { statuses } from '../../src/api/contract/errors.js'
import { exampleOf } from '../../src/api/contract/openapi.js'
import { dialectPrompt } from '../../src/index.js'
import { assetPath, respondWithStatic } from '../../src/server/static.js'
import { temporaryFolder } from '../api/support/backends.js'
import { readPacked } from '../packed.js'
import { siteFolder } from '../site-folder.js'
import { png } from './support/images.js'
import { startSite } from './support/site.js'

const index: { readonly files: Readonly<Record<string, { readonly type: string }>> } = JSON.parse(
  await readFile(new URL('index.json', siteFolder), 'utf8'),
)
const paths = Object.entries(index.files)
  .filter(([path, { type }]) => /^\/docs\/(?!404)/.test(path) && type.startsWith('text/html'))
  .map(([path]) => path)
const pages = new Map<string, Element[]>()
for (const path of ['/docs', ...paths]) {
  pages.set(path, elementsOf(fromParse5(parse(textOfBody((await answer(path)).body)))))
}

function elementsOf(node: Nodes): Element[] {
  const children = 'children' in node ? node.children.flatMap(elementsOf) : []
  return node.type === 'element' ? [node, ...children] : children
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** The elements of a page with a tag, and with a class or an id if that is given. */
function find(path: string, tag: string, name = ''): Element[] {
  return (pages.get(path) ?? []).filter(({ tagName, properties: { className, id } }) => {
    return tagName === tag && (name === '' || id === name || (Array.isArray(className) && className.includes(name)))
  })
}

function textOfBody(body: unknown): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : ''
}

async function answer(path: string, headers = {}): Promise<NonNullable<Awaited<ReturnType<typeof respondWithStatic>>>> {
  const request = { method: 'GET', url: path, headers: new Headers(headers), body: null }
  const found = await respondWithStatic(path, request)
  if (found === null) throw new Error(`there is no ${path}`)
  return found
}

describe('the pages', () => {
  test('link only to targets that exist, and use each id once', () => {
    for (const [path, elements] of pages) {
      const ids = elements.flatMap(({ properties: { id } }) => (id === undefined ? [] : [id]))
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []])
      for (const { properties } of elements) {
        const [to = '', id = ''] = String(properties.href ?? properties.src ?? '#').split('#')
        if (/^(?:https?:|mailto:)|^\/(?:assets\/|openapi\.json|playground)/i.test(to)) continue
        const target = to === '' ? path : to
        const isThere = pages.has(target)
        const hasId =
          id === '' || (pages.get(target) ?? []).some((each) => each.properties.id === decodeURIComponent(id))
        expect([path, target, id, isThere && hasId]).toEqual([path, target, id, true])
      }
    }
  })

  test('have a description and a card, the four parts of the site in the header, and one h1', () => {
    const descriptions = new Set<string>()
    for (const path of pages.keys()) {
      const metas = new Map(
        find(path, 'meta').map(({ properties: { name, property, content } }) => [name ?? property, content]),
      )
      expect([path, String(metas.get('description')).length]).toEqual([
        path,
        expect.toSatisfy((length) => length > 20 && length <= 165),
      ])
      const [h1 = { type: 'text', value: '' }] = find(path, 'h1')
      expect(metas.get('og:title')).toBe(`${textOf(h1)} · blockmark`)
      expect(metas.get('og:description')).toBe(metas.get('description'))
      descriptions.add(String(metas.get('description')))
      const header = find(path, 'nav').find(({ properties }) => properties.ariaLabel === 'Site')
      expect([path, header && textOf(header).trim().split(/\s+/)]).toEqual([
        path,
        ['Library', 'Dialect', 'API', 'Playground'],
      ])
      expect(find(path, 'h1').length).toBe(1)
    }
    expect(descriptions.size).toBe(pages.size)
  })

  test('have at most 20 KB compressed, with what they load', async () => {
    let loaded = 0
    for (const name of ['docs.css', 'docs.js', 'icon.svg']) {
      const { body } = await answer(assetPath(name))
      loaded += brotliCompressSync(textOfBody(body)).byteLength
    }
    for (const path of pages.keys()) {
      const size = brotliCompressSync(textOfBody((await answer(path)).body)).byteLength
      expect([path, loaded + size < 20_000]).toEqual([path, true])
    }
  })
})

describe('a chapter shows what it is about', () => {
  test.each([
    ['dialect-4', 'two-stars-make-strong', /\na b c d\n/],
    ['dialect-5', 'every-node-type', /heading depth=2 @0-4\n {4}text "a" @3-4/],
    ['dialect-6', 'blocks-are-separated-by-one-line-feed', /<h1>a<\/h1>\n<p>b<\/p>/],
    ['dialect-7', 'blocks-in-plain-text', /# a\nb\n\nc\na\n\nb\n\nc\n$/],
    ['dialect-8', 'needless-escapes-go', /a_b and 5 \* 3, #4 and \\\*\\\*c\*\*\n$/],
    ['dialect-8', 'plain-text-is-written-as-it-stands', /Written as typed\.$/m],
    ['lint', 'lint-heading-depth', /1:1 ### does not start a heading here/],
  ])('%s: the result of %s', (page, name, result) => {
    const [figure] = find(`/docs/${page}`, 'figure', name)
    expect(figure === undefined ? '' : textOf(figure)).toMatch(result)
  })
})

test('each endpoint has its path, a request in two languages, its response and its own errors', () => {
  for (const name of endpointNames) {
    const { tag, errors } = endpoints[name]
    const section = find(`/docs/endpoints-${tag.toLowerCase()}`, 'section').find(
      ({ properties }) => properties['ariaLabelledBy']?.toString() === name,
    )
    const parts = section === undefined ? [] : elementsOf(section)
    const text = parts.map(textOf).join('\n')
    for (const part of [`/api/public/${name}`, ...errors])
      expect([name, text]).toEqual([name, expect.stringContaining(part)])
    const [curl = '', typescript = '', ...others] = parts.filter(({ tagName }) => tagName === 'pre').map(textOf)
    expect([name, curl.includes(`/api/public/${name}`), others.length]).toEqual([name, true, 1])
    const [, given = ''] = new RegExp(`await bot\\.${name}\\((.*)\\)$`, 's').exec(typescript) ?? []
    // The arguments are JavaScript.
    const sent: unknown = new Function(`return ${given}`)()
    const { body } = endpoints[name]
    expect([name, sent]).toEqual([
      name,
      name === 'upload' ? 'latency.png' : body === null ? undefined : exampleOf(body),
    ])
  }
})

test('a script contains the licenses of the packages in it', async () => {
  expect(textOfBody((await answer(assetPath('search.js'))).body)).toMatch(
    /\/\*! minisearch:\nCopyright 2022 Luca Ongaro/,
  )
  expect(await readPacked()).toMatch(/\/\*! .*\bmicromark\b.*:\n\(The MIT License\)\n\nCopyright \(c\) Titus Wormer/)
  expect(textOfBody((await answer(assetPath('pages.js'))).body)).not.toContain('Copyright')
})

test('one page has all error codes with their statuses, and model authors get the prompt', () => {
  const main = textOf(find('/docs/errors', 'main')[0] ?? { type: 'text', value: '' })
  for (const [code, status] of Object.entries(statuses)) {
    expect(find('/docs/errors', 'h3', code).length).toBe(1)
    expect(main).toContain(`${code}\n${status} · `)
  }
  expect(textOf(find('/docs/prompt', 'main')[0] ?? { type: 'text', value: '' })).toContain(dialectPrompt.slice(-100))
})

describe('a response', () => {
  test('is a page of the documentation for a missing one, and a redirect for a slash at the end', async () => {
    for (const path of ['/docs/nothing', '/docs/assets/x', '/docs/constructor', '/docs/404']) {
      const { status, body } = await answer(path)
      expect([path, status, textOfBody(body)]).toEqual([
        path,
        404,
        expect.stringContaining('<h1>This page is not here</h1>'),
      ])
    }
    for (const path of ['/docs/', '/docs/limits/', '/docs///']) {
      const { status, headers } = await answer(path)
      expect([path, status, headers['location']]).toEqual([path, 308, path.replace(/\/+$/, '')])
    }
  })

  test('is compressed if the client accepts it, and empty if the client has the page', async () => {
    const plain = await answer('/docs/limits')
    const bytes = (body: unknown): Buffer => Buffer.from(body as Uint8Array) // A file of the site.
    for (const accepted of ['gzip', 'br;q=0', 'gzip, br;q=0.0, deflate', 'gzip, deflate, br', 'br;q=0.5']) {
      const { headers, body } = await answer('/docs/limits', { 'accept-encoding': accepted })
      const isPacked = headers['content-encoding'] === 'br'
      expect([accepted, isPacked]).toEqual([accepted, /br$|br;q=0\.5/.test(accepted)])
      expect(isPacked ? brotliDecompressSync(bytes(body)) : bytes(body)).toEqual(bytes(plain.body))
    }
    const etag = plain.headers['etag'] ?? ''
    for (const tags of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
      expect((await answer('/docs/limits', { 'if-none-match': tags })).status).toBe(304)
    }
    expect((await answer('/docs/limits', { 'if-none-match': '"x"' })).status).toBe(200)
  })
})

test('every curl of every page gets ok from a new service, in order', async () => {
  const site = await startSite({}, { welcome: true })
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'latency.png'), png(4, 4))
  const environment: Record<string, string> = { BLOCKMARK_URL: site.url, BLOCKMARK_API_KEY: site.key }
  let count = 0
  const guides = [
    'begin',
    'lists',
    'files',
    ...new Set(endpointNames.map((name) => `endpoints-${endpoints[name].tag.toLowerCase()}`)),
  ]
  for (const path of guides) {
    for (const code of find(`/docs/${path}`, 'pre')) {
      for (const [command] of textOf(code).matchAll(/^curl (?:.*\\\n)*.*$/gm)) {
        const options = { cwd: folder, env: { PATH: process.env['PATH'], ...environment } }
        const { stdout } = await promisify(execFile)('bash', ['-euc', command.replace('curl ', 'curl -sS ')], options)
        expect([path, command, JSON.parse(stdout)]).toEqual([path, command, expect.objectContaining({ ok: true })])
        for (const [name, value] of idsOf(JSON.parse(stdout).result)) environment[name] = value
        count += 1
      }
    }
  }
  // There is one sample for each endpoint, and there are five in the guides.
  expect(count).toBe(endpointNames.length + 5)
  await site.close()
  await rm(folder, { recursive: true })
})

/** Returns the ids of a response, by the names of the pages' variables for them. */
function idsOf(result: unknown): [string, string][] {
  const object: unknown = Array.isArray(result) ? result[0] : result
  return Object.entries(object ?? {}).flatMap(([key, value]): [string, string][] =>
    key.endsWith('ID') ? [[key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(), String(value)]] : [],
  )
}
