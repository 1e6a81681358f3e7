/** The contents of the library's package. */

import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { top } from '../source.js'
import { description, home, paths, pathsNamedIn } from './library.js'

const { folder } = inject('installed')
const UNPACKED_BYTES_MAX = 1_000_000

describe('contents', () => {
  test('are the built code, the documents and the license', () => {
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(
      [
        'LICENSE',
        'README.md',
        'REFERENCE.md',
        'CHANGELOG.md',
        'CLIENT.md',
        'CONVERSIONS.md',
        'LIBRARY.md',
        'MESSENGERS.md',
        'MODELS.md',
        'package.json',
      ].sort(),
    )
    const kinds = new Set(
      paths.filter((path) => path.startsWith('dist/')).map((path) => path.replace(/^.*?(?=\.)/, '')),
    )
    expect([...kinds].sort()).toEqual(['.css', '.d.ts', '.html.br', '.js', '.js.map', '.json.gz', '.md'])
  })

  test('name only paths that exist', () => {
    const readable = paths.filter((path) => /\.(?:md|d\.ts|js)$/.test(path))
    const named = readable.flatMap((path) => pathsNamedIn(readFileSync(join(home, path), 'utf8')))
    // A pattern is an example from a chat, not a path of this project.
    expect(named.filter((name) => !name.includes('*') && !existsSync(join(home, name)))).toEqual([])
  })

  test('contain nothing under another license', () => {
    expect(paths.filter((path) => /commonmark/i.test(path))).toEqual([])
  })

  test('are smaller than 1 MB and in one folder', () => {
    const sizes = paths.map((path) => statSync(join(home, path)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(UNPACKED_BYTES_MAX)
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed).toEqual(['blockmark'])
    expect(lstatSync(home).isSymbolicLink()).toBe(false)
    expect(existsSync(join(home, 'node_modules'))).toBe(false)
  })

  test('depend on nothing and run nothing when installed', () => {
    expect(Object.keys(description).filter((field) => /^(?:dep|optionalDep|bundle)/.test(field))).toEqual([])
    // Not `prepare` either, because npm warns about it.
    expect(Object.keys(description).filter((field) => /^(?:scripts|devDep)/.test(field))).toEqual([])
  })

  test('contain no path of the machine that built them', () => {
    const contents = paths.map((path) => ({ path, text: readFileSync(join(home, path), 'utf8') }))
    const places = [top, join(folder, '..')]
    expect(contents.filter(({ text }) => places.some((place) => text.includes(place))).map(({ path }) => path)).toEqual(
      [],
    )
  })
})
