/** `blockmark upload`: files, whose ids a message can show. */

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
uploaded; the line <!ID|> in a message shows the file. On a terminal, a bar shows the progress.\n${botNotes}`,
  run: async ({ values: { profile, json }, operands }) => {
    if (operands.length === 0) throw new UsageError('upload requires a FILE')
    // All files are checked before the first is sent.
    for (const path of operands) if (path !== '-') checkFile(path)
    await withBot(profile, async (bot) => {
      for (const path of operands) {
        const bar = createBar(path)
        const source = path === '-' ? process.stdin : path
        const name = path === '-' ? 'file' : basename(path)
        try {
          const { fileID } = await bot.upload(source, { name, onProgress: bar.onProgress })
          bar.clear()
          await write(json ? `${JSON.stringify({ file: path, fileID })}\n` : `${fileID}\t${path}\n`)
        } finally {
          bar.clear()
        }
      }
    })
  },
})

interface Bar {
  onProgress(sent: number, all: number | null): void
  /** Removes the bar from the terminal. */
  clear(): void
}

const BAR_WIDTH = 30

/** Draws a progress bar; draws nothing if standard error is not a terminal. */
function createBar(name: string): Bar {
  const { stderr } = process
  let shown = ''
  const draw = (text: string): void => {
    if (!stderr.isTTY || text === shown) return
    shown = text
    stderr.write(`\r\x1b[K${text}`)
  }
  return {
    onProgress(sent, all) {
      const part = all === null || all === 0 ? 0 : sent / all
      const full = Math.round(part * BAR_WIDTH)
      const room = Math.max(10, (stderr.columns ?? 80) - BAR_WIDTH - 10)
      const label = name.replace(/\p{Cc}/gu, '?').slice(-room)
      const bar = `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`
      draw(all === null ? `${label} ${sent} bytes` : `${label} ${bar} ${Math.floor(part * 100)}%`)
    },
    clear: () => draw(''),
  }
}
