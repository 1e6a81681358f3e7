/** The server's package, which is built from this repository after this program. */
declare module 'blockmark-server/commands' {
  export function run(words: readonly string[]): Promise<void>
}
