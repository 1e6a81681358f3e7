/** How this program is called on this machine, because a command that it prints must work here. */

import { readFileSync } from 'node:fs'

/** The beginning of a command, for example `npx blockmark-server`; in a clone, npm runs the program that was built there. */
export const program: string = isClone() ? 'npm run server --' : 'npx blockmark-server'

/** The URL of a server with the default settings. */
const DEFAULT_URL = 'http://127.0.0.1:3000'

/**
 * Returns the beginning of a command for a server, with the settings that are not the default, so that the command works in
 * any shell. DATABASE_URL is omitted, because it may contain a password: the user must set it.
 */
export function callFor(siteUrl: string, data = ''): string {
  const isPlain = /^[\w./-]*$/.test(data)
  const folder = isPlain ? data : `'${data.replaceAll("'", String.raw`'\''`)}'`
  const settings = [
    ...(data === '' ? [] : [`DATA=${folder}`]),
    ...(siteUrl === DEFAULT_URL ? [] : [`SITE_URL=${siteUrl}`]),
  ]
  return [...settings, program].join(' ')
}

/** Whether this file was built in a clone of the repository. An installed package has no `package.json` at this path. */
function isClone(): boolean {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { scripts }: { scripts?: { server?: unknown } } = JSON.parse(text)
    return scripts?.server !== undefined
  } catch {
    return false
  }
}
