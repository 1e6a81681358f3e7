/** Synthetic answers of models: Markdown from templates, always the same for the same seed, and where each word belongs. */

/** A word of an answer, and the blocks around it. */
export interface Word {
  readonly word: string
  readonly isQuote: boolean
  /** The number of its item, `bullet` for an item without a number, or null for a paragraph. */
  readonly marker: number | 'bullet' | null
  /** The number of lists around the innermost one. */
  readonly depth: number
  /** Whether it is in code, in a table or in a formula, which products show in different ways. */
  readonly isVerbatim: boolean
}

export interface Answer {
  readonly markdown: string
  readonly words: readonly Word[]
  /** Addresses that must be shown exactly once. */
  readonly addresses: readonly string[]
}

/** Where words are written. */
type Place = Omit<Word, 'word'>

const PARAGRAPH: Place = { isQuote: false, marker: null, depth: 0, isVerbatim: false }

/** Returns the answer of a seed. */
export function answerOf(seed: number): Answer {
  const writer = new Writer(seed)
  const count = 2 + writer.below(6)
  // A paragraph is between two blocks, because two lists would be one.
  const parts = Array.from({ length: count }, () => [writer.paragraph(), writer.block()])
  // One in eight is longer than a message.
  if (seed % 8 === 0) parts.push([writer.paragraph(), writer.longBlock()])
  return { markdown: parts.flat().join('\n\n'), words: writer.words, addresses: writer.addresses }
}

class Writer {
  readonly words: Word[] = []
  readonly addresses: string[] = []
  private readonly seed: number
  private state: number

  constructor(seed: number) {
    this.seed = seed
    this.state = seed
  }

  /** Returns a number from 0 up to, not including, `count` (mulberry32). */
  below(count: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }

  paragraph(): string {
    return this.text(PARAGRAPH)
  }

  block(): string {
    const blocks = [
      () => `## ${this.text(PARAGRAPH)}`,
      () => this.list({ ...PARAGRAPH, marker: 1 }, 2 + this.below(4), ''),
      () => this.list({ ...PARAGRAPH, marker: 3 + this.below(9) }, 2 + this.below(4), ''),
      () => this.list({ ...PARAGRAPH, marker: 'bullet' }, 2 + this.below(4), ''),
      () => this.quote(),
      () => this.table(),
      () => this.code(''),
      () => this.math(),
    ]
    return blocks[this.below(blocks.length)]?.() ?? ''
  }

  /** A block that is longer than a message of Telegram, or several paragraphs. */
  longBlock(): string {
    const paragraphs = () => Array.from({ length: 60 }, () => this.text(PARAGRAPH))
    const quote = () => Array.from({ length: 90 }, () => `> ${this.text({ ...PARAGRAPH, isQuote: true })}`)
    const kinds = [
      () => this.list({ ...PARAGRAPH, marker: 1 }, 80, ''),
      () => this.list({ ...PARAGRAPH, marker: 'bullet' }, 80, ''),
      () => quote().join('\n>\n'),
      () => paragraphs().join('\n\n'),
    ]
    return kinds[this.below(kinds.length)]?.() ?? ''
  }

  private word(place: Place): string {
    const word = `q${this.seed}x${this.words.length}z`
    this.words.push({ ...place, word })
    return word
  }

  /** A line of text: plain words, formatting, code, links and addresses, in English or Chinese. */
  private text(place: Place): string {
    const parts = [this.word(place)]
    for (let left = this.below(5); left > 0; left -= 1) parts.push(this.piece(place))
    return `${parts.join(' ')}${['.', ':', '', '。'][this.below(4)]}`
  }

  private piece(place: Place): string {
    const word = () => this.word(place)
    const pieces = [
      word,
      () => `${word()}, ${word()}`,
      () => `**${word()}**`,
      () => `*${word()} ${word()}*`,
      () => `\`${this.word({ ...place, isVerbatim: true })}\``,
      () => `~~${word()}~~`,
      () => `***${word()}***`,
      () => `**注意：**${word()}`,
      () => `[${word()}](https://example.com/${this.below(99)}?a=1&b=2)`,
      () => `[${word()}](http://localhost:${3000 + this.below(99)}/)`,
      () => `[${word()}](http://prometheus:9090/graph?g0=up) ${word()}`,
      () => `http://jira/browse/OPS-${this.below(99)} ${word()}`,
      () => `http://[::1]:8080/${this.below(99)} ${word()} http://a.b:99999/`,
      () => `(https://example.com/${this.below(99)}), ${word()}`,
      () => `${word()} https://example.com/${this.below(99)}。`,
      () => `${this.address('team', '@example.com')} ${word()}`,
      () => `${this.address('www.site', '.example.com')} ${word()}`,
      () => `$x_${this.below(9)} + y$ ${word()}`,
      () => `3~5天 ${word()} 100~200元`,
      () => `snake_case_${word()} 2 * 3 <div> @everyone #tag`,
    ]
    return pieces[this.below(pieces.length)]?.() ?? ''
  }

  private address(start: string, end: string): string {
    const address = `${start}${this.seed}n${this.addresses.length}${end}`
    this.addresses.push(address)
    return address
  }

  /** A list whose items may contain a list, more lines of text, or code. */
  private list(place: Place, count: number, indent: string): string {
    const lines: string[] = []
    for (let index = 0; index < count; index += 1) {
      const marker = typeof place.marker === 'number' ? place.marker + index : 'bullet'
      const mark = marker === 'bullet' ? '- ' : `${marker}. `
      const inside = indent + ' '.repeat(mark.length)
      lines.push(`${indent}${mark}${this.text({ ...place, marker })}`)
      const kind = this.below(8)
      const nested = { ...place, depth: place.depth + 1, marker: this.below(2) === 0 ? ('bullet' as const) : 1 }
      if (kind < 2 && place.depth < 2) lines.push(this.list(nested, 1 + this.below(3), inside))
      // Code in an item is a block of its own.
      if (kind === 2 && place.depth === 0 && !place.isQuote && typeof marker === 'number')
        lines.push('', this.code(inside), '')
    }
    return lines.join('\n')
  }

  private quote(): string {
    const place = { ...PARAGRAPH, isQuote: true }
    const lines = [this.text(place)]
    if (this.below(3) === 0) lines.push('', this.text(place))
    if (this.below(3) === 0) lines.push('', this.list({ ...place, marker: 1 }, 2, ''))
    return lines
      .flatMap((line) => line.split('\n'))
      .map((line) => `> ${line}`.trimEnd())
      .join('\n')
  }

  private table(): string {
    const place = { ...PARAGRAPH, isVerbatim: true }
    const row = () => `| ${this.word(place)} | ${this.word(place)} |`
    return [row(), '|---|--:|', row(), row()].join('\n')
  }

  private code(indent: string): string {
    const line = `if ${this.word({ ...PARAGRAPH, isVerbatim: true })}: # > * 1.`
    return ['```py', line, '  1. x', '```'].map((each) => indent + each).join('\n')
  }

  private math(): string {
    return `$$\n\\frac{${this.word({ ...PARAGRAPH, isVerbatim: true })}}{2}\n$$`
  }
}
