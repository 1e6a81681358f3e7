#!/usr/bin/env node
/** The program `blockmark`. */

import { runProgram } from '../terminal/program.js'
import { commands } from './commands.js'
import { isOfServer, runServer, serverCommands } from './server.js'

const version = async (): Promise<string> => (await import('./version.js')).version

const words = process.argv.slice(2)
if (isOfServer(words)) await runServer(words)
else {
  const notes = `Of the package blockmark-server: ${serverCommands.join(', ')}.`
  await runProgram(
    { name: 'blockmark', version, commands, commandOfFiles: 'render', others: serverCommands, notes },
    words,
  )
}
