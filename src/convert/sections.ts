/**
 * Cuts Markdown where a block begins that stands in nothing, so that each part means alone what it means in the whole:
 * the parser's time grows with the square of what it is given. Only lines are looked at, once each.
 */

/** A few blocks that stand in nothing, most often one. */
export interface Section {
  readonly start: number
  end: number
  /** The number of its first line, from 1, and how many it has. */
  readonly line: number
  lineCount: number
  /** Whether it is fenced code or a block of HTML, in which nothing is markup. */
  readonly isVerbatim: boolean
  /** Whether it is a further item of the list that stands before it. */
  readonly isContinued: boolean
}

/** What is open, as far as it decides where a block begins. */
interface State {
  /** What a line has to match that ends the fenced code or the HTML that is open. */
  verbatimEnd: RegExp | null
  /** The marker of the list that is open, and the column from which a line belongs to its item. */
  list: string | null
  itemColumn: number
  /** Whether the line before was blank, or a block that has ended with it; and whether nothing at all is open. */
  isFresh: boolean
  isClear: boolean
  /** The paragraph that a line of text may go on with: one that stands in nothing, or in an item, a quote or a footnote. */
  paragraph: 'own' | 'inner' | null
  /** Whether the item has nothing but its marker. */
  isItemEmpty: boolean
  /** Whether the line before may belong to an item or not, or begin one or not. */
  isDoubtful: boolean
}

/** What a line begins, if a section may begin with it. */
type Beginning = 'text' | 'verbatim' | 'item' | null

/**
 * Cuts Markdown into sections.
 *
 * @param markdown - any string
 * @returns sections that are all of it in a row
 */
export function sectionsOf(markdown: string): Section[] {
  const state: State = {
    verbatimEnd: null,
    list: null,
    itemColumn: 0,
    isFresh: true,
    isClear: true,
    paragraph: null,
    isItemEmpty: false,
    isDoubtful: false,
  }
  const sections: Section[] = []
  let line = 0
  for (const { 0: source, index } of linesOf(markdown)) {
    line += 1
    const end = index + source.length
    const beginning = read(state, source)
    const last = sections.at(-1)
    if (last !== undefined && (beginning === null || source.startsWith('\uFEFF'))) {
      last.end = end
      last.lineCount += 1
    } else {
      const [isVerbatim, isContinued] = [beginning === 'verbatim', beginning === 'item']
      sections.push({ start: index, end, line, lineCount: 1, isVerbatim, isContinued })
    }
  }
  return sections
}

/** The lines, each with its line ending. */
export function linesOf(markdown: string): Iterable<RegExpExecArray> {
  return markdown.matchAll(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g)
}

/** Takes the next line; says what begins with it. */
function read(state: State, line: string): Beginning {
  const column = columnOf(line, 0)
  if (state.verbatimEnd !== null) readVerbatim(state, state.verbatimEnd, line)
  else if (BLANK.test(line)) readBlank(state)
  else if (state.list === null || column < state.itemColumn || state.isDoubtful)
    return readTop(state, trim(line), column)
  else {
    state.isFresh = false
    state.paragraph = 'inner'
    state.isItemEmpty = false
  }
  return null
}

function readVerbatim(state: State, end: RegExp, line: string): void {
  if (!end.test(line)) return
  state.verbatimEnd = null
  closeAll(state)
}

function readBlank(state: State): void {
  state.isFresh = true
  state.paragraph = null
  // An item may begin with one blank line, not with two.
  if (state.isItemEmpty) state.itemColumn = Number.POSITIVE_INFINITY
}

/** Nothing goes on behind a heading, a break or a fence. */
function closeAll(state: State): void {
  state.list = null
  state.isFresh = true
  state.isClear = true
  state.paragraph = null
  state.isDoubtful = false
}

