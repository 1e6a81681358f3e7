/** Properties of the positions of every parsed tree (§5): they nest, are in order, and slice back to the source. */

import { isDeepStrictEqual } from 'node:util'
import { parse } from '../src/index.js'
import type { AnyNode, NodeMap, NodeType, Point, Root } from '../src/tree.js'

/**
 * Checks every position of a tree.
 *
 * @param source - the source of the tree
 * @param tree - the tree, with positions
 * @throws {Error} at the first wrong position; the message names the node, its position and the expected value
 */
export function checkPositions(source: string, tree: Root): void {
  const lineStarts = findLineStarts(source)
  checkNode({ source, lineStarts, node: tree, start: 0, end: source.length, inListItem: false })
  if (offsetsOf(tree).join() !== `0,${source.length}`) fail(source, tree, `0-${source.length}`)
  const open: AnyNode[] = [tree]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    if (!('children' in parent)) continue
    const [, end] = offsetsOf(parent)
    let [start] = offsetsOf(parent)
    for (const node of parent.children) {
      checkNode({ source, lineStarts, node, start, end, inListItem: parent.type === 'listItem' })
      start = offsetsOf(node)[1]
      open.push(node)
    }
  }
}

interface Context {
  source: string
  lineStarts: readonly number[]
  node: AnyNode
  /** The node's first possible offset: where its parent starts, or where its sibling before it ends. */
  start: number
  /** The node's last possible offset: where its parent ends. */
  end: number
  inListItem: boolean
}

function checkNode(context: Context): void {
  const { source, lineStarts, node, start, end, inListItem } = context
  if (node.position === undefined) throw new Error(`${node.type} has no position`)
  const [from, to] = offsetsOf(node)
  if (from < start || to > end || from > to) fail(source, node, `to lie in ${start}-${end}`)
  if (from === to && node.type !== 'root') fail(source, node, 'at least one character')
  for (const point of [node.position.start, node.position.end]) checkPoint(source, lineStarts, node, point)
  const slice = source.slice(from, to)
  const form = forms[node.type]
  if (!form.test(slice)) fail(source, node, String(form))
  if (node.type === 'text') checkText(source, node, slice)
  if (!inListItem) checkSelf(source, node)
}

/** The form of each node's slice. */
const forms: Readonly<Record<NodeType, RegExp>> = {
  root: /^/,
  heading: /^##?[ \t]+.*[^ \t\n\r]$/s,
  paragraph: /^[^ \t\n\r](?:.*[^ \t\n\r])?$/s,
  list: /^\*[ \t]+.*[^ \t\n\r]$/s,
  listItem: /^\*[ \t]+[^\n\r]*[^ \t\n\r]$/,
  code: /^```/,
  file: /^<![^\n\r]+>$/,
  text: /^[^\n\r]+$/,
  inlineCode: /^(`+)(?!`).*[^`]\1$/s,
  strong: /^\u2063?\*\*.*\*\*\u2063?$/s,
  emphasis: /^\u2063?\*.*\*\u2063?$/s,
  underline: /^\u2063?_.*_\u2063?$/s,
  delete: /^\u2063?-.*-\u2063?$/s,
  link: /^(?:\[.*\)|https?:\/\/.+)$/is,
  mention: /^<@[^\n\r]+>$/,
  break: /^(?:\r\n|\r|\n)$/,
}

/**
 * A text is its slice without the backslashes of escapes, and without the delimiters and separators that the normal form
 * removed (§3.1, §3.6, §4.10). No such delimiter is at an end.
 */
function checkText(source: string, node: NodeMap['text'], slice: string): void {
  const characters = slice.replaceAll('\0', '\uFFFD').split('')
  let at = 0
  let isRight = [node.value[0], '\\'].includes(characters[0]) && characters.at(-1) === node.value.at(-1)
  for (const character of characters) {
    if (character === node.value[at]) at += 1
    else isRight &&= '\\*_-\u2063'.includes(character)
  }
  if (isRight && at === node.value.length) return
  fail(source, node, `to slice to its value ${JSON.stringify(node.value)}`)
}

