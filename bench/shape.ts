/** What are the corpora like? How much of a message is markup, and what becomes of it. */
import type { AnyNode, Root } from '../src/tree.js'
import { corpusNames, makeCorpus } from './corpora.js'
import { countMarks } from './marks.js'
import { loadLibrary } from './modules.js'
import type { Amount, Answer } from './question.js'
import { printTable } from './table.js'

interface Shape {
  corpus: string
  messages: number
  /** Of all of them, in UTF-8. */
  bytes: number
  /** The share of messages in which no character may mean something (`marks.ts`). */
  withoutMarkup: number
  /** Characters that may mean something, of a message. */
  marks: number
  /** Nodes of the tree of a message, the root included. */
  nodes: number
  /** The share of messages that hold a `&` or a `<`. */
  withAmpersandOrLess: number
}

export async function shape(amount: Amount): Promise<Answer> {
  const { parse } = await loadLibrary()
  const shapes = corpusNames.map((name): Shape => {
    const { messages, bytes } = makeCorpus(name, amount === 'full' ? 1 : 0.03)
    const marks = messages.map(countMarks)
    const share = (count: number) => count / messages.length
    return {
      corpus: name,
      messages: messages.length,
      bytes,
      withoutMarkup: share(marks.filter((count) => count === 0).length),
      marks: share(marks.reduce((sum, count) => sum + count, 0)),
      nodes: share(messages.reduce((sum, message) => sum + countNodes(parse(message)), 0)),
      withAmpersandOrLess: share(messages.filter((message) => /[&<]/.test(message)).length),
    }
  })
  print(shapes)
  return { figures: [], details: shapes }
}

function countNodes(tree: Root): number {
  let count = 0
  const open: AnyNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    count += 1
    if ('children' in node) open.push(...node.children)
  }
  return count
}

function print(shapes: readonly Shape[]): void {
  const percent = (share: number) => `${Math.round(100 * share)} %`
  printTable(
    'The corpora',
    [
      'corpus',
      'messages',
      'bytes',
      'bytes a message',
      'without markup',
      'characters that may mean something, a message',
      'nodes a message',
      'with & or <',
    ],
    shapes.map(({ corpus, messages, bytes, withoutMarkup, marks, nodes, withAmpersandOrLess }) => [
      corpus,
      String(messages),
      String(bytes),
      (bytes / messages).toFixed(0),
      percent(withoutMarkup),
      marks.toFixed(2),
      nodes.toFixed(1),
      percent(withAmpersandOrLess),
    ]),
  )
}
