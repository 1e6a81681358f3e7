/** Converts mdast's blocks to the dialect's. */
import type {
  Blockquote,
  Definition,
  FootnoteDefinition,
  Heading,
  Html,
  List,
  ListItem as MdastItem,
  Nodes,
  PhrasingContent,
  RootContent,
  Table,
} from 'mdast'
import { isFormatting } from '../delimiters.js'
import { type Diagnostic, printable } from '../diagnostic.js'
import { normalize } from '../index.js'
import type { Block, Break, Code, ListItem, Phrasing, Position, Root } from '../tree.js'
import { type Conversion, labelOf, placed, report } from './conversion.js'
import { inOneLine, joinTexts, splitLines, trimLines, withoutKind } from './lines.js'
import { INDENT } from './markers.js'
import type { Gap, Outline } from './outline.js'
import { holdsBreak, leavesOf, linkOf, phrasingOf } from './phrasing.js'
import { codeOfTable, itemsOf } from './table.js'

/** Maximum depth of nested quotes and lists; deeper ones are shown at this depth. */
const DEPTH_MAX = 16

/** The bullet for each depth of unordered lists. */
const bullets: readonly string[] = ['•', '◦', '▪']

/** Adds blocks to an outline, `gap` between them. */
export function addBlocks(conversion: Conversion, outline: Outline, nodes: readonly RootContent[], gap: Gap): void {
  for (const [index, node] of nodes.entries()) {
    if (index > 0) outline.separate(gap)
    addBlock(conversion, outline, node)
  }
}

function addBlock(conversion: Conversion, outline: Outline, node: RootContent): void {
  switch (node.type) {
    case 'paragraph':
      addLines(conversion, outline, phrasingOf(conversion, node.children), node)
      break
    case 'heading':
      addHeading(conversion, outline, node)
      break
    case 'thematicBreak':
      report(conversion, 'rule', node)
      addLines(conversion, outline, [{ type: 'text', value: '---' }], node)
      break
    case 'blockquote':
      addQuote(conversion, outline, node)
      break
    case 'list':
      if (outline.isOutermost && isFlat(conversion, node)) addFlatList(conversion, outline, node)
      else addList(conversion, outline, node)
      break
    case 'code':
      if (!outline.isOutermost) report(conversion, 'code-place', node)
      addCode(conversion, outline, codeOf(node.lang ?? null, node.meta ?? null, node.value, node))
      break
    case 'html':
      addHtml(conversion, outline, node)
      break
    case 'table':
      addTable(conversion, outline, node)
      break
    case 'file':
      addNormal(conversion, outline, { type: 'file', fileID: node.fileID, label: node.label })
      break
    case 'definition':
    case 'footnoteDefinition':
      // Other definitions are written at their references.
      if (conversion.lateDefinitions.has(node)) addLate(conversion, outline, node)
      break
    default:
      addUnknown(conversion, outline, node)
  }
}

/** Adds a block outside of all containers. */
function addNormal(conversion: Conversion, outline: Outline, block: Block): void {
  for (const made of normalized(conversion, block)) outline.block(made)
}

function addCode(conversion: Conversion, outline: Outline, block: Code): void {
  for (const code of normalized(conversion, block)) outline.code(code)
}

/** Adds a paragraph, or its lines if a container is around it. */
function addLines(conversion: Conversion, outline: Outline, phrasing: readonly Phrasing[], { position }: Nodes): void {
  const children = trimLines(phrasing)
  if (children.length === 0) return
  for (const paragraph of normalized(conversion, placed({ type: 'paragraph', children }, { position }))) {
    if (outline.isOutermost) outline.block(paragraph)
    else outline.lines(linesOf(conversion, paragraph.children))
  }
}

/** Returns phrasing line by line. Formatting that went on over a line ending may now begin or end with a space. */
function linesOf(conversion: Conversion, phrasing: readonly Phrasing[]): Phrasing[][] {
  const lines = splitLines(phrasing)
  if (lines.length === 1) return lines
  const silent = { ...conversion, diagnostics: [] }
  return lines.map((children) => normalized(silent, { type: 'paragraph', children }).flatMap((line) => line.children))
}

function addHeading(conversion: Conversion, outline: Outline, node: Heading): void {
  const children = trimLines(phrasingOf(conversion, node.children))
  const { depth, position } = node
  if (children.length === 0) report(conversion, 'empty', node)
  else if ((depth === 1 || depth === 2) && outline.isOutermost) {
    if (holdsBreak(conversion, node.children)) report(conversion, 'break-place', node)
    // The result has no break, but its type does not say so.
    const line = inOneLine(children) as Exclude<Phrasing, Break>[]
    addNormal(conversion, outline, placed({ type: 'heading', depth, children: line }, { position }))
  } else {
    report(conversion, outline.isOutermost ? 'heading-depth' : 'heading-place', node)
    addLines(conversion, outline, [{ type: 'strong', children: withoutKind(children, 'strong') }], node)
  }
}

