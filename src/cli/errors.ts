/** What ends a command early, each with one line for the user. */

/** The command can not do what it was asked to: exit code 1. */
export class Failure extends Error {}

/** The command was called in a wrong way: exit code 2. */
export class UsageError extends Error {}
