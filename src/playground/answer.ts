/** What becomes of a text, as data: whoever draws it can be elsewhere, and can take its time. */

import { parse } from '../index.js'
import { dialects, type Reading } from './dialects.js'
import type { Span } from './editor.js'
import { outputs, type Piece } from './outputs.js'
import { spanOf } from './remarks.js'

/** A text, and what of it is asked for. */
export interface Question {
  readonly text: string
  readonly dialect: string
  /** The name of an output. */
  readonly output: string
  /** Where blocks are cut. */
  readonly blockLength: number
}

/** What is known of a text whatever is shown of it. */
export interface Head {
  readonly remarkCount: number
  /** What is remarked on. */
  readonly marks: readonly Span[]
}

/** The head, then the pieces in order, then what Copy copies. */
export type Part = { readonly head: Head } | { readonly piece: Piece } | { readonly copied: string }

let last: { readonly text: string; readonly dialect: string; readonly reading: Reading } | null = null

/** Answers, part by part. */
export function* answer(question: Question): Generator<Part> {
  const reading = readingOf(question)
  const marks = reading.remarks.flatMap((remark) => spanOf(remark) ?? [])
  yield { head: { remarkCount: reading.remarks.length, marks } }
  const output = outputs[question.output]
  const read = { ...question, ...reading }
  const pieces: Piece[] = []
  for (const piece of output?.pieces(read) ?? []) {
    pieces.push(piece)
    yield { piece }
  }
  yield { copied: output?.copied(read, pieces) ?? question.text }
}

/** A text is read once, however many of its outputs are looked at. */
function readingOf({ text, dialect }: Question): Reading {
  if (last?.text === text && last.dialect === dialect) return last.reading
  const reading = dialects.get(dialect)?.read(text) ?? { tree: parse(text), remarks: [] }
  last = { text, dialect, reading }
  return reading
}
