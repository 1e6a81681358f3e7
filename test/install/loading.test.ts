/** The loaded files, the errors, and the independence of speed from the first inputs. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { isThorough } from '../amount.js'
import { parseTypeScript, top } from '../source.js'
import { codeOf, description, filesFrom, home, importsOf } from './library.js'

const { folder } = inject('installed')

describe('the loaded files', () => {
  /** The entry of the core, which only exports names, and the file with its code. */
  const core = [...filesFrom(['dist/index.js'])]

  test('the core is one file behind its entry, and imports nothing else', () => {
    expect(core.slice(1)).toEqual([expect.stringMatching(/^dist\/shared\/[\w-]+\.js$/)])
    expect(core.flatMap((path) => importsOf(path).later)).toEqual([])
    expect(codeOf(new Set(core))).not.toMatch(/\brequire\(/)
  })

  test('the core declares constants and no variables, because engines optimize constants better', () => {
    const [, path = ''] = core
    const { program } = parseTypeScript(path, readFileSync(join(home, path), 'utf8'))
    const declared = program.type === 'Program' ? program.body : []
    const variables = declared.flatMap((node) => {
      return node.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations : []
    })
    expect(declared.length).toBeGreaterThan(100)
    // The bundler declares classes with `var`.
    expect(variables.filter(({ init }) => init?.type !== 'ClassExpression')).toEqual([])
  })

  test('only the command line and the test service need modules of Node.js', () => {
    const entries = Object.entries<string | { default: string; require?: string }>(description.exports)
    const needy = entries.flatMap(([name, entry]) => {
      if (typeof entry === 'string') return []
      const files = filesFrom([entry.default, entry.require ?? entry.default].map((path) => join(path)))
      const names = [...files].flatMap((path) => [...importsOf(path).now, ...importsOf(path).later])
      return names.some((each) => isBuiltin(each)) ? [name] : []
    })
    expect(needy).toEqual(['./testing'])
  })

  test('without optional packages, an entry fails with the name of one that it needs', () => {
    const entries = Object.entries(description.exports).filter(([, entry]) => typeof entry !== 'string')
    const results = entries.map(([name]) => {
      const script = `import('blockmark${name.slice(1)}').then(() => console.log('fine'), (error) => console.log(error.message))`
      const { stdout } = spawnSync(process.execPath, ['--eval', script], { cwd: folder, encoding: 'utf8' })
      return [name, stdout.replace(/ imported from .*\n$/, '').trimEnd()]
    })
    expect(results.filter(([, line]) => line !== 'fine')).toEqual([
      ['./markdown', expect.stringMatching(/^Cannot find package '(?:mdast-util|micromark-extension)-[\w-]+'$/)],
      ['./arbitraries', "Cannot find package 'fast-check'"],
    ])
  })

  test('without optional packages, a command names those to install in one line', () => {
    const words = ['--no', 'blockmark', 'convert', '--from', 'markdown', '--to', 'html']
    const { stderr, status } = spawnSync('npx', words, { cwd: folder, input: '_a_', encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr.trimEnd()).toMatch(/^blockmark: .*: npm install( [\w-]+){4}$/)
  })

  test('the command line loads a command when it is called', () => {
    const start = filesFrom(['dist/cli.js'])
    const later = [...start]
      .flatMap((path) => importsOf(path).later.map((name) => ({ path, name })))
      .filter(({ name }) => name.startsWith('.'))
      .map(({ path, name }) => join(path, '..', name))
    expect(later.length).toBeGreaterThan(0)
    expect(later.filter((path) => start.has(path))).toEqual([])
    const ofCore = 'data-user-id'
    expect(codeOf(start)).not.toContain(ofCore)
    expect(codeOf(filesFrom(later))).toContain(ofCore)
  })
})

describe('an error', () => {
  function failing(code: string, ...options: string[]): string {
    const words = [...options, '--input-type=module', '--eval', code]
    return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }).stderr
  }

  test.each([
    ['blockmark', `import { toBlocks } from 'blockmark'; toBlocks('')`, 'split/split'],
    [
      'blockmark/messengers',
      `import { fromSlack } from 'blockmark/messengers'; fromSlack(7)`,
      'messengers/slack/from-slack',
    ],
    ['blockmark/client', `import { createClient } from 'blockmark/client'; createClient(7)`, 'api/client/errors'],
  ])('in %s is traced to the lines of src', (_, code, file) => {
    const source = readFileSync(join(top, 'src', `${file}.ts`), 'utf8').split('\n')
    const stack = failing(code, '--enable-source-maps')
    const lines = Array.from(stack.matchAll(new RegExp(`/src/${file}\\.ts:(\\d+)`, 'g')), ([, line]) => Number(line))
    expect(lines.length, stack).toBeGreaterThan(0)
    expect(
      lines.some((line) => source[line - 1]?.includes('throw')),
      stack,
    ).toBe(true)
  })

  test.each([
    ['blockmark', `import { toBlocks } from 'blockmark'; toBlocks('')`],
    ['blockmark/testing', `import { createTestService } from 'blockmark/testing'; createTestService().fail(7)`],
  ])('in %s is not lost after the line of code that Node prints before it', (_, code) => {
    // Node draws a mark with as many spaces below the line, and the line once had 8,000 characters.
    expect(failing(code).length).toBeLessThan(3_000)
  })

  test('has its documented name, although the code is minified', () => {
    const code = `import { BlockmarkError, toBlocks } from 'blockmark'
      import { BlockmarkApiError, createClient, SendError } from 'blockmark/client'
      const { name, constructor } = await Promise.resolve().then(() => toBlocks('')).catch((error) => error)
      throw new Error([name, constructor.name, BlockmarkApiError.name, SendError.name].join())`
    expect(failing(code)).toContain('Error: BlockmarkError,BlockmarkError,BlockmarkApiError,SendError\n')
    expect(failing(`import { toBlocks } from 'blockmark'; toBlocks('')`)).toMatch(
      /^BlockmarkError(?: \[.*\])?: blocks/m,
    )
  })
})

test.runIf(isThorough).each([
  ['narrow', '*a*', '.'],
  ['wide', '\u2014*a*', '\u2026'],
])('stars in the first inputs do not slow down later ones: %s texts (if CI is set)', (_, stars, end) => {
  // In a new process, because an engine compiles a regular expression once, for the kind of its first text.
  const source = `import { paragraph, root, stringify, text, toHtml } from 'blockmark'
    for (let count = 0; count < 9; count += 1) toHtml(process.argv[1])
    const tree = root(paragraph(text('a few words, and more of them '.repeat(10_000) + process.argv[2])))
    let best = Infinity
    for (let count = 0; count < 30; count += 1) {
      const start = performance.now()
      stringify(tree)
      best = Math.min(best, performance.now() - start)
    }
    console.log(best)`
  const measure = (first: string): number =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '--eval', source, first, end], {
        cwd: folder,
        encoding: 'utf8',
      }),
    )
  const times = Array.from({ length: 7 }, () => ({ stars: measure(stars), words: measure(`a few words${end}`) }))
  const ofWords = Math.min(...times.map(({ words }) => words))
  expect(Math.min(...times.map((each) => each.stars))).toBeLessThan(2 * ofWords)
})
