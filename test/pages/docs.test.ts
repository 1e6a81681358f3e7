/** Every page of the documentation, on a server and as files, and its samples. */

import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { endpointNames, endpoints } from '../../src/api/contract/endpoints.js'
import { examples } from '../../src/api/contract/examples.js'
import { errorsOf } from '../../src/api/contract/openapi.js'
import { dialectPrompt } from '../../src/index.js'
import { answerDocs, docsPages, writeDocs } from '../../src/server/docs/index.js'
import { sectionsOf, textOf } from '../../src/server/docs/site.js'
import { answerAsset } from '../../src/server/pages/assets.js'
import { temporaryFolder } from '../api/support/backends.js'
import { expectToBeFast } from '../timing.js'
import { png } from './support/images.js'
import { startSite } from './support/site.js'

const SITE = 'https://messages.test'

async function page(path: string): Promise<string> {
  const { status, body } = await answerDocs(path, SITE)
  if (typeof body !== 'string' || status !== 200) throw new Error(`there is no page ${path}`)
  return body
}

const paths = docsPages.map(({ slug }) => (slug === '' ? '/docs' : `/docs/${slug}`))

/** Returns the path and fragment of each link of a page that stays on the site. */
function linksOf(html: string): [path: string, id: string][] {
  const links = [...html.matchAll(/(?:href|src|data-index)="([^"]*)"/g)].map(([, address = '']) => address)
  const own = links.filter((address) => !/^(?:https?:|mailto:)/i.test(address))
  return own.map((address) => [address.replace(/#.*/, ''), /#(.*)/.exec(address)?.[1] ?? ''])
}

test('every link of every page has a target, and every id occurs once', async () => {
  const pages = new Map<string, string>()
  for (const path of paths) pages.set(path, await page(path))
  for (const [path, html] of pages) {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []])
    for (const [to, id] of linksOf(html)) {
      const target =
        to === ''
          ? html
          : (pages.get(to) ?? (/^\/(?:assets\/|openapi\.json|playground)/.test(to) ? '' : await page(to)))
      expect([path, to, id, id === '' || target.includes(` id="${id}"`)]).toEqual([path, to, id, true])
    }
  }
})

test('a missing page is a page of the documentation, and names near ones', async () => {
  for (const path of ['/docs/nothing', '/docs/assets/x', '/docs/constructor', '/docs/assets/docs-style']) {
    const { status, body } = await answerDocs(path, SITE)
    expect([path, status, body]).toEqual([path, 404, expect.stringContaining('<h1>This page is not here</h1>')])
    expect(body).toContain('id="contents"')
  }
  const near = async (path: string): Promise<string> =>
    String((await answerDocs(path, SITE)).body).split('<main')[1] ?? ''
  expect(await near('/docs/threads')).toContain('href="/docs/endpoints-threads"')
  expect(await near('/docs/postComment')).toContain('href="/docs/endpoints-threads"')
  expect(await near('/docs/zzz')).toContain('<li><a href="/docs">Begin here</a></li>')
})

test('a URL with a slash at its end redirects to the page without it', async () => {
  for (const path of ['/docs/', '/docs/limits/', '/docs///']) {
    const { status, headers } = await answerDocs(path, SITE)
    expect([path, status, headers['location']]).toEqual([path, 308, path.replace(/\/+$/, '')])
  }
})

test('a URL of many slashes or words costs no more than any other', async () => {
  const answer = (path: string) => () => void answerDocs(path, SITE)
  const slashes = `/docs${'/'.repeat(15_000)}a/`
  expectToBeFast(answer(slashes), { milliseconds: 100, times: 100, ordinary: answer('/docs/nothing/') })
  expect((await answerDocs(slashes, SITE)).headers['location']).toBe(slashes.slice(0, -1))
  // Only the first words of a missing page are compared with the pages.
  const { body } = await answerDocs(`/docs/${'x-'.repeat(100)}threads`, SITE)
  expect(String(body).split('<main')[1]).toContain('<li><a href="/docs">Begin here</a></li>')
})

test('one document is drawn after the other, also if another one is requested again', async () => {
  const site = 'https://turns.test'
  const [known = '', ...others] = paths.slice(0, 3)
  await answerDocs(known, site)
  let [running, most] = [0, 0]
  const spies = docsPages.slice(1, 3).map((each) => {
    const { draw } = each
    return vi.spyOn(each, 'draw').mockImplementation(async (options) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      const html = await draw(options)
      running -= 1
      return html
    })
  })
  await Promise.all([others[0] ?? '', known, others[1] ?? ''].map((path) => answerDocs(path, site)))
  expect([spies.map(({ mock }) => mock.calls.length), most]).toEqual([[1, 1], 1])
  for (const spy of spies) spy.mockRestore()
})

