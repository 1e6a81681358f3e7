/** A counting thread: receives a kind of families, examines its share of them, and sends the results. */
import { parse } from '../../src/parse/index.js'
import './built-ins.js'
import { parentPort, workerData } from 'node:worker_threads'
import { toHast } from '../../src/render/hast.js'
import { toHtml } from '../../src/render/html.js'
import { toText } from '../../src/render/text.js'
import { seededRandom } from '../reference/generate.js'
import { examine, newFindings, type Outputs } from './examine.js'
import { kindsOf } from './families.js'

/** The parameters of a thread: its number, and the number of threads. */
export interface Share {
  readonly isAll: boolean
  readonly seed: number
  readonly index: number
  readonly count: number
}

const outputs: Outputs = [
  ['parse', (source) => parse(source)],
  ['toHtml(string)', (source) => toHtml(source)],
  ['toHtml(tree)', (_, tree) => toHtml(tree)],
  ['toText(tree)', (_, tree) => toText(tree)],
  ['toHast(tree)', (_, tree) => toHast(tree)],
]

const share: Share = workerData
const kinds = kindsOf(share.seed)

parentPort?.on('message', (kindName: string) => {
  const kind = kinds.find(({ name }) => name === kindName)
  if (kind === undefined) throw new Error(`no kind of families is named ${kindName}`)
  const findings = newFindings(outputs)
  // Every thread draws the same families.
  const random = seededRandom(share.seed)
  let index = 0
  for (const family of kind.families()) {
    if (!share.isAll && random() >= kind.share) continue
    if (index % share.count === share.index) examine(findings, family, kind, outputs)
    index += 1
  }
  parentPort?.postMessage(findings)
})
