/** The input of panels, and their actions on the page. */

import type { Head } from './answer.js'
import type { Span } from './backdrop.js'
import type { Linked } from './links.js'
import type { Piece } from './outputs.js'

/** The input of a panel. */
export interface Shown extends Head {
  readonly text: string
  readonly dialect: string
  /** Whether only the beginning of the text was read. */
  readonly isCut: boolean
}

export interface Chosen {
  /** Maximum length of a block. */
  blockLength: number
  /** The dialect that the stream is read as. */
  streamed: string
}

/** Actions of a panel on the page. */
export interface Actions {
  readonly select: (span: Span) => void
  readonly replace: (span: Span, text: string) => void
  /** Shows another output. */
  readonly choose: (output: string) => void
  /** Opens another text. */
  readonly open: (text: string, dialect: string) => void
  /** Returns the text for the Copy button. */
  readonly copied: () => Promise<string>
  /** Connects drawn elements with their positions in the text. */
  readonly link: (linked: readonly Linked[]) => void
  /** Requests the output again after the reader has chosen another option. */
  readonly again: () => void
  readonly chosen: Chosen
}

/** The content of a panel, which takes the pieces. */
export interface Frame {
  readonly nodes: readonly Node[]
  readonly add: (piece: Piece) => void
  /** Removes the pieces; absent if the panel never asks again. */
  readonly clear?: () => void
  /** Called when it is in the page, with all pieces. */
  readonly placed?: () => void
}

/** Throws, because an output never sends the pieces of another panel. */
export function unexpected({ kind }: Piece): never {
  throw new Error(`no panel has asked for ${kind}`)
}
