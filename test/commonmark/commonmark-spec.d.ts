declare module 'commonmark-spec' {
  /** The examples in the specification's order; tabs are written as U+2192. */
  export const tests: readonly { markdown: string; html: string; section: string; number: number }[]
}
