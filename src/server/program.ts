/** How this program is called where it runs: a command that it prints must work there. */

import { readFileSync } from 'node:fs'

/** The beginning of a command, for example `npx blockmark-server`; in a clone, npm runs the program that was built there. */
export const program: string = isClone() ? 'npm run server --' : 'npx blockmark-server'

/** Whether this file was built in a clone of the repository. An installed package has no such file above its folder. */
function isClone(): boolean {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { scripts }: { scripts?: { server?: unknown } } = JSON.parse(text)
    return scripts?.server !== undefined
  } catch {
    return false
  }
}
