/** `blockmark doctor`: whether everything that a server needs is there, and works. */

import { examine } from '../api/operator/doctor.js'
import { readConfig } from '../api/server/config.js'
import { inOneLine, table } from './backend.js'
import { type Command, defineCommand } from './command.js'
import { Failure, UsageError } from './errors.js'
import { write } from './output.js'

export const command: Command = defineCommand({
  operands: '',
  options: {},
  run: async ({ operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`doctor takes no ${operands[0]}`)
    await inOneLine(async () => {
      const findings = await examine(readConfig(process.env))
      await write(table(findings.map(({ what, isFine, note }) => [isFine ? 'ok' : 'FAIL', what, note])))
      const failed = findings.filter((finding) => !finding.isFine).length
      if (failed > 0) throw new Failure(`${failed} of ${findings.length} checks failed`)
    })
  },
})
