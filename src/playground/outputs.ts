/** Each output of the library, in pieces and as it is copied. Nothing here draws. */

import { toMarkdown } from '../convert/index.js'
import {
  type AnyNode,
  BlockmarkError,
  type Diagnostic,
  type Root,
  stringify,
  toBlocks,
  toHtml,
  toText,
} from '../index.js'
import { fix } from '../lint/index.js'
import { toDiscord, toMatrix, toSlack, toTelegram, toWhatsApp } from '../messengers/index.js'
import type { Span } from './backdrop.js'
import { dialects, OWN, type Reading } from './dialects.js'
import { spanOfNode } from './pairing.js'
import { curlOf, typescriptOf } from './post.js'
import { type Remark, remarkOf } from './remarks.js'
import { treeLines } from './tree-lines.js'

/** A parsed text. */
export interface Read extends Reading {
  readonly text: string
  readonly dialect: string
  readonly blockLength: number
}

export type Piece =
  | { readonly kind: 'blocks'; readonly html: string; readonly nodes: readonly AnyNode[] }
  | { readonly kind: 'column'; readonly dialect: string; readonly html: string }
  | { readonly kind: 'lines'; readonly lines: readonly { readonly line: string; readonly span: Span | null }[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string; readonly length: number }
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'remarks'; readonly remarks: readonly Remark[] }
  | { readonly kind: 'failure'; readonly reason: string }

export interface Output {
  readonly pieces: (read: Read) => Iterable<Piece>
  /** The text for the Copy button, mostly from the pieces. */
  readonly copied: (read: Read, pieces: readonly Piece[]) => string
}

/** A piece is drawn within a few milliseconds. */
const PIECE_LENGTH = 2000
const PIECE_LINES = 100
const PIECE_REMARKS = 25

/** Between the messages that a long text becomes. */
const NEXT_MESSAGE = '\n\n— next message —\n\n'

/** The outputs by name. The stream and the syntax are not outputs. */
export const outputs: Readonly<Record<string, Output>> = {
  message: { pieces: messagePieces, copied: (_, pieces) => pieces.map(sourceOf).join('\n') },
  text: textual(({ tree }) => toText(tree)),
  html: textual(({ tree }) => toHtml(tree)),
  tree: { pieces: treePieces, copied: ({ tree }) => JSON.stringify(tree, null, 2) },
  blocks: { pieces: blockPieces, copied: copiedBlocks },
  markdown: textual(({ tree }) => toMarkdown(tree)),
  slack: textual(({ tree }) => toSlack(tree)),
  curl: textual((read) => curlOf(blocksOf(read))),
  typescript: textual((read) => typescriptOf(blocksOf(read))),
  telegram: textual(({ tree }) => JSON.stringify(toTelegram(tree), null, 2)),
  discord: textual(({ tree }) => toDiscord(tree).join(NEXT_MESSAGE)),
  whatsapp: textual(({ tree }) => toWhatsApp(tree).join(NEXT_MESSAGE)),
  matrix: textual(({ tree }) => JSON.stringify(toMatrix(tree), null, 2)),
  dialect: textual(({ tree }) => stringify(tree)),
  checks: { pieces: remarkPieces, copied: ({ remarks }) => remarks.map(String).join('\n') },
  compare: { pieces: columnPieces, copied: ({ text }) => text },
}

/** An output that is text. Its pieces end at line endings, which are left out between them. */
function textual(write: (read: Read) => string): Output {
  return {
    copied: (_, pieces) => pieces.map(sourceOf).join('\n'),
    pieces: function* (read) {
      const text = orReason(() => write(read))
      for (let start = 0; start <= text.length; ) {
        const newline = text.indexOf('\n', start + PIECE_LENGTH)
        const end = newline < 0 ? text.length : newline
        yield { kind: 'text', text: text.slice(start, end) }
        start = end + 1
      }
    },
  }
}

/** The text or HTML of a piece. */
function sourceOf(piece: Piece): string {
  if ('text' in piece) return piece.text
  return 'html' in piece ? piece.html : ''
}

function* messagePieces({ tree }: Read): Iterable<Piece> {
  for (const nodes of groupsOf(tree)) yield { kind: 'blocks', html: htmlOf(nodes), nodes }
}

function* columnPieces({ text }: Read): Iterable<Piece> {
  for (const [dialect, { read }] of dialects) {
    for (const nodes of groupsOf(read(text).tree)) yield { kind: 'column', dialect, html: htmlOf(nodes) }
  }
}

/** Groups blocks by the length of their source. */
function* groupsOf({ children }: Root): Iterable<Root['children']> {
  let [group, length]: [Root['children'], number] = [[], 0]
  for (const block of children) {
    group.push(block)
    const span = spanOfNode(block)
    length += span === null ? PIECE_LENGTH / 10 : span.end - span.start
    if (length < PIECE_LENGTH) continue
    yield group
    ;[group, length] = [[], 0]
  }
  if (group.length > 0) yield group
}

function htmlOf(children: Root['children']): string {
  return toHtml({ type: 'root', children })
}

function* treePieces({ tree }: Read): Iterable<Piece> {
  const lines = treeLines(tree).map(({ line, node }) => ({ line, span: spanOfNode(node) }))
  for (let at = 0; at < lines.length; at += PIECE_LINES)
    yield { kind: 'lines', lines: lines.slice(at, at + PIECE_LINES) }
}

function blocksOf({ text, dialect, tree, blockLength }: Read): string[] {
  return toBlocks(dialect === OWN ? text : tree, { blockLength })
}

function* blockPieces(read: Read): Iterable<Piece> {
  try {
    // Limits count code points.
    for (const text of blocksOf(read)) yield { kind: 'block', text, length: [...text].length }
  } catch (error) {
    yield { kind: 'failure', reason: reasonOf(error) }
  }
}

/** The blocks as JSON, or the error message. */
function copiedBlocks(_: Read, pieces: readonly Piece[]): string {
  const [first] = pieces
  return first?.kind === 'failure' ? first.reason : JSON.stringify(pieces.map(sourceOf), null, 2)
}

function* remarkPieces({ text, dialect, remarks }: Read): Iterable<Piece> {
  const fixed = dialect === OWN ? fix(text) : text
  if (fixed !== text) yield { kind: 'fixed', text: fixed }
  for (let at = 0; at < remarks.length; at += PIECE_REMARKS) {
    const some: readonly Diagnostic[] = remarks.slice(at, at + PIECE_REMARKS)
    yield { kind: 'remarks', remarks: some.map(remarkOf) }
  }
}

function orReason(write: () => string): string {
  try {
    return write()
  } catch (error) {
    return reasonOf(error)
  }
}

/** The reason why a message cannot be written, for example because it is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof BlockmarkError) return error.message
  throw error
}
