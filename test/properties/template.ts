/** Random templates, and the expected tree of each, computed without `md`. */

import { text } from '../../src/author/builders.js'
import { md } from '../../src/author/template.js'
import type { AnyNode, Block, Link, Root } from '../../src/tree.js'
import { type Forms, formsOf, joinTexts } from '../places.js'

/** The placeholder for a value in the expected tree. */
export const MARK = 'ꙮ'

/** Returns the tree with a value instead of each placeholder. */
export function expectedFrom({ children }: Root, v: string): Root {
  const blocks = children.flatMap((block) => replaceMarks(block, formsOf(v), block.type !== 'paragraph'))
  // A block stays one block.
  return joinTexts({ type: 'root', children: blocks as Block[] })
}

/** A template with random literal parts, and one value for all its placeholders. */
export function fill(literals: readonly string[], v: string): Root {
  const strings = Object.assign([...literals], { raw: literals })
  return md(strings, ...literals.slice(1).map(() => v))
}

/** Returns the nodes that replace a node, with a value instead of each placeholder. */
function replaceMarks<Node extends AnyNode>(node: Node, forms: Forms, isLine: boolean): AnyNode[] {
  const { lines, line, verbatim, code } = forms
  if (node.type === 'text') {
    const [first = '', ...others] = node.value.split(MARK)
    return [text(first), ...others.flatMap((part) => [...(isLine ? [text(line)] : lines), text(part)])]
  }
  const fields = Object.entries(node).map(([name, field]) => {
    if (typeof field !== 'string') return [name, field]
    const form = name === 'url' ? verbatim : node.type === 'code' && name === 'value' ? code : line
    const replaced = field.replaceAll(MARK, () => form)
    return [name, replaced === '' && ['label', 'lang', 'meta'].includes(name) ? null : replaced]
  })
  const copy = Object.fromEntries(fields)
  if (node.type === 'link' && isBare(node)) copy.children = [text(copy.url)]
  else if ('children' in node) copy.children = node.children.flatMap((child) => replaceMarks(child, forms, isLine))
  return [copy]
}

function isBare({ url, children: [child, ...others] }: Link): boolean {
  return child?.type === 'text' && child.value === url && others.length === 0
}
