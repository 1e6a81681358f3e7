/** The outputs of a text as data, so that they can be made in a worker and drawn later. */

import { parse } from '../index.js'
import type { Painted } from './backdrop.js'
import { coloredParts } from './colors.js'
import { dialects, OWN, type Reading } from './dialects.js'
import { outputs, type Piece } from './outputs.js'
import { spanOf } from './remarks.js'

/** A text, and the output that is needed. */
export interface Question {
  readonly text: string
  readonly dialect: string
  /** The name of an output. */
  readonly output: string
  /** Maximum length of a block. */
  readonly blockLength: number
}

/** The facts about a text that do not depend on the output. */
export interface Head {
  readonly remarkCount: number
  /** The colors of the text, and the positions of the diagnostics. */
  readonly painted: readonly Painted[]
}

/** The head, then the pieces in order, then the text for the Copy button. */
export type Part = { readonly head: Head } | { readonly piece: Piece } | { readonly copied: string }

let last: { readonly text: string; readonly dialect: string; readonly reading: Reading } | null = null

/** Answers, part by part. */
export function* answer(question: Question): Generator<Part> {
  const reading = readingOf(question)
  const found = reading.remarks.flatMap((remark): Painted[] => {
    const span = spanOf(remark)
    return span === null ? [] : [{ color: 'found', ...span }]
  })
  // The positions in the tree of another dialect are those of its conversion.
  const colors = question.dialect === OWN ? coloredParts(reading.tree) : []
  yield { head: { remarkCount: reading.remarks.length, painted: [...colors, ...found] } }
  const output = outputs[question.output]
  const read = { ...question, ...reading }
  const pieces: Piece[] = []
  for (const piece of output?.pieces(read) ?? []) {
    pieces.push(piece)
    yield { piece }
  }
  yield { copied: output?.copied(read, pieces) ?? question.text }
}

/** Parses a text once for all of its outputs. */
function readingOf({ text, dialect }: Question): Reading {
  if (last?.text === text && last.dialect === dialect) return last.reading
  const reading = dialects.get(dialect)?.read(text) ?? { tree: parse(text), remarks: [] }
  last = { text, dialect, reading }
  return reading
}
