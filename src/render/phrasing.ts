/** Phrasing as a string, without recursion: a tree that somebody else made may be as deep as it likes. */
import type { Phrasing } from '../tree.js'

/** What a node looks like before and after its children; `after` is asked of parents alone. */
export interface PhrasingWriter<Context> {
  before: (node: Phrasing, context: Context) => string
  after: (node: Phrasing, context: Context) => string
}

interface Level {
  parent: Phrasing
  nodes: readonly Phrasing[]
  index: number
}

export function writePhrasing<Context>(
  nodes: readonly Phrasing[],
  writer: PhrasingWriter<Context>,
  context: Context,
): string {
  let written = ''
  let levels: Level[] | null = null
  let siblings = nodes
  let index = 0
  for (;;) {
    const node = siblings[index]
    if (node === undefined) {
      const level = levels?.pop()
      if (level === undefined) return written
      written += writer.after(level.parent, context)
      siblings = level.nodes
      index = level.index
      continue
    }
    index += 1
    written += writer.before(node, context)
    if (!('children' in node)) continue
    levels ??= []
    levels.push({ parent: node, nodes: siblings, index })
    siblings = node.children
    index = 0
  }
}
