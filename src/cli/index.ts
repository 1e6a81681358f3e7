#!/usr/bin/env node
/** The program `blockmark`. */

import { runProgram } from '../terminal/program.js'
import { commands, serverCommands } from './commands.js'

const version = async (): Promise<string> => (await import('./version.js')).version

const notes = `Commands of blockmark-server: ${serverCommands.join(', ')}.`

await runProgram(
  {
    name: 'blockmark',
    version,
    commands,
    commandOfFiles: 'render',
    otherProgram: 'npx blockmark-server',
    otherCommands: serverCommands,
    notes,
  },
  process.argv.slice(2),
)
