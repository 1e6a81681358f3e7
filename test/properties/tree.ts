/** The form of a parsed tree: the content table of §5 and the normal form of §4. */

import {
  type AnyNode,
  content,
  type FieldMap,
  type NodeType,
  type Phrasing,
  type Root,
  typesOf,
} from '../../src/tree.js'

interface Visit {
  node: AnyNode
  /** The types of formatting around the node; inside a link, only those inside that link. */
  formats: ReadonlySet<NodeType>
  /** The types that are forbidden here at any depth. */
  without: ReadonlySet<NodeType>
}

/**
 * Checks that a parsed tree is valid (§5), has all fields and no others, and is in normal form (§4).
 *
 * @param tree - the tree
 * @throws {Error} at the first wrong node
 */
export function checkTree(tree: Root): void {
  const open: Visit[] = [{ node: tree, formats: new Set(), without: new Set() }]
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { node } = visit
    checkFields(node)
    checkPlace(visit)
    if (!('children' in node)) continue
    checkChildren(node, node.children)
    const next = insideOf(visit)
    for (const child of node.children) open.push({ ...next, node: child })
  }
}

const kinds: { readonly [Kind in keyof FieldMap]: (value: unknown) => boolean } = {
  '1 or 2': (value) => value === 1 || value === 2,
  false: (value) => value === false,
  null: (value) => value === null,
  id: (value) => typeof value === 'string' && /^[^\p{Z}\p{Cc}<>|`]{1,128}$/u.test(value),
  string: (value) => typeof value === 'string',
  'string or null': (value) => value === null || (typeof value === 'string' && value !== ''),
}

function checkFields(node: AnyNode): void {
  const { children, fields } = content[node.type]
  const names = ['type', 'position', ...Object.keys(fields), ...(children === null ? [] : ['children'])]
  if (Object.keys(node).toSorted().join() !== names.toSorted().join()) fail(node, `to have the fields ${names}`)
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Object.getOwnPropertyDescriptor(node, name)?.value
    if (!kinds[kind](value)) fail(node, `${name} to be ${kind}`)
  }
  if (node.type === 'text' && (node.value === '' || /[\n\r]/.test(node.value))) fail(node, 'a text on one line')
  if (node.type === 'inlineCode' && node.value === '') fail(node, 'code')
}

function checkPlace({ node, formats, without }: Visit): void {
  if (without.has(node.type)) fail(node, 'not to be here, by the table of §5')
  if (formats.has(node.type)) fail(node, 'not to be inside another of its kind')
}

function checkChildren(parent: AnyNode, children: readonly AnyNode[]): void {
  const { children: kind, childCount } = content[parent.type]
  if (kind === null) fail(parent, 'no children')
  if (childCount !== undefined && children.length !== childCount) fail(parent, `${childCount} children`)
  if (children.length === 0 && parent.type !== 'root') fail(parent, 'children')
  for (const [i, child] of children.entries()) {
    if (!typesOf(kind).includes(child.type)) fail(child, `not to be in ${parent.type}`)
    const previous = children[i - 1]
    if (previous?.type === child.type && isJoined(child)) fail(child, 'to be one with the sibling before it')
  }
}

/** Whether two adjacent nodes of this type are one node: texts and formatting are; paragraphs, lists, files and mentions are not. */
function isJoined(node: AnyNode): boolean {
  return node.type === 'text' || isFormatting(node)
}

function insideOf({ node, formats, without }: Visit): Omit<Visit, 'node'> {
  const excluded = content[node.type].without
  return {
    formats: node.type === 'link' ? new Set() : isFormatting(node) ? new Set([...formats, node.type]) : formats,
    without: excluded === undefined ? without : new Set([...without, excluded]),
  }
}

function isFormatting(
  node: AnyNode,
): node is Extract<Phrasing, { type: 'strong' | 'emphasis' | 'underline' | 'delete' }> {
  return ['strong', 'emphasis', 'underline', 'delete'].includes(node.type)
}

function fail(node: AnyNode, expected: string): never {
  throw new Error(`expected ${expected}: ${JSON.stringify(node)}`)
}
