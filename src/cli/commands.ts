/** Every command by its name. A new one is a line here and a file beside this one, which is loaded when it is called. */

import type { Command } from './command.js'

interface Entry {
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

export type Commands = Readonly<Record<string, Entry>>

export const commands: Commands = {
  render: { summary: 'write messages as HTML, plain text or a tree', load: () => import('./render.js') },
}
