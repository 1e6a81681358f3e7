/** The dialect's own nodes as mdast's, so that plugins and utilities know their fields (§5). */
import type { Node, Parent, PhrasingContent } from 'mdast'

/** Underlined text: `_text_` (§4). */
export interface Underline extends Parent {
  type: 'underline'
  children: PhrasingContent[]
}

/** A mention of a user: `<@id|label>` (§3.3). */
export interface Mention extends Node {
  type: 'mention'
  userID: string
  label: string | null
}

/** An uploaded file: `<!id|label>` alone on a line (§2). */
export interface File extends Node {
  type: 'file'
  fileID: string
  label: string | null
}

declare module 'mdast' {
  interface PhrasingContentMap {
    underline: Underline
    mention: Mention
  }
  interface RootContentMap {
    underline: Underline
    mention: Mention
    file: File
  }
}
