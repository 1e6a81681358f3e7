/** The commands of the service's operator: the package `blockmark-server` has them. */

import { complain } from '../terminal/output.js'

export const serverCommands: readonly string[] = [
  'serve',
  'keys',
  'bots',
  'files',
  'export',
  'import',
  'docs',
  'doctor',
]

/**
 * Whether a call is one for the server's package.
 *
 * @param words - what stands behind the program's name
 */
export function isOfServer([first = '', second]: readonly string[]): boolean {
  const name = first === 'help' ? second : first
  if (name === undefined) return false
  // Alone, and with options, it lists whom a bot sees; with a word it is about the server's own people.
  if (first === 'users') return second !== undefined && !second.startsWith('-')
  return serverCommands.includes(name)
}

/**
 * Runs a command of the server's package where that is installed.
 *
 * @param words - what stands behind the program's name
 */
export async function runServer(words: readonly string[]): Promise<void> {
  const server = await import('blockmark-server/commands').catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (server !== null) return server.run(words)
  const [name = '', ...rest] = words
  const call = name === 'help' ? words.join(' ') : `${name}${rest.length > 0 ? ' …' : ''}`
  complain(`${name === 'help' ? rest[0] : name} is a command of another package: npx blockmark-server ${call}`, 1)
}

/** Whether it is that package that is not there, and none of those that it needs. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'blockmark-server'")
}
