/** Text that is made from parts of a document, and the positions of its characters in the document. */

export interface Source {
  readonly text: string
  /** The starts of the parts: `at` in the text, `offset` in the document. The first part starts at 0. */
  readonly parts: readonly { readonly at: number; readonly offset: number }[]
}

/** Returns a text that starts at an offset of the document. */
export function sourceAt(offset: number, text = ''): Source {
  return { text, parts: [{ at: 0, offset }] }
}

/** Returns a source with another one after it. */
export function joinSources(one: Source, other: Source): Source {
  if (one.text === '') return other
  const addedParts = other.parts.map(({ at, offset }) => ({ at: one.text.length + at, offset }))
  const isContiguous = addedParts[0]?.offset === documentOffset(one, one.text.length, true)
  return { text: one.text + other.text, parts: [...one.parts, ...(isContiguous ? addedParts.slice(1) : addedParts)] }
}

/** Returns a part of a source. */
export function sliceSource(source: Source, start: number, end: number = source.text.length): Source {
  const first = { at: 0, offset: documentOffset(source, start) }
  const others = source.parts
    .filter(({ at }) => at > start && at < end)
    .map(({ at, offset }) => ({ at: at - start, offset }))
  return { text: source.text.slice(start, end), parts: [first, ...others] }
}

/** Returns the offset in the document of an index of the text. At the start of a part, an end belongs to the part before it. */
export function documentOffset({ parts }: Source, at: number, isEnd = false): number {
  const part = parts.findLast((each) => (isEnd ? each.at < at : each.at <= at)) ?? parts[0]
  return part === undefined ? at : part.offset + at - part.at
}
