/** What ends a command early, each with one line for the user. */

/**
 * The command can not do what it was asked to. Exit code 1; of the commands that call a service 3 where the service
 * refuses, and 4 where it can not be reached or has no time, so that trying again later may help.
 */
export class Failure extends Error {
  readonly exitCode: 1 | 3 | 4

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: 1 | 3 | 4 } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The command was called in a wrong way: exit code 2. */
export class UsageError extends Error {}
