/**
 * The markup of one leaf as a list of marks: where something stands that is not text. The writer lists the marks that it
 * means (`draft.ts`), {@link readMarks} those that the parser finds, and where the two lists agree, so do the trees.
 */
import { type Leaf, type Output, type ParentType, read } from '../parse/index.js'
import type { Formatting } from '../tree.js'

// Kinds of marks. What formatting opens with is 0–3, what it closes with 4–7.
export const STRONG = 0
export const EMPHASIS = 1
export const UNDERLINE = 2
export const DELETE = 3
export const CLOSE = 4
export const LINK = 8
/** The bracket behind a link's url. */
export const LINK_END = 9
export const CODE = 10
export const MENTION = 11
export const BARE_LINK = 12
export const BREAK = 13
export const HEADING_1 = 14
export const HEADING_2 = 15
export const ITEM = 16
/** Fenced code or a file: what a line of a paragraph must not look like. */
const BLOCK = 17

/** Numbers of a mark: where it starts, where it ends, its kind, and where its opening partner starts. */
export const MARK_SIZE = 4

/** The delimiters of formatting, and the number of its mark. */
export const delimiters: Readonly<Record<Formatting['type'], string>> = {
  strong: '**',
  emphasis: '*',
  underline: '_',
  delete: '-',
}

export function kindOf(type: Formatting['type']): number {
  return type === 'strong' ? STRONG : type === 'emphasis' ? EMPHASIS : type === 'underline' ? UNDERLINE : DELETE
}

/** Whether a mark is of strong or emphasis, which stars make. */
export function isOfStars(kind: number): boolean {
  return kind < LINK && kind % CLOSE <= EMPHASIS
}

/** Stands for a mark in what is text: stars that are text there and stars that are markup here can change places. */
export const MARK_IN_TEXT = '\0'

/**
 * What the parser makes of a source: its marks, all its text in a row with {@link MARK_IN_TEXT} for each of them, and the
 * urls of its named links.
 */
export interface Reading {
  readonly marks: readonly number[]
  readonly words: string
  readonly urls: readonly string[]
}

/** Reads the source of one leaf. */
export function readMarks(source: string): Reading {
  const output = new MarksOutput()
  read(source, output)
  return output
}

/** Whether what has been read is these words and marks, wherever they stand; what is no formatting is as long as it is there. */
export function isAsMeant(reading: Reading, marks: readonly number[], words: string): boolean {
  if (reading.words !== words || reading.marks.length !== marks.length) return false
  for (let at = 0; at < marks.length; at += MARK_SIZE) {
    const [start = 0, end = 0, kind = 0] = marks.slice(at, at + MARK_SIZE)
    if (reading.marks[at + 2] !== kind) return false
    if (kind >= CODE && (reading.marks[at + 1] ?? 0) - (reading.marks[at] ?? 0) !== end - start) return false
  }
  return true
}

class MarksOutput implements Output {
  readonly marks: number[] = []
  words = ''
  readonly urls: string[] = []
  private leafStart = 0
  private codeStart = 0
  /** Where the formatting and the links that are open start. */
  private readonly starts: number[] = []

  private addMark(start: number, end: number, kind: number, partner: number): void {
    this.marks.push(start, end, kind, partner)
    this.words += MARK_IN_TEXT
  }

  enter(leaf: Leaf): void {
    this.leafStart = leaf.start
  }

  open(type: ParentType, start: number, url: string): void {
    switch (type) {
      case 'strong':
      case 'emphasis':
      case 'underline':
      case 'delete':
        this.starts.push(start)
        this.addMark(start, start + delimiters[type].length, kindOf(type), start)
        break
      case 'link':
        this.starts.push(start)
        this.addMark(start, start + 1, LINK, start)
        this.urls.push(url)
        break
      case 'heading1':
      case 'heading2':
        this.addMark(start, this.leafStart, type === 'heading1' ? HEADING_1 : HEADING_2, start)
        break
      case 'listItem':
        this.addMark(start, this.leafStart, ITEM, start)
    }
  }

  close(type: ParentType, end: number): void {
    switch (type) {
      case 'strong':
      case 'emphasis':
      case 'underline':
      case 'delete':
        this.addMark(end - delimiters[type].length, end, CLOSE + kindOf(type), this.starts.pop() ?? 0)
        break
      case 'link':
        this.addMark(end - 1, end, LINK_END, this.starts.pop() ?? 0)
    }
  }

  text(value: string): void {
    this.words += value
  }

  inlineCode(_value: string, start: number, end: number): void {
    this.addMark(start, end, CODE, start)
  }

  mention(_userID: string, _label: string | null, start: number, end: number): void {
    this.addMark(start, end, MENTION, start)
  }

  bareLink(_url: string, start: number, end: number): void {
    this.addMark(start, end, BARE_LINK, start)
  }

  break(start: number): void {
    this.addMark(start, start + 1, BREAK, start)
  }

  file(_fileID: string, _label: string | null, start: number, end: number): void {
    this.addMark(start, end, BLOCK, start)
  }

  openCode(start: number): void {
    this.codeStart = start
  }

  code(_lang: string | null, _meta: string | null, _value: string, end: number): void {
    this.addMark(this.codeStart, end, BLOCK, this.codeStart)
  }
}
