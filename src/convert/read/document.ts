/** Parses a whole text into mdast. */
import type { Root } from 'mdast'
import type { Diagnostic } from '../../diagnostic.js'
import { nameOf } from '../conversion.js'
import type { ReadingRules } from '../options.js'
import { blocksIn } from './leaf.js'
import { createLines, lineOf, pushChunk } from './line.js'
import { takeSteps } from './reading.js'
import { type ClosedEvent, createStructure } from './state.js'
import { closeAll } from './structure.js'
import { takeLine } from './tagged.js'
import { definitionsIn, mayDefine } from './texts.js'

/** A tree, and a diagnostic for each text in it that was over a limit and so was not parsed. */
export interface Parsed {
  readonly tree: Root
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parses CommonMark with GFM.
 *
 * @param markdown - any string
 * @param rules - the options of the parser
 */
export function parseMarkdown(markdown: string, rules: ReadingRules): Parsed {
  const structure = createStructure(rules, ({ pieces }) => definitionsIn(pieces).isAll)
  const lines = createLines()
  for (const line of pushChunk(lines, markdown)) takeLine(structure, line)
  if (lines.rest !== '') takeLine(structure, lineOf(lines))
  closeAll(structure)
  const diagnostics: Diagnostic[] = []
  const names = namesIn(structure.steps)
  takeSteps(structure.steps, {
    names,
    rules,
    budget: { work: 0 },
    diagnostics,
    late: new Set(),
    parsed: null,
    // The names in a very long text are not known yet.
    onDefined: (node) => (node.type === 'definition' ? names.links : names.footnotes).add(nameOf(node)),
  })
  return { tree: { type: 'root', children: blocksIn(structure.entries) }, diagnostics }
}

/** Returns all names that the document defines. */
function namesIn(steps: readonly ClosedEvent[]) {
  const [links, footnotes] = [new Set<string>(), new Set<string>()]
  for (const step of steps) {
    if (step.type === 'footnote') footnotes.add(nameOf(step.node))
    if (step.type === 'leaf' && step.kind === 'content' && mayDefine(step.pieces))
      for (const name of definitionsIn(step.pieces).names) links.add(name)
  }
  return { links, footnotes, unresolved: null }
}
