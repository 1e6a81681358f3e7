/** What an entry says whose packages are not installed. They are loaded when it is, and only it can say what it needs. */

/**
 * For the `catch` of an `import()`: what it failed with, or what to install where that is a package that is missing.
 *
 * @param entry - the entry as users import it
 * @param packages - what has to be installed for it
 * @param options - of `npm install`
 */
export function orInstall(
  entry: string,
  packages: readonly string[],
  ...options: readonly string[]
): (cause: unknown) => never {
  return (cause) => {
    const isMissing = cause instanceof Error && packages.some((name) => cause.message.includes(name))
    if (!isMissing) throw cause
    const needed = packages.length > 1 ? 'packages that are not here' : `the package ${packages.join()}`
    const command = ['npm install', ...options, ...packages].join(' ')
    throw new Error(`${entry} needs ${needed}: ${command}`, { cause })
  }
}