/** Blocks, links, mentions and inline code are the same when they are parsed by themselves. */
function checkSelf(source: string, node: AnyNode): void {
  const self = sourceOfSelf(source, node)
  if (self === null) return
  const first = parse(self, { position: false }).children[0]
  const found = isInline(node) && first?.type === 'paragraph' ? first.children[1] : first
  if (isDeepStrictEqual(found, withoutPositions(node))) return
  fail(source, node, `the same from ${JSON.stringify(self)}, which gives ${JSON.stringify(found)}`)
}

function isInline(node: AnyNode): boolean {
  return node.type === 'link' || node.type === 'mention' || node.type === 'inlineCode'
}

/** A source whose first block is the node, or whose first paragraph contains the node after `x `; null for other nodes. */
function sourceOfSelf(source: string, node: AnyNode): string | null {
  const [start, end] = offsetsOf(node)
  const slice = source.slice(start, end)
  switch (node.type) {
    case 'heading':
    case 'paragraph':
    case 'list':
    case 'file':
      return slice
    case 'code': {
      // The fence's indentation counts, and so does the line ending after an empty last line of an open fence (§2).
      const indentation = source.slice(start - ((node.position?.start.column ?? 1) - 1), start)
      const [ending = ''] = /^[ \t]*(?:\r\n|\r|\n|$)/.exec(source.slice(end)) ?? []
      return indentation + slice + ending
    }
    case 'inlineCode':
    case 'mention':
    case 'link': {
      // The rest of the last line stays: without it "x\n``` y](a:b) `" would end in a fence. So does one character that
      // makes the backslashes before it pairs (§3.1): the URL of "https://a\\\\:" ends in one backslash.
      const [rest = ''] = /^[^\n\r]*/.exec(source.slice(end)) ?? []
      if (/[\n\r]/.test(slice)) return `x ${slice}${rest}`
      return slice.endsWith('\\') && /^[`*_[\]<#:-]/.test(rest) ? `x ${slice}<` : `x ${slice}`
    }
    default:
      return null
  }
}

/**
 * Takes the positions off a tree.
 *
 * @param node - a tree or a part of one; it is not changed
 * @returns a copy without positions
 */
export function withoutPositions<Tree>(node: Tree): Tree {
  return JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'position' ? undefined : value)))
}

function checkPoint(source: string, lineStarts: readonly number[], node: AnyNode, point: Point): void {
  const { offset } = point
  if (offset === undefined) fail(source, node, 'an offset')
  if (offset > 0 && source.startsWith('\r\n', offset - 1)) fail(source, node, 'no end between CR and LF')
  const lineStart = lineStarts[point.line - 1]
  const nextLineStart = lineStarts[point.line] ?? source.length + 1
  const isRight = lineStart !== undefined && offset < nextLineStart && point.column === offset - lineStart + 1
  if (isRight) return
  const line = lineStarts.findLastIndex((start) => start <= offset)
  const column = offset - (lineStarts[line] ?? 0) + 1
  fail(source, node, `offset ${offset} at ${line + 1}:${column}, not ${point.line}:${point.column}`)
}

function findLineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\r\n|\r|\n/g), (ending) => ending.index + ending[0].length)]
}

function offsetsOf(node: AnyNode): [start: number, end: number] {
  return [node.position?.start.offset ?? Number.NaN, node.position?.end.offset ?? Number.NaN]
}

function fail(source: string, node: AnyNode, expected: string): never {
  const [start, end] = offsetsOf(node)
  const slice = JSON.stringify(source.slice(start, end))
  throw new Error(`${node.type} @${start}-${end} is ${slice} in ${JSON.stringify(source)}; expected ${expected}`)
}
