/** Elements in a model's output, for example `<think>…</think>`, that are left out or quoted together with all blocks in them. */
import { containerOf } from './container.js'
import { endOf, type Line, pointAt, restFrom } from './line.js'
import { entriesOf, type OpenTag, type Structure } from './state.js'
import { closeAll, readLine } from './structure.js'

/** Reads the next line. */
export function takeLine(structure: Structure, line: Line): void {
  const rest = passTags(structure, line)
  if (rest !== null) readLine(structure, rest)
}

/** Skips the tags in a line. Returns the rest of the line, or null if nothing is left. */
export function passTags(structure: Structure, line: Line): Line | null {
  if (structure.rules.tags.size === 0) return line
  let rest = line
  for (;;) {
    const { tag } = structure
    const length = tag === null ? openTag(structure, rest) : closeTag(structure, tag, rest)
    if (length === 0) return structure.tag?.use === 'drop' ? null : rest
    rest = restFrom(rest, length)
    if (rest.text.trim() === '') return null
  }
}

/** Opens the element whose start tag a line begins with. Returns the number of characters to skip. */
function openTag(structure: Structure, line: Line): number {
  const { leaf, open, rules } = structure
  const [match, space = '', given = ''] = /^( {0,3})<([a-z][\w-]*)(?:\s[^<>]*)?>/i.exec(line.text) ?? []
  const name = given.toLowerCase()
  const use = rules.tags.get(name)
  const isVerbatim = leaf !== null && 'lines' in leaf && leaf.kind !== 'code'
  if (match === undefined || use === undefined || (isVerbatim && (open.length === 0 || space !== ''))) return 0
  closeAll(structure)
  const [start, end] = [pointAt(line, space.length), endOf(line)]
  structure.tag = { name, use, start, end }
  if (use === 'quote') {
    const quote = containerOf({ type: 'blockquote', children: [], position: { start, end } }, end, true)
    entriesOf(structure).push(quote.node)
    structure.open.push(quote)
  }
  return match.length
}

/** Closes the element if its end tag is in the line. Returns the number of characters to skip. */
function closeTag(structure: Structure, tag: OpenTag, line: Line): number {
  const { name, use } = tag
  const match = new RegExp(`</${name}\\s*>`, 'i').exec(line.text)
  tag.end = match === null ? endOf(line) : pointAt(line, match.index + match[0].length)
  if (match === null) return 0
  const before = { ...line, text: line.text.slice(0, match.index) }
  if (use === 'quote' && before.text.trim() !== '') readLine(structure, before)
  closeAll(structure)
  return match.index + match[0].length
}
