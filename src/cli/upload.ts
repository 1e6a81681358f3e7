/** `blockmark upload`: uploads files, so that messages can show them. */

import { basename } from 'node:path'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { checkFile } from '../terminal/input.js'
import { write } from '../terminal/output.js'
import { botNotes, botOptions, withBot } from './bot.js'

export const command: Command = defineCommand({
  operands: 'FILE...',
  examples: ['blockmark upload graph.png build.log', 'df -h | blockmark upload -'],
  options: botOptions,
  notes: `Uploads images, videos, PDF and text files; - is standard input. Prints each file's id once it is
uploaded; the line <!ID|> in a message shows the file.\n${botNotes}`,
  run: async ({ values: { profile, json }, operands }) => {
    if (operands.length === 0) throw new UsageError('upload requires a FILE')
    // All files are checked before the first file is sent.
    for (const path of operands) if (path !== '-') checkFile(path)
    await withBot(profile, async (bot) => {
      for (const path of operands) {
        const source = path === '-' ? process.stdin : path
        const name = path === '-' ? 'file' : basename(path)
        const { fileID } = await bot.upload(source, { name })
        await write(json ? `${JSON.stringify({ file: path, fileID })}\n` : `${fileID}\t${path}\n`)
      }
    })
  },
})
