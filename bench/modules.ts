/** The modules that the benchmark imports: this package, built, an older build of it, and the contenders. */
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export type Library = typeof import('../src/index.js')

/** The built library, relative to the folder of the compiled benchmark. */
export const libraryUrl: URL = new URL('../../dist/index.js', import.meta.url)

/** Loads the library as it is built, or as another checkout has built it. */
export function loadLibrary(folder?: string): Promise<Library> {
  return load<Library>(folder === undefined ? libraryUrl.href : pathToFileURL(`${folder}/dist/index.js`).href)
}

/** Finds the built `blockmark/render`, the reading half alone; null where this package has none. */
export function renderEntry(): URL | null {
  const root = new URL('../../', import.meta.url)
  const manifest: { exports: Record<string, string | Record<string, string>> } = JSON.parse(
    readFileSync(new URL('package.json', root), 'utf8'),
  )
  const entry = manifest.exports['./render']
  const path = typeof entry === 'object' ? entry['default'] : entry
  if (path === undefined) return null
  const url = new URL(path, root)
  return existsSync(url) ? url : null
}

/**
 * Imports a module with a given type: the type check must pass without the contenders installed, and their types are
 * not checked as strictly as this project is.
 */
export function load<Module>(name: string): Promise<Module> {
  return import(name)
}

/** Names the peers' packages as `bench/package.json` pins them. */
export function peerVersions(): Readonly<Record<string, string>> {
  const file = new URL('../package.json', import.meta.url)
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return manifest.dependencies
}
