/**
 * Splits Markdown into sections, and takes models' elements out of it (`<think>…</think>`), which may begin anywhere and have
 * any length. A paragraph continues after an element that is left out; an element that becomes a quote ends the paragraph.
 */
import type { Rules } from '../options.js'
import { addLine, emptySection, innermost, type Section } from './section.js'
import { documentOffset, joinSources, type Source, sourceAt } from './source.js'

/** The state of splitting: the open section, and the line or element after it that has not ended. */
export interface Splitter {
  section: Section
  /** The line that has no line ending yet. */
  line: Source | null
  /** The element that is open. */
  element: Element | null
  /** The offset in the document at which the next text is added. */
  end: number
}

/** An element of a model with everything in it. `start` and `end` include its tags. */
export interface Element {
  readonly name: string
  readonly start: number
  readonly end: number
  /** The number of end tags that are missing. It may exceed 1, because the element may contain elements of its name. */
  readonly depth: number
  /** The content, without the tags. */
  readonly source: Source
}

export type SectionOrElement = Section | Element

/** Creates a splitter for text that starts at an offset of the document. Only a document may begin inside an element. */
export function createSplitter({ startsIn }: Pick<Rules, 'startsIn'>, start = 0): Splitter {
  const element = startsIn === null ? null : openElement(start, startsIn, start)
  return { section: emptySection(start), line: null, element, end: start }
}

function openElement(start: number, name: string, contentStart: number): Element {
  return { name, start, end: contentStart, depth: 1, source: sourceAt(contentStart) }
}

/** Splits a whole text that starts at an offset of the document. */
export function sectionsOf(text: string, rules: Rules, start = 0): SectionOrElement[] {
  const splitter = createSplitter(rules, start)
  return [...addText(splitter, text, rules), ...endSplitter(splitter)]
}

/**
 * Adds text. Returns the sections that have ended.
 *
 * @param isUnfinished - whether the last line may go on
 */
export function addText(splitter: Splitter, text: string, rules: Rules, isUnfinished = false): SectionOrElement[] {
  const lines = text.split(/(?<=\n|\r(?!\n))/)
  return lines.flatMap((line, index) => addInLine(splitter, line, rules, isUnfinished && index === lines.length - 1))
}

function addInLine(splitter: Splitter, text: string, rules: Rules, isUnfinished: boolean): SectionOrElement[] {
  const endedSections: SectionOrElement[] = []
  let rest = text
  for (;;) {
    const match = tagIn(splitter, rest, rules, isUnfinished)
    if (match === null) return [...endedSections, ...addWithoutTags(splitter, rest)]
    endedSections.push(...addWithoutTags(splitter, rest.slice(0, match.index)), ...passTag(splitter, match.tag, rules))
    rest = rest.slice(match.index + match.tag.length)
    if (splitter.element === null && /(?:^|[ \t])$/.test(splitter.line?.text ?? '')) {
      const space = /^[ \t]*/.exec(rest)?.[0].length ?? 0
      splitter.end += space
      rest = rest.slice(space)
    }
  }
}

/** Ends the open line, section and element. */
export function endSplitter(splitter: Splitter): SectionOrElement[] {
  const endedElements = splitter.element === null ? [] : endElement(splitter, splitter.element)
  return [...endedElements, ...endSection(splitter)]
}

function addWithoutTags(splitter: Splitter, text: string): SectionOrElement[] {
  if (text === '') return []
  const { element, line } = splitter
  const addedSource = sourceAt(splitter.end, text)
  splitter.end += text.length
  if (element !== null) {
    splitter.element = { ...element, source: joinSources(element.source, addedSource) }
    return []
  }
  splitter.line = line === null ? addedSource : joinSources(line, addedSource)
  return /[\r\n]$/.test(text) ? endLine(splitter) : []
}

/** Adds the open line to the section. */
export function endLine(splitter: Splitter): Section[] {
  const { line, section, end } = splitter
  if (line === null) return []
  const openSection = addLine(section, line)
  const isOther =
    section.block.kind !== 'empty' && documentOffset(openSection.source, 0) !== documentOffset(section.source, 0)
  splitter.line = null
  splitter.section = openSection.block.isEnded ? emptySection(end) : openSection
  return [...(isOther ? [section] : []), ...(openSection.block.isEnded ? [openSection] : [])]
}

function endSection(splitter: Splitter): Section[] {
  const endedSections = endLine(splitter)
  const { section, end } = splitter
  splitter.section = emptySection(end)
  return section.block.kind === 'empty' ? endedSections : [...endedSections, section]
}

/** Opens or closes the element of a tag. */
function passTag(splitter: Splitter, tag: string, rules: Rules): SectionOrElement[] {
  const { element, end: start } = splitter
  const name = /[\w-]+/.exec(tag)?.[0].toLowerCase() ?? ''
  if (element === null) {
    splitter.end += tag.length
    splitter.element = openElement(start, name, splitter.end)
    return rules.tags.get(name) === 'quote' ? endSection(splitter) : []
  }
  const isEnd = tag.startsWith('</')
  if (isEnd && element.depth === 1) {
    splitter.end += tag.length
    return endElement(splitter, element)
  }
  // `startsIn` opens an element at the start of the text. If the model wrote its start tag too, the content begins after that tag.
  const isRepeated = !isEnd && element.depth === 1 && rules.startsIn === name && element.source.text.trim() === ''
  addWithoutTags(splitter, tag)
  const depth = element.depth + (isEnd ? -1 : 1)
  splitter.element = isRepeated ? openElement(0, name, splitter.end) : { ...(splitter.element ?? element), depth }
  return []
}

function endElement(splitter: Splitter, element: Element): Element[] {
  splitter.element = null
  return [{ ...element, end: splitter.end }]
}

/**
 * Returns the next tag of a model's element in a text. Escaped tags and code are skipped.
 *
 * @param isUnfinished - whether the text may go on: an open code span may still end
 */
function tagIn(
  { element, section, line }: Splitter,
  text: string,
  { tags }: Rules,
  isUnfinished: boolean,
): { index: number; tag: string } | null {
  if (tags.size === 0) return null
  const { block } = section
  if (element === null && /^(?:fence|html|math)$/.test(innermost(block))) return null
  if (element === null && line === null && block.kind !== 'text' && /^(?: {4}| {0,3}\t)/.test(text)) return null
  const name = element?.name ?? [...tags.keys()].join('|')
  const endTag = element === null ? '' : `|/${name}\\s*`
  const next = new RegExp(
    `\\\\[\\\\\`<]|(?<!\`)(\`+)(?!\`)[^]*?[^\`]\\1(?!\`)|(\`+)|<(?:(?:${name})(?:\\s[^<>]*)?${endTag})>`,
    'gi',
  )
  for (const { 0: tag, 2: backticks, index } of text.matchAll(next)) {
    if (tag.startsWith('<')) return { index, tag }
    if (isUnfinished && backticks !== undefined) return null
  }
  return null
}
