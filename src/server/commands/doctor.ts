/** `blockmark-server doctor`: checks the disk, the database and the files. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { Failure, UsageError } from '../../terminal/errors.js'
import { readConfig } from '../config.js'
import { examine } from '../operator/doctor.js'
import { inOneLine, rowsOption, writeRows } from './backend.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark-server doctor', 'DATABASE_URL=postgres://ann@db/messages blockmark-server doctor'],
  options: rowsOption,
  notes: 'Only reads: it neither creates a database nor upgrades one.',
  run: async ({ values: { json }, operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`unexpected word after doctor: ${operands[0]}`)
    await inOneLine(async () => {
      const findings = await examine(readConfig(process.env))
      await writeRows(findings, json, ({ what, isFine, note }) => [isFine ? 'ok' : 'FAIL', what, note])
      const failed = findings.filter((finding) => !finding.isFine).length
      if (failed > 0) throw new Failure(`${failed} of ${findings.length} checks failed`)
    })
  },
})
