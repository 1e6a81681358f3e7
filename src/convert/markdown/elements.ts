/**
 * Splits Markdown into sections, and takes models' elements out of it (`<think>…</think>`), which may begin anywhere and have
 * any length. A paragraph continues after an element that is left out; an element that becomes a quote ends it.
 */
import type { Position } from '../../tree.js'
import type { Rules } from '../options.js'
import { addLine, emptySection, type Section } from './section.js'
import { joined, type Point, pointAfter, type Source, START, sourceAt } from './source.js'

/** Markdown that has arrived: the open section, and what comes after its last line. */
export interface Splitter {
  section: Section
  /** The line that has no line ending yet. */
  line: Source | null
  /** The element that is open. */
  element: OpenElement | null
  /** The point of the document after everything that was added. */
  end: Point
}

/** An element whose end tag has not arrived. */
interface OpenElement {
  readonly name: string
  readonly depth: number
  readonly start: Point
  /** The text after the start tag. */
  readonly content: Source
}

/** An element as a section, with the position of its tags. */
export interface ElementSection extends Section {
  readonly kind: 'element'
  readonly position: Position
}

export function createSplitter({ startsIn }: Pick<Rules, 'startsIn'>, point: Point = START): Splitter {
  const element = startsIn === null ? null : { name: startsIn, depth: 1, start: point, content: sourceAt(point) }
  return { section: emptySection(point), line: null, element, end: point }
}

/**
 * Adds text, at most one line with its ending. Returns the sections that have ended.
 *
 * @param isUnfinished - whether the line may go on
 */
export function addText(splitter: Splitter, text: string, rules: Rules, isUnfinished = false): Section[] {
  const ended: Section[] = []
  let rest = text
  for (let tag = tagIn(splitter, rest, rules, isUnfinished); tag !== null; ) {
    const before = rest.slice(0, tag.index)
    rest = rest.slice(tag.index + tag.tag.length)
    ended.push(...passTag(splitter, before, tag.tag, rules))
    if (splitter.element === null && /(?:^|[ \t])$/.test(splitter.line?.text ?? '')) {
      const [space = ''] = /^[ \t]+/.exec(rest) ?? []
      splitter.end = pointAfter(splitter.end, space)
      rest = rest.slice(space.length)
    }
    tag = tagIn(splitter, rest, rules, isUnfinished)
  }
  return [...ended, ...addPlain(splitter, rest)]
}

/** Splits a whole text that starts at a point. */
export function sectionsOf(text: string, rules: Rules, point: Point = START): Section[] {
  const splitter = createSplitter(point === START ? rules : { startsIn: null }, point)
  return [...linesOf(text).flatMap((line) => addText(splitter, line, rules)), ...endSplitter(splitter, rules)]
}

/** Splits a text after its line endings. */
export function linesOf(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/)
}

/** Ends the open line, section and element. */
export function endSplitter(splitter: Splitter, rules: Rules): Section[] {
  const ended = splitter.element === null ? [] : endElement(splitter, splitter.element, rules)
  return [...ended, ...endSection(splitter)]
}

function addPlain(splitter: Splitter, text: string): Section[] {
  if (text === '') return []
  const source = sourceAt(splitter.end, text)
  splitter.end = source.end
  if (splitter.element !== null) {
    const { content } = splitter.element
    splitter.element = { ...splitter.element, content: joined(content, source) }
    return []
  }
  splitter.line = splitter.line === null ? source : joined(splitter.line, source)
  return /[\r\n]$/.test(text) ? endLine(splitter) : []
}

/** Adds the open line to the section. */
export function endLine(splitter: Splitter): Section[] {
  const { line } = splitter
  if (line === null) return []
  splitter.line = null
  const { ended, open } = addLine(splitter.section, line)
  splitter.section = open.isEnded ? emptySection(line.end) : open
  return [...(ended === null ? [] : [ended]), ...(open.isEnded ? [open] : [])]
}

function endSection(splitter: Splitter): Section[] {
  const ended = endLine(splitter)
  const { section } = splitter
  splitter.section = emptySection(splitter.end)
  return section.kind === 'empty' ? ended : [...ended, section]
}

/** Adds the text before a tag, and opens or closes the element of the tag. */
function passTag(splitter: Splitter, before: string, tag: string, rules: Rules): Section[] {
  const { element } = splitter
  const name = nameOf(tag)
  if (element === null) {
    const ended = addPlain(splitter, before)
    if (rules.tags.get(name) === 'quote') ended.push(...endSection(splitter))
    const { end } = splitter
    splitter.end = pointAfter(end, tag)
    splitter.element = { name, depth: 1, start: end, content: sourceAt(splitter.end) }
    return ended
  }
  const depth = element.depth + (tag.startsWith('</') ? -1 : 1)
  if (depth === 0) {
    addPlain(splitter, before)
    splitter.end = pointAfter(splitter.end, tag)
    return endElement(splitter, splitter.element ?? element, rules)
  }
  const isRepeated = rules.startsIn === name && /^\s*$/.test(element.content.text + before) && depth === 2
  addPlain(splitter, before + tag)
  if (isRepeated) splitter.element = { ...element, content: sourceAt(splitter.end) }
  else if (splitter.element !== null) splitter.element = { ...splitter.element, depth }
  return []
}

function endElement(splitter: Splitter, { name, start, content }: OpenElement, rules: Rules): Section[] {
  const position = { start: { ...start }, end: { ...splitter.end } }
  const section: ElementSection = { ...emptySection(start), kind: 'element', mark: name, source: content, position }
  splitter.element = null
  return rules.tags.get(name) === 'quote' ? [...endSection(splitter), section] : [section]
}

/** A tag that opens or closes an element of a model, and its offset. */
interface ElementTag {
  readonly index: number
  readonly tag: string
}

/**
 * Returns the next tag of a model's element in a text. Escaped tags and code are skipped.
 *
 * @param isUnfinished - whether the text may go on: an open code span may still end
 */
function tagIn(splitter: Splitter, text: string, rules: Rules, isUnfinished: boolean): ElementTag | null {
  const { element, section, line } = splitter
  if (rules.tags.size === 0) return null
  if (element === null && (/^(?:fence|html|math)$/.test(section.kind) || section.innerFence !== '')) return null
  if (element === null && line === null && section.kind !== 'text' && /^(?: {4}| {0,3}\t)/.test(text)) return null
  const name = element?.name ?? [...rules.tags.keys()].join('|')
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

function nameOf(tag: string): string {
  return /[\w-]+/.exec(tag)?.[0].toLowerCase() ?? ''
}
