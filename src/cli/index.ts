#!/usr/bin/env node
/** The program `blockmark`. */

import { createRequire } from 'node:module'
import { runProgram } from '../terminal/program.js'
import { commands, serverCommands } from './commands.js'

/** The library is loaded only for this. The package's name finds its description from any bundle. */
async function version(): Promise<string> {
  const description: { version: string } = createRequire(import.meta.url)('blockmark/package.json')
  return `${description.version} (dialect ${(await import('../index.js')).dialectVersion})`
}

const notes = `Commands of blockmark-server: ${serverCommands.join(', ')}.`

await runProgram(
  {
    name: 'blockmark',
    version,
    commands,
    commandOfFiles: 'render',
    otherProgram: 'npx blockmark-server',
    others: serverCommands,
    notes,
  },
  process.argv.slice(2),
)
