/** `blockmark-server docs`: the documentation as files. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { inOneLine } from './backend.js'

export const command: Command = defineCommand({
  operands: '',
  examples: [
    'blockmark-server docs --out site',
    'SITE_URL=https://messages.example.com blockmark-server docs --out site',
  ],
  options: { out: { value: 'FOLDER', help: 'the folder for the files; the first page is index.html' } },
  notes: 'Writes the pages of /docs for any file server. Examples name SITE_URL.',
  run: async ({ values: { out }, operands }) => {
    if (out === undefined || operands.length > 0) throw new UsageError('expected blockmark-server docs --out FOLDER')
    await inOneLine(async () => {
      const { readConfig, siteUrlOf } = await import('../config.js')
      const { writeDocs } = await import('../docs/index.js')
      const config = readConfig(process.env)
      await write(`${await writeDocs(out, siteUrlOf(config, config.port))} pages\n`)
    })
  },
})
