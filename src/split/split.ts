/** Splits messages into strings within the limits of a service. */

import { isBlank } from '../characters.js'
import { type LimitOptions, lengthOf, limitsOf } from '../check/limits.js'
import { BlockmarkError, describe, type ErrorCode, type Problem } from '../errors.js'
import { parse } from '../parse/index.js'
import { isList, type Source, treeOf } from '../source.js'
import type { AnyNode, Block, ListItem, Root } from '../tree.js'
import { normalize } from '../write/normalize.js'
import { write } from '../write/stringify.js'
import { type Packing, pack, sizeOfBlocks } from './pack.js'

/**
 * Splits a message into a post's `blocks`: one string for each child of the root, several strings for a child that is too long.
 * If there are too many strings, neighbors are merged; a file is always alone.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - limits that differ from the service's
 * @returns at least one string; none is blank or over the limit
 * @throws {BlockmarkError} `blocks/count` if the message is empty or needs too many blocks, `blocks/too-long` if a mention, a
 * link or a file does not fit into a block; `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @throws {TypeError} if `source` is not a string, a tree or an array of both, or a limit is not a number of 1 or more
 * @example
 * toBlocks('# Deployed\nto *eu*') // => ['# Deployed', 'to *eu*']
 * @see toBodies for chat messages
 */
export function toBlocks(source: Source, options: LimitOptions = {}): string[] {
  const { blockLength: limit, blocks: countMax } = limitsOf(options)
  const message = readMessage(source)
  const { textOf, sizeOf } = createWriter()
  const packing = {
    limit,
    sizeOf,
    holdsHeadings: false,
    throwTooLong: createThrower(message, 'blocks/too-long', limit),
  }
  let strings = message.blocks.flatMap((block) => pack([block], packing))
  if (strings.length > countMax) strings = groupBetweenFiles(message.blocks).flatMap((blocks) => pack(blocks, packing))
  if (strings.length > 0 && strings.length <= countMax) return strings.map(textOf)
  const received = String(strings.length)
  throw new BlockmarkError([{ code: 'blocks/count', path: [], valid: `1 to ${countMax} blocks`, received }])
}

/**
 * Splits a message into the `body`s of chat messages. Each body takes as many whole blocks as fit. A block that does not fit alone
 * is split at a line, a sentence or a word. Only the last body may end with a heading, unless a heading does not fit into one body
 * together with the start of the block after it.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - limits that differ from the service's
 * @returns at least one string; none is blank or over the limit
 * @throws {BlockmarkError} `body/blank` if the message is empty, `body/too-long` if a mention, a link or a file does not fit
 * into a body; `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @throws {TypeError} if `source` is not a string, a tree or an array of both, or a limit is not a number of 1 or more
 * @example
 * toBodies('Short one. A longer one, **in bold letters.**', { bodyLength: 20 })
 * // => ['Short one. A longer', 'one, **in bold**', '**letters.**']
 * @see toBlocks for posts
 */
export function toBodies(source: Source, options: LimitOptions = {}): string[] {
  const { bodyLength: limit } = limitsOf(options)
  const { textOf, sizeOf } = createWriter()
  const bodies = cutMessage(source, { limit, sizeOf })
  if (bodies.length > 0) return bodies.map(textOf)
  const valid = 'a character that is not white space'
  throw new BlockmarkError([{ code: 'body/blank', path: [], valid, received: describe('') }])
}

/**
 * Splits a message into few parts. Each has at most the size `limit`, as `sizeOf` measures it.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - `limit`: the maximum size of a part; `sizeOf`: measures blocks; `formsOf`: converts blocks before measuring
 * @returns the blocks of each part, in normal form; none for a blank message
 * @throws {BlockmarkError} `body/too-long` if a mention, a link or a file does not fit into a part
 */
export function cutMessage(source: Source, { limit, sizeOf, formsOf = (blocks) => blocks }: CutOptions): Block[][] {
  const message = readMessage(source)
  const throwTooLong = createThrower(message, 'body/too-long', limit)
  const forms = formsOf(message.blocks, (item, block) => message.paths.set(item, message.paths.get(block) ?? []))
  return pack(forms, { limit, sizeOf, holdsHeadings: true, throwTooLong })
}

/** The limit of an output, and the functions with which it measures blocks. */
export interface CutOptions extends Pick<Packing, 'limit' | 'sizeOf'> {
  /**
   * Converts blocks before they are measured and split (default: no conversion). Calls `onItem` for each item that it creates
   * from a part of a block.
   */
  readonly formsOf?: ((blocks: readonly Block[], onItem: OnItem) => readonly Block[]) | undefined
}

/** Called with a created item and the block that contains the text of the item. */
export type OnItem = (item: ListItem, block: Block) => void

/** Creates a writer that writes each block only once: the text of a block does not depend on its neighbors (§8). */
function createWriter(): { textOf(blocks: readonly Block[]): string; sizeOf(blocks: readonly Block[]): number } {
  const textByBlock = new WeakMap<Block, string>()
  const textOfBlock = (block: Block): string => {
    const text = textByBlock.get(block) ?? writeForService(block)
    textByBlock.set(block, text)
    return text
  }
  return {
    textOf: (blocks) => blocks.map(textOfBlock).filter(isVisible).join('\n\n'),
    sizeOf: (blocks) => sizeOfBlocks(blocks.map(textOfBlock).map((text) => (isVisible(text) ? lengthOf(text) : 0))),
  }
}

function isVisible(text: string): boolean {
  return !isBlank(text)
}

/** Writes a block with U+FFFD in place of U+0000 and lone surrogates, which the service rejects. */
function writeForService(block: Block): string {
  return write({ type: 'root', children: [block] }, () => {}).replace(/[\0\uD800-\uDFFF]/gu, '\uFFFD')
}

/** A message in normal form (§4), without blank blocks. */
interface Message {
  readonly blocks: Block[]
  /** The paths of the blocks, and of the items that were created from parts of blocks. */
  readonly paths: Map<AnyNode, Problem['path']>
}

function readMessage(source: Source): Message {
  const message: Message = { blocks: [], paths: new Map() }
  if (!isList(source)) addBlocks(message, source, [])
  else for (const [index, part] of source.entries()) addBlocks(message, part, [index])
  return message
}

function addBlocks(message: Message, part: string | Root, path: Problem['path']): void {
  const { children } = typeof part === 'string' ? parse(part) : normalize(treeOf(part)).tree
  for (const [index, block] of children.entries()) {
    if (isBlankBlock(block)) continue
    message.blocks.push(block)
    message.paths.set(block, typeof part === 'string' ? path : [...path, 'children', index])
  }
}

function isBlankBlock(block: Block): boolean {
  if (block.type !== 'paragraph') return false
  return block.children.every((node) => node.type === 'break' || (node.type === 'text' && isBlank(node.value)))
}

/** Groups the blocks between files; each file is a group. */
function groupBetweenFiles(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const group = groups.at(-1)
    if (group === undefined || block.type === 'file' || group[0]?.type === 'file') groups.push([block])
    else group.push(block)
  }
  return groups
}

/** Returns the function that throws the error for a node that does not fit into a string. */
function createThrower({ paths }: Message, code: ErrorCode, limit: number): Packing['throwTooLong'] {
  return (node, parents) => {
    const place = node.position && { place: node.position.start }
    const received = describe(node)
    // Only one of these nodes has a path: the block, or the item that was created from a part of the block.
    const path = [...parents, node].flatMap((each) => paths.get(each) ?? [])
    throw new BlockmarkError([{ code, path, ...place, valid: `1 to ${limit} characters`, received }])
  }
}
