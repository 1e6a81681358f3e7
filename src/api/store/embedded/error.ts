/** What keeps the embedded PostgreSQL from starting, in one line that says what to do. */
export class EmbeddedError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'EmbeddedError'
  }
}
