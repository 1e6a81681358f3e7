/** The description of the server's package, as far as tests read it. */
export function serverManifest(): {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}
