/** What a parse gives away, piece by piece and in the order of the source. The tree is one receiver, HTML another. */
import type { Leaf } from './leaf.js'

/** The nodes that have children. A heading is named with its depth, an item's paragraph apart from the others. */
export type ParentType =
  | 'heading1'
  | 'heading2'
  | 'paragraph'
  | 'list'
  | 'listItem'
  | 'itemParagraph'
  | 'strong'
  | 'emphasis'
  | 'underline'
  | 'delete'
  | 'link'

/** Offsets are those of the current leaf's text. */
export interface Output {
  /** From here on, offsets are those of this leaf. */
  enter(leaf: Leaf): void
  /** `url` is a link's, else empty. */
  open(type: ParentType, start: number, url: string): void
  close(type: ParentType, end: number): void
  text(value: string, start: number, end: number): void
  inlineCode(value: string, start: number, end: number): void
  mention(userID: string, label: string | null, start: number, end: number): void
  bareLink(url: string, start: number, end: number): void
  break(start: number): void
  file(fileID: string, label: string | null, start: number, end: number): void
  /** Announces fenced code; its content is known only at its end, which may be many lines away. */
  openCode(start: number): void
  code(lang: string | null, meta: string | null, value: string, end: number): void
}