function addQuote(conversion: Conversion, outline: Outline, node: Blockquote): void {
  report(conversion, 'quote', node)
  addWithin(conversion, outline, node, () => {
    const fill = (): void => addBlocks(conversion, outline, withAlert(node.children), 'blank')
    outline.within({ kind: 'quote', first: '> ', rest: '> ' }, fill)
  })
}

/** Adds a list as lines of text, each item after its marker or number. */
function addList(conversion: Conversion, outline: Outline, list: List): void {
  report(conversion, list.ordered ? 'ordered-list' : 'nested-list', list)
  const bullet = bullets[outline.itemDepth % bullets.length] ?? ''
  for (const [index, item] of list.children.entries()) {
    if (index > 0) outline.separate(isApart(list.children[index - 1], item, list) ? 'blank' : 'line')
    const mark = list.ordered ? `${(list.start ?? 1) + index}.` : bullet
    addWithin(conversion, outline, item, () => {
      const fill = (): void => addBlocks(conversion, outline, item.children, item.spread ? 'blank' : 'line')
      outline.within({ kind: 'item', first: `${mark} ${boxOf(conversion, item)}`, rest: INDENT }, fill)
    })
  }
}

/** Whether an empty line separates two items; without positions, whether the list has any empty line. */
function isApart(before: MdastItem | undefined, { position }: MdastItem, { spread }: List): boolean {
  if (before?.position === undefined || position === undefined) return spread ?? false
  return position.start.line - before.position.end.line > 1
}

/** Whether a list can be a list of the dialect: it has no numbers, and each item is one line. */
function isFlat(conversion: Conversion, { ordered, children }: List): boolean {
  return (
    !ordered &&
    children.every(({ children: [first, ...others] }) => {
      if (others.length > 0) return false
      return first === undefined || (first.type === 'paragraph' && !holdsBreak(conversion, first.children))
    })
  )
}

function addFlatList(conversion: Conversion, outline: Outline, list: List): void {
  const children = list.children.flatMap((item) => {
    const box = boxOf(conversion, item)
    const [paragraph] = item.children
    const line = trimLines(paragraph?.type === 'paragraph' ? inOneLine(phrasingOf(conversion, paragraph.children)) : [])
    if (box !== '') line.unshift({ type: 'text', value: box })
    if (line.length === 0) report(conversion, 'empty', item)
    const made: ListItem = { type: 'listItem', spread: false, children: [{ type: 'paragraph', children: line }] }
    const lone = placed({ type: 'list', ordered: false, spread: false, children: [made] }, item)
    return line.length === 0 ? [] : normalized(conversion, lone).flatMap((each) => each.children)
  })
  if (children.length > 0) outline.block({ type: 'list', ordered: false, spread: false, children })
}

/** The box of a task, or nothing. */
function boxOf(conversion: Conversion, item: MdastItem): string {
  if (typeof item.checked !== 'boolean') return ''
  report(conversion, 'task-item', item)
  return item.checked ? '☑ ' : '☐ '
}

function addHtml(conversion: Conversion, outline: Outline, node: Html): void {
  const content = conversion.html?.blocksOf(conversion, node) ?? null
  if (content !== null) addBlocks(conversion, outline, content, outline.isOutermost ? 'blank' : 'line')
  else {
    report(conversion, 'html', node)
    addCode(conversion, outline, codeOf('html', null, node.value.trimEnd(), node))
  }
}

function addTable(conversion: Conversion, outline: Outline, node: Table): void {
  report(conversion, 'table', node)
  const { length } = conversion.diagnostics
  const code = codeOfTable(conversion, node)
  if (code !== null) outline.code(code)
  else {
    // The table becomes items, which report again everything that was reported for the code.
    conversion.diagnostics.length = length
    addBlock(conversion, outline, itemsOf(node))
  }
}

/** Adds a definition after its reference: the reference is text already, so readers need both. */
function addLate(conversion: Conversion, outline: Outline, node: Definition | FootnoteDefinition): void {
  report(conversion, 'reference-late', node)
  conversion.writtenDefinitions.add(node)
  const label = labelOf(node)
  if (node.type === 'footnoteDefinition') addFootnote(conversion, outline, node, `[^${label}]: `)
  else {
    const target = linkOf(conversion, { url: node.url, hasTitle: Boolean(node.title) }, [], node)
    addLines(conversion, outline, [{ type: 'text', value: `[${label}]: ` }, ...target], node)
  }
}

/** Adds a footnote after its number. */
export function addFootnote(
  conversion: Conversion,
  outline: Outline,
  { children }: FootnoteDefinition,
  mark: string,
): void {
  const fill = (): void => addBlocks(conversion, outline, children, 'blank')
  outline.within({ kind: 'item', first: mark, rest: INDENT }, fill)
}

