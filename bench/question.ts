/** The parameters and results of a question of the benchmark. */

/** `smoke` looks whether everything runs, on little input; only `full` gives figures to be quoted. */
export type Amount = 'full' | 'smoke'

/** A number with the bound it is to keep. */
export interface Figure {
  name: string
  reached: number
  /** The same by another measure, where one sees less of the noise of the machine. */
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

/** In the order in which they are asked. */
export const questionNames: readonly [
  'throughput',
  'authoring',
  'answering',
  'memory',
  'cold-import',
  'size',
  'growth',
] = ['throughput', 'authoring', 'answering', 'memory', 'cold-import', 'size', 'growth']

export type QuestionName = (typeof questionNames)[number]

export function isQuestionName(name: string): name is QuestionName {
  return questionNames.some((each) => each === name)
}
