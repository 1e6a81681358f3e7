/** Instruments a file: every function and every loop starts with a step. `built-ins.ts` counts the work of built-ins. */
import type { Node } from 'oxc-parser'
import { nodesOf, type SourceFile } from '../source.js'

interface Edit {
  readonly at: number
  /** The order of edits at the same position: the lower one comes first. */
  readonly order: number
  readonly insert: string
}

/** Instruments a file. `meterPath` is the path by which it imports the count. */
export function instrument(file: SourceFile, meterPath: string): string {
  const edits: Edit[] = []
  const open = (at: number, insert: string): void => void edits.push({ at, order: edits.length, insert })
  // A node that starts later ends earlier.
  const close = (at: number, insert: string): void => void edits.push({ at, order: -edits.length, insert })
  /** A body that is a statement or an expression gets brackets, so that a step fits before it. */
  const count = (body: Node, [before, after]: readonly [string, string]): void => {
    if (body.type === 'BlockStatement') {
      open(body.start + 1, ' $meter.steps += 1;')
    } else {
      open(body.start, before)
      close(body.end, after)
    }
  }
  for (const node of nodesOf(file.program)) {
    switch (node.type) {
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        count(node.body, ['{ $meter.steps += 1; ', '}'])
        break
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (node.body !== null) count(node.body, ['', ''])
        break
      case 'ArrowFunctionExpression':
        count(node.body, ['($meter.steps += 1, ', ')'])
    }
  }
  return `import { meter as $meter } from ${JSON.stringify(meterPath)};${applied(file.text, edits)}`
}

function applied(text: string, edits: Edit[]): string {
  edits.sort((left, right) => left.at - right.at || left.order - right.order)
  let result = ''
  let from = 0
  for (const { at, insert } of edits) {
    result += text.slice(from, at) + insert
    from = at
  }
  return result + text.slice(from)
}
