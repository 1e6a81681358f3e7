/** Counts the steps of every output for the inputs of a family, and compares them with a linear bound. */
import type { Root } from '../../src/tree.js'
import { build, type Family, type Kind } from './families.js'
import { meter } from './meter.js'

/** Maximum number of steps for a character, from the worst inputs found. Characters beyond U+1FFFF cost most, all others at most 70. */
const stepsPerCharacterMax = 220
/** Numbers of typed arrays; see `meter.ts`. */
const numbersPerCharacterMax = 80
/** The constant cost of a parse, for its first objects. */
const stepsMin = 600
/** Maximum factor of the steps for twice the input. */
const growthMax = 2.05

/** The counted functions by name. The first one makes the tree for the others. */
export type Outputs = readonly (readonly [name: string, output: (source: string, tree: Root) => unknown])[]

/** The largest value so far, and its input. */
interface Extreme {
  readonly value: number
  readonly at: string
}

/** The result for one output. */
interface Finding {
  readonly output: string
  stepsPerCharacter: Extreme
  numbersPerCharacter: Extreme
  growth: Extreme
}

export interface Findings {
  families: number
  characters: number
  readonly of: readonly Finding[]
  /** The first inputs that are not linear. */
  readonly failures: string[]
}

const none: Extreme = { value: 0, at: '' }
const failuresMax = 20

export function newFindings(outputs: Outputs): Findings {
  const of = outputs.map(
    ([output]): Finding => ({ output, stepsPerCharacter: none, numbersPerCharacter: none, growth: none }),
  )
  return { families: 0, characters: 0, of, failures: [] }
}

/** Counts one family. */
export function examine(findings: Findings, family: Family, { length }: Kind, outputs: Outputs): void {
  const { whole, half } = build(family, length)
  const at = JSON.stringify(family)
  findings.families += 1
  findings.characters += whole.length + half.length
  // The first input creates the tables that are kept between calls, before anything is counted.
  if (findings.families === 1) counts('(*'.repeat(8_000), outputs)
  const countsOfHalf = counts(half, outputs)
  for (const [i, { steps, numbers }] of counts(whole, outputs).entries()) {
    const finding = findings.of[i]
    const stepsOfHalf = countsOfHalf[i]?.steps
    if (finding === undefined || stepsOfHalf === undefined) throw new Error('every output is counted twice')
    // Inputs with growing units are not exactly twice as long.
    const growth = (2 * (steps / whole.length)) / (stepsOfHalf / half.length)
    finding.stepsPerCharacter = larger(finding.stepsPerCharacter, { value: steps / whole.length, at })
    finding.numbersPerCharacter = larger(finding.numbersPerCharacter, { value: numbers / whole.length, at })
    finding.growth = larger(finding.growth, { value: growth, at })
    const isLinear =
      steps <= stepsPerCharacterMax * whole.length + stepsMin &&
      numbers <= numbersPerCharacterMax * whole.length + stepsMin &&
      growth <= growthMax
    if (!isLinear && findings.failures.length < failuresMax) {
      const from = `${stepsOfHalf} steps for ${half.length} characters`
      findings.failures.push(`${finding.output} ${at}: ${from}, ${steps} for ${whole.length}, ${numbers} numbers`)
    }
  }
}

function counts(source: string, outputs: Outputs): { steps: number; numbers: number }[] {
  let tree: Root = { type: 'root', children: [] }
  return outputs.map(([, output], i) => {
    meter.steps = 0
    meter.numbers = 0
    const result = output(source, tree)
    if (i === 0) tree = result as Root // The first output is a parse.
    return { steps: meter.steps, numbers: meter.numbers }
  })
}

function larger(left: Extreme, right: Extreme): Extreme {
  return left.value >= right.value ? left : right
}

/** Adds the findings of another thread. */
export function addFindings(into: Findings, { families, characters, of, failures }: Findings): void {
  into.families += families
  into.characters += characters
  into.failures.push(...failures)
  for (const [i, finding] of into.of.entries()) {
    const other = of[i]
    if (other === undefined) throw new Error('every thread counts the same outputs')
    finding.stepsPerCharacter = larger(finding.stepsPerCharacter, other.stepsPerCharacter)
    finding.numbersPerCharacter = larger(finding.numbersPerCharacter, other.numbersPerCharacter)
    finding.growth = larger(finding.growth, other.growth)
  }
}
