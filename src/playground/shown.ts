/** What panels are drawn from, and what they can do to the page around them. */

import type { Head } from './answer.js'
import type { Span } from './editor.js'
import type { Linked } from './links.js'
import type { Piece } from './outputs.js'

/** What a panel is drawn from. */
export interface Shown extends Head {
  readonly text: string
  readonly dialect: string
  /** Whether the text goes on. */
  readonly isCut: boolean
}

/** What the reader has chosen. */
export interface Chosen {
  /** Where blocks are cut. */
  blockLength: number
  /** What the streaming view types the text as. */
  streamed: string
}

/** What a panel can do to the page around it. */
export interface Actions {
  readonly select: (span: Span) => void
  readonly replace: (span: Span, text: string) => void
  /** Shows another output. */
  readonly choose: (output: string) => void
  /** Goes on with another text. */
  readonly open: (text: string, dialect: string) => void
  /** What Copy copies. */
  readonly copied: () => Promise<string>
  /** Says what parts of the text elements come from that were drawn. */
  readonly link: (linked: readonly Linked[]) => void
  /** Asks for the pieces again, after another choice. */
  readonly again: () => void
  readonly chosen: Chosen
}

/** What stands in a panel, and takes the pieces. */
export interface Frame {
  readonly nodes: readonly Node[]
  readonly add: (piece: Piece) => void
  /** Takes the pieces away, and nothing else; left out where nothing in the panel asks again. */
  readonly clear?: () => void
  /** Called when it stands in the page, with all pieces. */
  readonly placed?: () => void
}

/** No output gives another panel's pieces. */
export function unexpected({ kind }: Piece): never {
  throw new Error(`no panel has asked for ${kind}`)
}
