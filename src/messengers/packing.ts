/** Blocks as they settle, packed into messages by their size alone: the same blocks make the same messages. */

import { type Block, parse, stringify, toBlocks, toBodies } from '../index.js'

/** Blocks of the dialect that one message holds: a comment's `blocks`, or the parts of a body. */
export type Packet = readonly string[]

export interface Packer {
  /** Takes blocks; gives the messages that nothing can be added to any more. */
  add(blocks: readonly Block[]): Packet[]
  /** Gives the rest. */
  end(): Packet[]
  /** What has been taken and not been given. */
  readonly waiting: readonly Block[]
}

/** What a message has room for. */
export interface Room {
  /** So many characters fit, but for a block that is longer by itself. */
  readonly size: number
  /** So many blocks fit. */
  readonly count: number
  /** A block in as many pieces as one message each has to hold. */
  readonly piecesOf: (block: Block) => readonly string[]
}

/** Characters that are read in one go, and far from every limit. */
const SIZE_DEFAULT = 1_500

/** The room of a comment. */
export function roomOfComment(size: number = SIZE_DEFAULT): Room {
  return { size, count: 100, piecesOf: (block) => toBlocks(rootOf(block), { blocks: Number.POSITIVE_INFINITY }) }
}

/** The room of a chat message. */
export function roomOfBody(size: number = SIZE_DEFAULT): Room {
  return { size, count: Number.POSITIVE_INFINITY, piecesOf: (block) => toBodies(rootOf(block)) }
}

function rootOf(block: Block): Parameters<typeof stringify>[0] {
  return { type: 'root', children: [block] }
}

/** A piece that waits for the message that it belongs to to be full. */
interface Piece {
  readonly text: string
  readonly length: number
  readonly isHeading: boolean
}

/** Makes a packer. A heading goes with what follows it. */
export function createPacker({ size, count, piecesOf }: Room): Packer {
  let waiting: Piece[] = []
  /** The first pieces that wait, as a message; a heading at their end stays with the others, unless it is alone. */
  const take = (limit: number): Packet => {
    let end = limit
    if (end < waiting.length) while (end > 1 && waiting[end - 1]?.isHeading) end -= 1
    const packet = waiting.slice(0, end).map(({ text }) => text)
    waiting = waiting.slice(end)
    return packet
  }
  const full = (): Packet[] => {
    const packets: Packet[] = []
    for (let limit = fitting(waiting, size, count); limit < waiting.length; limit = fitting(waiting, size, count))
      packets.push(take(limit))
    return packets
  }
  return {
    add(blocks) {
      for (const block of blocks) {
        // What shows nothing is no message.
        if (/^[\p{Z}\s]*$/u.test(stringify(rootOf(block)))) continue
        const isHeading = standsOver(block)
        for (const text of piecesOf(block)) waiting.push({ text, length: [...text].length, isHeading })
      }
      return full()
    },
    end: () => [...full(), ...(waiting.length > 0 ? [take(waiting.length)] : [])],
    get waiting() {
      return waiting.flatMap(({ text }) => parse(text, { position: false }).children)
    },
  }
}

/** Whether a block says what follows it: a heading, or, as one of depth 3 comes from Markdown, a line in bold letters. */
function standsOver(block: Block): boolean {
  if (block.type !== 'paragraph') return block.type === 'heading'
  const [child, ...others] = block.children
  return child?.type === 'strong' && others.length === 0
}

/** How many of some pieces fit into a message, a blank line between them; one always does. */
function fitting(pieces: readonly Piece[], size: number, countMax: number): number {
  let [count, sum] = [0, -2]
  for (const { length } of pieces) {
    sum += length + 2
    if (count > 0 && (sum > size || count === countMax)) break
    count += 1
  }
  return count
}
