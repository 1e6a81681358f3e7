/** The modules that the benchmark imports: this package, built, an older build of it, and the contenders. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export type Library = typeof import('../src/index.js')

/** The built library, relative to the folder of the compiled benchmark. */
export const libraryUrl: URL = new URL('../../dist/index.js', import.meta.url)

/** Loads the built library, of this checkout or of another one. */
export function loadLibrary(folder?: string): Promise<Library> {
  return load<Library>(folder === undefined ? libraryUrl.href : pathToFileURL(`${folder}/dist/index.js`).href)
}

/**
 * Imports a module with a given type. The contenders' own types are not used: the type check must pass without the
 * contenders, and their types are less strict than this project's settings.
 */
export function load<Module>(name: string): Promise<Module> {
  return import(name)
}

/** Returns the contenders' versions, pinned in `bench/package.json`. */
export function contenderVersions(): Readonly<Record<string, string>> {
  const file = new URL('../package.json', import.meta.url)
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return manifest.dependencies
}
