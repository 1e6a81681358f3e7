/** Errors that end a command, each with one line for the user. */

/**
 * The command failed: exit code 1. Commands that call a service exit with 3 if the service rejects the call, and with 4
 * if the service cannot be reached or is overloaded, so that a later call may succeed.
 */
export class Failure extends Error {
  readonly exitCode: 1 | 3 | 4

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: 1 | 3 | 4 } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The command was called incorrectly: exit code 2. */
export class UsageError extends Error {}
