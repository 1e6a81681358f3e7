/** The packages that a server needs beside this one: each is loaded where it is used, and looked for before the start. */

interface Package {
  /** The one that the tests run with. */
  readonly version: string
  readonly load: () => Promise<unknown>
}

const packages: Readonly<Record<string, Package>> = {
  pg: { version: '8.23.1', load: () => import('pg') },
  pino: { version: '10.4.0', load: () => import('pino') },
  'prom-client': { version: '15.1.3', load: () => import('prom-client') },
  busboy: { version: '1.6.0', load: () => import('busboy') },
  'file-type': { version: '21.3.4', load: () => import('file-type') },
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
export function findPackages(): Promise<FoundPackage[]> {
  const found = Object.entries(packages).map(async ([name, { version, load }]): Promise<FoundPackage> => {
    const isFound = await load().then(
      () => true,
      () => false,
    )
    return { name, version, isFound }
  })
  return Promise.all(found)
}

/**
 * Sees that all packages are there.
 *
 * @throws {Error} where some are missing, in one line with the command that installs them
 */
export async function requirePackages(): Promise<void> {
  const missing = (await findPackages()).filter(({ isFound }) => !isFound)
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
