/** Answers one question in a new process: `run-question.js NAME full|smoke [FOLDER]`, started by `index.ts`. */
import { argv } from 'node:process'
import { authoring } from './authoring.js'
import { coldImport } from './cold-import.js'
import { last } from './last.js'
import type { Amount, Answer, QuestionName } from './question.js'
import { size } from './size.js'
import { streaming } from './streaming.js'
import { throughput } from './throughput.js'

const questions: Readonly<Record<QuestionName, (amount: Amount, before: string | null) => Promise<Answer>>> = {
  throughput,
  last,
  authoring,
  streaming,
  'cold-import': coldImport,
  size,
}

const question = Object.entries(questions).find(([name]) => name === argv[2])?.[1]
if (question === undefined) throw new Error(`expected one of ${Object.keys(questions).join(', ')}, received ${argv[2]}`)
const answer = await question(argv[3] === 'full' ? 'full' : 'smoke', argv[4] ?? null)
process.send?.(answer)
