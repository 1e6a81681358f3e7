/** `blockmark-server docs`: the documentation as files. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { inOneLine } from './backend.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark-server docs --out site', 'blockmark-server docs --out /srv/www'],
  options: { out: { value: 'FOLDER', help: 'the folder for the files; the first page is docs.html' } },
  notes: 'Writes the pages of /docs for any web server.',
  run: async ({ values: { out }, operands }) => {
    if (out === undefined || operands.length > 0) throw new UsageError('expected blockmark-server docs --out FOLDER')
    await inOneLine(async () => {
      const { writeDocs } = await import('../static.js')
      await write(`${await writeDocs(out)} pages\n`)
    })
  },
})