/** A line that stands in no item. */
function readTop(state: State, text: string, column: number): Beginning {
  const { isClear, isFresh, isDoubtful } = state
  const isCut = isClear || (isFresh && column <= 3 && (column === 0 || !isDoubtful))
  state.isClear = false
  const item = column <= 3 ? itemOf(state, text, column) : null
  if (item !== null) return readItem(state, item, isCut)
  const end = column <= 3 ? verbatimEndOf(text, state.paragraph !== null) : null
  if (end !== null) {
    closeAll(state)
    // HTML of one line has ended.
    const isFence = /^[`~]/.test(text)
    if (isFence || !end.test(text)) {
      state.verbatimEnd = end
      state.isClear = false
    }
    return isCut || (isFence && column === 0) ? 'verbatim' : null
  }
  if (column <= 3 && /^#{1,6}(?:[ \t]|$)/.test(text)) {
    closeAll(state)
    return isCut || column === 0 ? 'text' : null
  }
  if (column <= 3 && isBreak(text)) {
    closeAll(state)
    return isCut ? 'text' : null
  }
  // A line of text may go on with an item's paragraph, and ends the list where there is none.
  if (isFresh || text.startsWith('>')) state.list = null
  state.isDoubtful = state.list !== null || MARKER.test(text)
  state.isFresh = false
  if (/^(?:>|\[\^)/.test(text)) state.paragraph = 'inner'
  else state.paragraph = state.paragraph === 'own' && /^(?:=+|-+)$/.test(text) ? null : (state.paragraph ?? 'own')
  return isCut ? 'text' : null
}

/** A line that has a marker of a list. */
interface Item {
  readonly marker: string
  /** Where its content stands, and whether there is any in this line. */
  readonly column: number
  readonly isEmpty: boolean
}

const MARKER = /^(?:([*+-])|(\d{1,9})([.)]))(?=[ \t]|$)/

function itemOf({ list, isDoubtful, paragraph }: State, text: string, column: number): Item | null {
  const [prefix, bullet, number, delimiter] = MARKER.exec(text) ?? []
  if (prefix === undefined || isBreak(text)) return null
  const rest = text.slice(prefix.length)
  // A paragraph is interrupted by few: `1968. A good year`.
  const mayInterrupt = (list === null || isDoubtful) && paragraph !== null
  if (mayInterrupt && (rest === '' || (number !== undefined && Number(number) !== 1))) return null
  const markerEnd = column + prefix.length
  const contentColumn = columnOf(rest, markerEnd)
  const isCode = contentColumn - markerEnd > 4
  return {
    marker: bullet ?? delimiter ?? '',
    column: isCode || rest === '' ? markerEnd + 1 : contentColumn,
    isEmpty: rest === '',
  }
}

function readItem(state: State, { marker, column, isEmpty }: Item, isCut: boolean): Beginning {
  const isContinued = state.list === marker
  const isAfterItem = state.list !== null && !state.isDoubtful
  state.list = marker
  state.itemColumn = column
  state.isItemEmpty = isEmpty
  state.isFresh = false
  state.paragraph = isEmpty ? null : 'inner'
  state.isDoubtful = false
  if (!isCut && !isAfterItem) return null
  return isContinued ? 'item' : 'text'
}

function isBreak(text: string): boolean {
  return /^([*_-])(?:[ \t]*\1){2,}$/.test(text)
}

/** What ends the fenced code or the HTML that a line begins, if it begins any. */
function verbatimEndOf(text: string, isParagraph: boolean): RegExp | null {
  const [fence] = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? []
  if (fence !== undefined) return new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*[\\r\\n]*$`)
  if (!text.startsWith('<')) return null
  const kind = html.find(({ start }) => start.test(text))
  if (kind !== undefined) return kind.end
  return !isParagraph && TAG.test(text) ? BLANK : null
}

const BLANK = /^[ \t]*[\r\n]*$/

/** The kinds of HTML that begin a block, in CommonMark's order (4.6), and what ends each. */
const html: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: blockTag(), end: BLANK },
]

function blockTag(): RegExp {
  const names =
    'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
    'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
    'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
    'track|ul'
  return new RegExp(`^</?(?:${names})(?:[\\s>]|/>|$)`, 'i')
}

/** One tag of any name, alone on its line. */
const TAG =
  /^<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>$/i

/** The column of what stands behind the white space at the start, which stands in `start` itself. */
function columnOf(text: string, start: number): number {
  let column = start
  for (let i = 0; text[i] === ' ' || text[i] === '\t'; i += 1) column += text[i] === '\t' ? 4 - (column % 4) : 1
  return column
}

/** Without Markdown's white space; a pattern would look at each run of it anew from every space. */
function trim(line: string): string {
  let [start, end] = [0, line.length]
  while (end > 0 && ' \t\r\n'.includes(line[end - 1] ?? '')) end -= 1
  while (line[start] === ' ' || line[start] === '\t') start += 1
  return line.slice(start, end)
}
