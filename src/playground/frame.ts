/** What a panel is while the pieces of its output come. */

import type { Piece } from './outputs.js'

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
