/** Why a separator makes no delimiter hard (§3.6). */
import { delimiters, delimiterText } from '../../delimiters.js'
import { startLeaf } from '../../parse/inline.js'
import { isBlank } from '../../parse/neighbours.js'
import { findOpen, LINK_KIND, type Open } from '../../parse/ranges.js'
import { read } from '../../parse/read.js'
import { giveBack, type Range, type Reader } from '../../parse/reader.js'
import { isDelimiter } from '../../parse/units.js'
import type { Leaf } from '../leaves.js'
import type { Told } from './told.js'

/** Explains the separator at `at`, which is text. The leaf is read anew: in one that has been read no separator finds its partner. */
export function explainSeparator(source: string, leaf: Leaf, at: number): Told[] {
  const reader = read(source, 1)
  const messages: string[] = []
  const { begun } = openBefore(reader, leaf, leaf.lastStop)
  const range = begun.find(({ start }) => start === at)
  if (range !== undefined) messages.push(whyNotClosed(range, begun))
  if (isDelimiter(reader.chars[at - 1] ?? 0)) {
    const { pairs } = openBefore(reader, leaf, reader.stops.indexOf(at, leaf.firstStop))
    messages.push(whyNothingIsClosed(reader, pairs.at(-1), at))
  }
  giveBack(reader)
  if (messages.length === 0) messages.push('is text: no delimiter stands directly beside it')
  return messages.map((message) => ['§3.6', `This separator ${message}.`, at, at + 1])
}

/** What is open in a leaf where it is read up to a stop. */
function openBefore(reader: Reader, { end, firstStop }: Leaf, stop: number): Open {
  startLeaf(reader, end, firstStop, stop)
  return findOpen(reader)
}

/** Only a link ends what is open inside it. */
function whyNotClosed({ kind, start }: Range, begun: readonly Range[]): string {
  const isInLink = begun.some((range) => range.kind === LINK_KIND && range.start < start && start < range.end)
  const but = isInLink ? 'the link around it ends first' : 'nothing closes it'
  return `could open ${delimiters[kind]?.node}, but ${but}`
}

/** Why a separator behind a delimiter does not close the nearest of its kind that is open. */
function whyNothingIsClosed({ source, chars }: Reader, open: Range | undefined, at: number): string {
  const delimiter = delimiters[open?.kind ?? -1]
  if (open === undefined || delimiter === undefined) return 'could close, but nothing hard is open'
  const mark = delimiterText(delimiter)
  const start = at - delimiter.length
  if (source.slice(start - 1, at - 1) !== mark) return `could close, but not the \`${mark}\` that is open`
  if (isBlank(chars, open.contentStart, start))
    return `could close ${delimiter.node}, but it would hold no more than white space`
  return `could close ${delimiter.node}, but the \`${mark}\` before it is escaped`
}
