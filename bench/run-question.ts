/** Answers one question in a process of its own: `run-question.js NAME full|smoke`, started by `index.ts`. */
import { argv } from 'node:process'
import { authoring } from './authoring.js'
import { coldImport } from './cold-import.js'
import { growth } from './growth.js'
import { memory } from './memory.js'
import type { Amount, Answer, QuestionName } from './question.js'
import { search } from './search.js'
import { size } from './size.js'
import { splitting } from './splitting.js'
import { stream } from './stream.js'
import { throughput } from './throughput.js'

const questions: Readonly<Record<QuestionName, (amount: Amount) => Promise<Answer>>> = {
  throughput,
  authoring,
  splitting,
  stream,
  memory,
  'cold-import': coldImport,
  size,
  growth,
  search,
}

const question = Object.entries(questions).find(([name]) => name === argv[2])?.[1]
if (question === undefined) throw new Error(`expected one of ${Object.keys(questions).join(', ')}, received ${argv[2]}`)
const answer = await question(argv[3] === 'full' ? 'full' : 'smoke')
process.send?.(answer)
