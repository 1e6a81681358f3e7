/** The packages that a server needs beside this one: each is loaded where it is used, and looked for before the start. */

/** Each with the version that the tests run with. */
const packages: Readonly<Record<string, string>> = {
  pg: '8.23.1',
  pino: '10.4.0',
  'prom-client': '15.1.3',
  busboy: '1.6.0',
  'file-type': '21.3.4',
}

/** A package, and whether it is there. */
interface FoundPackage {
  readonly name: string
  readonly version: string
  readonly isFound: boolean
}

/**
 * Looks for the packages.
 *
 * @returns each of them
 */
export function findPackages(): FoundPackage[] {
  return Object.entries(packages).map(([name, version]) => ({ name, version, isFound: canFind(name) }))
}

/** To load them only to see that they are there would take as long as all else that a start does in this process. */
function canFind(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/**
 * Sees that all packages are there.
 *
 * @throws {Error} where some are missing, in one line with the command that installs them
 */
export function requirePackages(): void {
  const missing = findPackages().filter(({ isFound }) => !isFound)
  if (missing.length > 0) throw new Error(`the server needs packages that are not installed: ${installing(missing)}`)
}

/**
 * The command that installs packages.
 *
 * @param missing - their names and versions
 * @returns the command
 */
export function installing(missing: readonly Pick<FoundPackage, 'name' | 'version'>[]): string {
  return ['npm install', ...missing.map(({ name, version }) => `${name}@${version}`)].join(' ')
}
