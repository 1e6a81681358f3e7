/** Looks for the leaf that a source ends in, and for what its blocks are. */
import { read } from '../parse/index.js'
import type { Leaf } from '../parse/leaf.js'
import type { Output, ParentType } from '../parse/output.js'

const leafTypes: readonly ParentType[] = ['paragraph', 'heading1', 'heading2', 'itemParagraph']

/** The last block of what is read, if it has a leaf. */
export class LeafFinder implements Output {
  /** The last leaf, null where the source ends in a block that has none. */
  leaf: Leaf | null = null
  /** What the last block is, and how many there are. */
  type: ParentType | 'file' | 'code' | null = null
  private count = 0
  private entered: Leaf | null = null

  /** Whether a source has as many blocks as the one that was read, the last of the same type. */
  isAlike(source: string): boolean {
    const other = new LeafFinder()
    read(source, other)
    return other.type === this.type && other.count === this.count
  }

  enter(leaf: Leaf): void {
    this.entered = leaf
  }

  open(type: ParentType): void {
    if (!leafTypes.includes(type)) return
    this.leaf = this.entered
    this.type = type
    this.count += 1
  }

  file(): void {
    this.leaf = null
    this.type = 'file'
    this.count += 1
  }

  code(): void {
    this.leaf = null
    this.type = 'code'
    this.count += 1
  }

  openCode(): void {}
  close(): void {}
  text(): void {}
  inlineCode(): void {}
  mention(): void {}
  bareLink(): void {}
  break(): void {}
}
