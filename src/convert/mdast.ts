/** The dialect's own nodes as mdast's, so that plugins and utilities know their fields (§5). */
import type { Parent, PhrasingContent } from 'mdast'
import type { File, Mention } from '../tree.js'

/** Underlined text: `_text_` (§4). */
export interface Underline extends Parent {
  type: 'underline'
  children: PhrasingContent[]
}

declare module 'mdast' {
  interface PhrasingContentMap {
    underline: Underline
    mention: Mention & Node
  }
  interface RootContentMap {
    underline: Underline
    mention: Mention & Node
    file: File & Node
  }
}
