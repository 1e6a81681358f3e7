/** The input of panels, and their actions on the page. */

import type { Linked } from './links.js'
import type { Result } from './outputs-of.js'

/** The input of a panel. */
export interface PanelInput extends Result {
  readonly text: string
  readonly dialect: string
  /** The name of the output. */
  readonly output: string
}

/** Actions of a panel on the page. */
export interface Actions {
  /** Shows another output. */
  readonly choose: (output: string) => void
  /** Copies a text, and says so. */
  readonly copy: (text: string) => void
  /** Connects drawn elements with their positions in the text. */
  readonly link: (linked: readonly Linked[]) => void
}
