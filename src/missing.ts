/** The error of an entry that needs a package that is not installed: only the entry knows which one. */

/**
 * Returns a handler for the `catch` of an `import()`: it throws the cause, or says what to install if a package is missing.
 *
 * @param entry - the name of the entry
 * @param packages - the packages that it needs
 * @param options - the options of `npm install`
 * @returns the handler
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
