/** The parameters and results of a question of the benchmark. */

/** `smoke` checks that everything runs, on little input. Only the figures of `full` mean something. */
export type Amount = 'full' | 'smoke'

/** A measured number and its bound. */
export interface Figure {
  name: string
  reached: number
  /** The same number from the best samples, which contain less noise of the machine. */
  byBestSamples?: number
  atLeast?: number
  atMost?: number
  unit: string
}

/** The result of a question, in addition to the tables that it printed. */
export interface Answer {
  figures: Figure[]
  /** The details for the JSON. */
  details: unknown
}

/** The questions, in the order in which they are asked. */
export const questionNames: readonly ['throughput', 'last', 'authoring', 'streaming', 'cold-import', 'size'] = [
  'throughput',
  'last',
  'authoring',
  'streaming',
  'cold-import',
  'size',
]

export type QuestionName = (typeof questionNames)[number]

export function isQuestionName(name: string): name is QuestionName {
  return questionNames.some((each) => each === name)
}
