/**
 * Writes blocks as lines of text. In a quote, or in a list that the dialect cannot contain, the lines start with the mark, the number
 * and the indent of their containers.
 */
import type { Block, Code, Paragraph, Phrasing } from '../tree.js'

/** The prefixes of the lines in a quote, an item or a footnote. */
export interface Prefixes {
  readonly kind: 'quote' | 'item'
  /** The prefix of the first line. */
  readonly first: string
  /** The prefix of all other lines. It does not start with spaces, which are not part of a line (§1). */
  readonly rest: string
}

/** The gap between two pieces: a line ending, or an empty line. */
export type Gap = 'line' | 'blank'

/** Collects blocks in their order, with the containers around them. */
export class Outline {
  blocks: Block[] = []
  private readonly frames: (Prefixes & { isUsed: boolean })[] = []
  /** The paragraph to which the next lines are added, or null. */
  private paragraph: Paragraph | null = null
  private gap: Gap = 'blank'

  /** Whether the next block is outside of all containers. */
  get isOutermost(): boolean {
    return this.frames.length === 0
  }

  get depth(): number {
    return this.frames.length
  }

  /** The number of items around the next block. */
  get itemDepth(): number {
    return this.frames.filter(({ kind }) => kind === 'item').length
  }

  /** Adds everything that `fill` adds inside a frame. */
  within(frame: Prefixes, fill: () => void): void {
    const opened = { ...frame, isUsed: false }
    this.frames.push(opened)
    fill()
    if (!opened.isUsed) this.lines([[]])
    this.frames.pop()
  }

  /** Sets the gap before the next lines. */
  separate(gap: Gap): void {
    this.gap = gap
  }

  /** Ends a block outside of all containers, so that the next one does not continue its lines. */
  end(): void {
    this.paragraph = null
  }

  /** Adds a block that does not continue the lines before it. */
  block(block: Block): void {
    this.blocks.push(block)
    this.paragraph = null
  }

  /** Adds code. In a quote it stays code, so that its columns align, and its lines get the prefix of the quote. */
  code(block: Code): void {
    if (this.frames.some(({ kind, isUsed }) => kind === 'item' && !isUsed)) this.lines([[]])
    const mark = this.frames.map(({ kind, rest }) => (kind === 'quote' ? rest : '')).join('')
    for (const frame of this.frames) frame.isUsed = true
    if (mark === '') this.block(block)
    else {
      const quoted = block.value.split('\n').map((line) => `${mark}${line}`.trimEnd())
      this.block({ ...block, value: quoted.join('\n') })
    }
  }

  /** Adds lines after their prefixes. */
  lines(lines: readonly (readonly Phrasing[])[]): void {
    const paragraph = this.continued() ?? this.begin()
    for (const [index, line] of lines.entries()) {
      if (index > 0) paragraph.children.push({ type: 'break' })
      const mark = this.mark()
      const [first, ...others] = line
      const isText = first?.type === 'text'
      const value = line.length === 0 ? mark.trimEnd() : isText ? mark + first.value : mark
      if (value !== '') paragraph.children.push({ type: 'text', value })
      // A call takes fewer arguments than a line may have nodes.
      for (const node of isText ? others : line) paragraph.children.push(node)
    }
  }

  /** Returns the paragraph that continues. An empty line inside a quote gets the prefix of the quote. */
  private continued(): Paragraph | null {
    const { paragraph } = this
    if (paragraph === null) return null
    if (this.gap === 'line') {
      paragraph.children.push({ type: 'break' })
      return paragraph
    }
    const quote = this.frames.findLastIndex(({ kind, isUsed }) => kind === 'quote' && isUsed)
    if (quote < 0) return null
    const outside = this.frames.slice(0, quote + 1).map(({ rest }) => rest)
    const value = outside.join('').trimEnd()
    paragraph.children.push({ type: 'break' }, { type: 'text', value }, { type: 'break' })
    return paragraph
  }

  private begin(): Paragraph {
    const paragraph: Paragraph = { type: 'paragraph', children: [] }
    this.block(paragraph)
    this.paragraph = paragraph
    return paragraph
  }

  private mark(): string {
    const marks = this.frames.map(({ first, rest, isUsed }) => (isUsed ? rest : first))
    for (const frame of this.frames) frame.isUsed = true
    return marks.join('')
  }
}