test('the contents and one page list all endpoints with their methods', async () => {
  const html = await page('/docs/endpoints')
  const [before = '', main = ''] = html.split('<main')
  for (const name of endpointNames) {
    const method = `<b class="method">${endpoints[name].methods[0]}</b>`
    expect(before).toMatch(new RegExp(`<a href="/docs/endpoints-\\w+#${name}">${method} ${name}</a>`))
    const { methods, summary, description } = endpoints[name]
    expect(textOf(main)).toContain(`${methods[0]} ${name} · ${summary} ${description.split('`')[0]}`)
  }
})

test('every page links to the documentation, the endpoints and the playground', async () => {
  for (const path of paths) {
    const header = (await page(path)).split('</header>')[0] ?? ''
    for (const to of ['/docs', '/docs/endpoints', '/playground']) expect(header).toContain(`href="${to}"`)
  }
  expect(textOf(await page('/docs'))).toContain('There are no events.')
})

test('the sections of a page are its headings of both depths', () => {
  const html = '<h1>a</h1><h2 id="b">B &amp; <code>b</code></h2><h3 id="c">C</h3><h2>none</h2>'
  expect(sectionsOf(html)).toEqual([
    { id: 'b', title: 'B & b', depth: 2 },
    { id: 'c', title: 'C', depth: 3 },
  ])
})

test('a page has at most 60 KB compressed, with what it loads, and so has the index of the search', async () => {
  const size = async (path: string): Promise<number> => brotliCompressSync(await page(path)).byteLength
  let loaded = 0
  for (const [, path = ''] of (await page('/docs')).matchAll(/"(\/assets\/[^"]+\.(?:css|js))"/g))
    loaded += brotliCompressSync(String(answerAsset(path)?.body)).byteLength
  expect(loaded).toBeGreaterThan(1000)
  for (const path of paths) expect([path, (await size(path)) + loaded < 60_000]).toEqual([path, true])
  expect(await size('/docs/assets/docs-index')).toBeLessThan(60_000)
})

test('each endpoint has its path, a request in three languages, its response and all of its errors', async () => {
  const html = (await Promise.all(paths.filter((path) => path.includes('/endpoints-')).map(page))).join('')
  const sections = html.split('<section class="endpoint" ').slice(1)
  expect(sections.length).toBe(endpointNames.length)
  for (const [index, section] of sections.entries()) {
    const name = endpointNames.find((each) => section.includes(` id="${each}"`)) ?? 'ping'
    const text = textOf(section.replace(/<(?:span|\/span)[^>]*>/g, ''))
    expect([index, text]).toEqual([index, expect.stringContaining(`/api/public/${name}`)])
    expect(text).toContain(`await bot.${name}(`)
    expect(text).toContain('requests.')
    const codes = errorsOf(name)
    expect(codes.filter((code) => !section.includes(`<code>${code}</code>`))).toEqual([])
    const written = [...section.matchAll(/<pre tabindex="0"><code>(.*?)<\/code>/gs)].map(([, code = '']) => code)
    expect(written.length).toBe(4)
    const [curl = '', typescript = ''] = written.map((code) => textOf(code.replace(/<[^>]*>/g, '')))
    if (name === 'upload' || examples[name].body === null) continue
    // Ids of earlier responses are variables of the shell.
    const sent = JSON.parse((/-d '(.*)'$/.exec(curl)?.[1] ?? '').replace(/'(\$[A-Z_]+)'/g, '$1'))
    const body = Object.entries(examples[name].body).map(([key, value]) => [
      key,
      key === 'userIDs' ? ['$USER_ID'] : /ID$/.test(key) ? expect.stringMatching(/^\$[A-Z_]+_ID$/) : value,
    ])
    expect([name, sent]).toEqual([name, Object.fromEntries(body)])
    const given = typescript.slice(typescript.indexOf(`bot.${name}(`) + `bot.${name}(`.length, -1)
    expect([name, new Function(`return ${given}`)()]).toEqual([name, examples[name].body])
  }
})

test('fields have their constraints', async () => {
  const text = textOf(await page('/docs/endpoints-threads'))
  expect(text).toContain('Send this or channelID .')
  expect(text).toContain('list of 1 to 100, each string, 1 to 4,000 characters')
  expect(textOf(await page('/docs/endpoints-channels'))).toContain('public or private, default public')
})

test('a chapter shows each example as typed and as rendered, and model authors get the prompt', async () => {
  const html = await page('/docs/dialect-4')
  expect(html).toContain(
    '<pre><code>a **b c** d</code></pre>\n<div class="blockmark"><p>a <strong>b c</strong> d</p></div>',
  )
  const count = (await readFile('fixtures/4-emphasis.md', 'utf8')).match(/^`{4,} example /gm)?.length ?? 0
  expect(html.match(/<figure class="example"/g)?.length).toBeGreaterThan(count * 0.95)
  expect(textOf(await page('/docs/models'))).toContain(dialectPrompt.slice(-100).replace(/\s+/g, ' '))
  expect(await page('/docs/lint')).toContain('<li>1:1 <code>###</code> does not start a heading here')
})

test('the documentation as files needs no server, and contains every file that a page names', async () => {
  const folder = await temporaryFolder()
  const out = join(folder, 'a', 'site')
  await mkdir(folder, { recursive: true })
  expect(await writeDocs(out, SITE)).toBe(docsPages.length)
  const files = (await readdir(out, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  expect(files.filter((name) => name.endsWith('.html')).length).toBe(docsPages.length)
  for (const name of files.filter((each) => each.endsWith('.html'))) {
    const html = await readFile(join(out, name), 'utf8')
    expect([name, linksOf(html).filter(([to]) => to !== '' && !files.includes(to))]).toEqual([name, []])
    expect(html).not.toContain('class="try"')
  }
  await rm(folder, { recursive: true })
})

test('every curl of every page gets ok from a new service, in order', async () => {
  const site = await startSite({}, { welcome: true })
  const folder = await temporaryFolder()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'latency.png'), png(4, 4))
  const environment: Record<string, string> = { BLOCKMARK_URL: site.url, BLOCKMARK_API_KEY: site.key }
  let count = 0
  for (const path of paths) {
    const html = await (await fetch(site.url + path)).text()
    for (const [, code = ''] of html.matchAll(/<code>(.*?)<\/code>/gs)) {
      const text = lines(code)
      for (const [command] of text.matchAll(/^curl (?:.*\\\n)*.*$/gm)) {
        const options = { cwd: folder, env: { PATH: process.env['PATH'], ...environment } }
        const { stdout } = await promisify(execFile)('bash', ['-euc', command.replace('curl ', 'curl -sS ')], options)
        expect([path, command, JSON.parse(stdout)]).toEqual([path, command, expect.objectContaining({ ok: true })])
        for (const [name, value] of idsOf(JSON.parse(stdout).result)) environment[name] = value
        count += 1
      }
    }
  }
  // One for each endpoint, and those of the guides.
  expect(count).toBeGreaterThanOrEqual(endpointNames.length + 6)
  await site.close()
  await rm(folder, { recursive: true })
})

test('TypeScript of a guide imports what it uses of the packages', async () => {
  const folder = new URL('../../src/server/guides/', import.meta.url)
  const names = ['createClient', 'createTestService', 'createMarkdownStream', 'fromMarkdown', 'md']
  let count = 0
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.md'))) {
    const text = await readFile(new URL(file, folder), 'utf8')
    for (const [, code = ''] of text.matchAll(/^```ts\n(.*?)^```/gms)) {
      for (const name of names.filter((each) => new RegExp(`\\b${each}[(\`]`).test(code))) {
        expect([file, code]).toEqual([
          file,
          expect.stringMatching(new RegExp(`^import \\{ ${name} \\} from 'blockmark`, 'm')),
        ])
        count += 1
      }
    }
  }
  expect(count).toBeGreaterThanOrEqual(7)
})

/** Returns the text of code, with its lines. */
function lines(html: string): string {
  return html
    .split('\n')
    .map((line) => /^ */.exec(line)?.[0] + textOf(line.replace(/<\/?span[^>]*>/g, '')))
    .join('\n')
}

/** Returns the ids of a response, by the names of the pages' variables for them. */
function idsOf(result: unknown): [string, string][] {
  const object: unknown = Array.isArray(result) ? result[0] : result
  return Object.entries(object ?? {}).flatMap(([key, value]): [string, string][] =>
    key.endsWith('ID') ? [[key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(), String(value)]] : [],
  )
}