/** Adds phrasing among blocks, or the content or the value of a node of another plugin. */
function addUnknown(conversion: Conversion, outline: Outline, node: RootContent): void {
  const isPhrasing = isFormatting(node) || phrasing.has(node.type)
  if (!isPhrasing) report(conversion, String(node.type) === 'math' ? 'math' : 'unknown', node)
  if (isPhrasing) addLines(conversion, outline, phrasingOf(conversion, [node as PhrasingContent]), node)
  else if ('children' in node) addBlocks(conversion, outline, node.children as RootContent[], 'blank')
  else if ('value' in node && typeof node.value === 'string')
    addCode(conversion, outline, codeOf(node.type, null, node.value, node))
}

/** The types of phrasing besides formatting. */
const phrasing: ReadonlySet<string> = new Set(
  'text inlineCode link linkReference image imageReference footnoteReference mention break'.split(' '),
)

function codeOf(lang: string | null, meta: string | null, value: string, { position }: Nodes): Code {
  // `normalize` leaves a meta out, and says so.
  const code = { type: 'code', lang, meta, value: value.replace(/\r\n?/g, '\n') } as Code
  return placed(code, { position })
}

/** Adds the content of a quote or an item; if it is nested too deep, only its leaves. */
function addWithin(conversion: Conversion, outline: Outline, node: Blockquote | MdastItem, add: () => void): void {
  if (outline.depth < DEPTH_MAX) add()
  else {
    report(conversion, 'depth', node)
    addBlocks(conversion, outline, leavesOf(node.children as RootContent[], isContainer), 'line')
  }
}

function isContainer({ type }: Nodes): boolean {
  return type === 'blockquote' || type === 'list' || type === 'listItem'
}

/** Returns the blocks of a quote. If its first line is `[!NOTE]`, for example, it is one of GitHub's alerts: the mark of an alert becomes a bold word. */
function withAlert(nodes: Blockquote['children']): Blockquote['children'] {
  const [paragraph, ...blocks] = nodes
  if (paragraph?.type !== 'paragraph') return nodes
  const [first, ...phrasing] = paragraph.children
  const [mark, kind = ''] = first?.type === 'text' ? (ALERT.exec(first.value) ?? []) : []
  // The line of an alert's mark contains nothing else.
  const isAlone = phrasing.length === 0 || /[\r\n]/.test(mark ?? '')
  if (first?.type !== 'text' || mark === undefined || !isAlone) return nodes
  const label = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  const name: PhrasingContent = { type: 'strong', children: [{ type: 'text', value: label }] }
  const rest = { ...first, value: first.value.slice(mark.length) }
  const following = rest.value === '' ? phrasing : [rest, ...phrasing]
  const body: PhrasingContent[] = following.length === 0 ? [] : [{ type: 'break' }, ...following]
  return [{ ...paragraph, children: [name, ...body] }, ...blocks]
}

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r\n?|\n|$)/i

/** Returns a block in normal form; none if it has nothing visible. Each change is a diagnostic. */
function normalized<Kind extends Block>(conversion: Conversion, block: Kind): Kind[] {
  if (block.type === 'paragraph' || block.type === 'heading') {
    const [text, ...others] = block.children
    // Most text needs no change.
    if (text?.type === 'text' && others.length === 0 && /^[!-~](?:[ -~]*[!-~])?$/.test(text.value))
      return [withoutPosition(block, text.value)]
  }
  const converted: Root = { type: 'root', children: [joined(block)] }
  const { tree, diagnostics } = normalize(converted)
  for (const change of diagnostics) conversion.diagnostics.push(inSource(change, converted))
  // `normalize` does not change the type of a block.
  return tree.children as Kind[]
}

/** Returns a diagnostic with the position of its node: its path leads through the converted tree, whose nodes have source positions. */
function inSource({ path = [], ...message }: Diagnostic, tree: Root): Diagnostic {
  let node: unknown = tree
  for (const key of path) {
    node = Reflect.get(Object(node), key)
    const place = placeOf(node)
    if (place !== undefined) message.place = place
  }
  return printable(message)
}

function placeOf(node: unknown): Position | undefined {
  const hasPlace = typeof node === 'object' && node !== null && 'position' in node
  // Every value on the path is a node.
  return hasPlace ? (node.position as Position | undefined) : undefined
}

function joined(block: Block): Block {
  if (block.type === 'paragraph') return { ...block, children: joinTexts(block.children) }
  // A heading has no break before or after.
  if (block.type === 'heading') return { ...block, children: joinTexts(block.children) as typeof block.children }
  if (block.type !== 'list') return block
  const items = block.children.map((item): ListItem => {
    const [paragraph] = item.children
    return { ...item, children: [{ ...paragraph, children: joinTexts(paragraph.children) }] }
  })
  return { ...block, children: items }
}

/** Returns a paragraph or heading with one text. */
function withoutPosition<Kind extends Block>(block: Kind, value: string): Kind {
  const { position: _position, ...fields } = block
  return { ...fields, children: [{ type: 'text', value }] } as unknown as Kind // as the block was, with a new text
}
