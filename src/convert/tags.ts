/** HTML between Markdown: a start tag and its end tag are separate siblings. Here they become the nodes of mdast. */
import type { Html, PhrasingContent } from 'mdast'
import { type Conversion, isBreak, report } from './conversion.js'
import { attributeOf, type Counterpart, isComment, readTag, shift, type Tag } from './html.js'

/** An element that is open. */
interface OpenElement {
  readonly tag: Tag
  readonly start: Html
  readonly nodes: PhrasingContent[]
}

/** The siblings so far: those outside of all elements, and the elements that are open, the innermost last. */
interface State {
  readonly conversion: Conversion
  readonly outside: PhrasingContent[]
  readonly open: OpenElement[]
  /** The number of open elements by name: an end tag without a start tag needs no search. */
  readonly counts: Map<string, number>
  readonly textOf: (nodes: readonly PhrasingContent[]) => string
}

/**
 * Returns siblings with a node for each element, in place of its tags.
 *
 * @param textOf - converts the content of code, and returns its visible text
 */
export function withElements(
  conversion: Conversion,
  nodes: readonly PhrasingContent[],
  textOf: State['textOf'],
): readonly PhrasingContent[] {
  if (nodes.every(({ type }) => type !== 'html')) return nodes
  const state: State = { conversion, outside: [], open: [], counts: new Map(), textOf }
  for (const node of nodes) {
    if (node.type === 'html') addTag(state, node)
    else siblingsIn(state).push(node)
  }
  for (const element of state.open) addUnclosed(state, element, state.outside)
  return state.outside
}

function siblingsIn({ open, outside }: State): PhrasingContent[] {
  return open.at(-1)?.nodes ?? outside
}

function addTag(state: State, node: Html): void {
  const { conversion, open } = state
  const siblings = siblingsIn(state)
  const place = node.position === undefined ? {} : { position: node.position }
  const tag = readTag(node.value)
  const isNamed = tag !== null && conversion.rules.tags.get(tag.name) === 'drop'
  if (isComment(node.value)) report(conversion, 'html-comment', node)
  else if (isBreak(node.value)) siblings.push({ type: 'break', ...place })
  else if (tag?.name === 'img' && !tag.isEnd && attributeOf(tag, 'src') !== '') {
    const parse = conversion.html?.parse
    const [url, alt] = [attributeOf(tag, 'src', parse), attributeOf(tag, 'alt', parse)]
    siblings.push({ type: 'image', url, alt, ...place })
  } else if (tag?.name === 'hr') {
    report(conversion, 'rule', node)
    newLine(siblings)
    siblings.push({ type: 'text', value: '---' }, { type: 'break' })
  } else if (tag === null || (tag.element === null && !isNamed)) addLiteral(state, node)
  else if (/^(?:wbr|col|source)$/.test(tag.name)) report(conversion, 'html-tag', node)
  else if (!tag.isEnd) {
    open.push({ tag, start: node, nodes: [] })
    count(state, tag, 1)
  } else close(state, tag, node)
}

function addLiteral(state: State, node: Html): void {
  report(state.conversion, 'html', node)
  siblingsIn(state).push({ type: 'text', value: node.value })
}

/** Adds the content of an element that only arranges it. A block has its own lines, so that words do not run together. */
function arrange({ conversion }: State, { tag, start, nodes }: OpenElement, siblings: PhrasingContent[]): void {
  report(conversion, 'html-tag', start)
  if (tag.isBlock) newLine(siblings)
  if (tag.name === 'li') siblings.push({ type: 'text', value: '• ' })
  for (const node of nodes) siblings.push(node)
  if (tag.isBlock) newLine(siblings)
}

function newLine(siblings: PhrasingContent[]): void {
  const last = siblings.at(-1)
  if (last !== undefined && last.type !== 'break') siblings.push({ type: 'break' })
}

function close(state: State, { name }: Tag, node: Html): void {
  const isOpen = (state.counts.get(name) ?? 0) > 0
  const index = isOpen ? state.open.findLastIndex(({ tag }) => tag.name === name) : state.open.length
  const [element, ...inside] = state.open.splice(index)
  if (element === undefined) addLiteral(state, node)
  else {
    count(state, element.tag, -1)
    for (const each of inside) {
      count(state, each.tag, -1)
      addUnclosed(state, each, element.nodes)
    }
    const siblings = siblingsIn(state)
    const isDropped = state.conversion.rules.tags.get(name) === 'drop'
    if (element.tag.element === 'arranging' && !isDropped) arrange(state, element, siblings)
    else for (const each of element.nodes.length > 0 ? nodesOf(state, element) : []) siblings.push(each)
  }
}

function count({ counts }: State, { name }: Tag, change: 1 | -1): void {
  counts.set(name, (counts.get(name) ?? 0) + change)
}

/** Adds an element without an end tag: its start tag is text. */
function addUnclosed({ conversion }: State, { start, nodes }: OpenElement, siblings: PhrasingContent[]): void {
  report(conversion, 'html', start)
  siblings.push({ type: 'text', value: start.value })
  for (const node of nodes) siblings.push(node)
}

function nodesOf(state: State, { tag, start, nodes }: OpenElement): PhrasingContent[] {
  const { conversion } = state
  // Only elements with a counterpart and those that `tags` names are opened.
  const element = tag.element as Exclude<Counterpart, 'arranging'>
  if (conversion.rules.tags.get(tag.name) === 'drop') {
    report(conversion, 'tag', start)
    return []
  }
  switch (element) {
    case 'code':
      return [{ type: 'inlineCode', value: state.textOf(nodes) }]
    case 'link': {
      const url = attributeOf(tag, 'href', conversion.html?.parse)
      const place = start.position === undefined ? {} : { position: start.position }
      if (url !== '' && !nodes.some(holdsLink)) return [{ type: 'link', url, children: nodes, ...place }]
      report(conversion, 'html-tag', start)
      return nodes
    }
    case 'sub':
    case 'sup':
      return shifted(state, element, nodes, start)
    default:
      return [{ type: element, children: nodes }]
  }
}

function holdsLink(node: PhrasingContent): boolean {
  return /^link/.test(node.type) || ('children' in node && node.children.some(holdsLink))
}

function shifted(state: State, element: 'sub' | 'sup', nodes: PhrasingContent[], start: Html): PhrasingContent[] {
  const before = endOf(siblingsIn(state).at(-1))
  const text = nodes.map((node) => (node.type === 'text' ? node.value : '\0')).join('')
  const value = shift(text, element)
  if (value !== null) return [{ type: 'text', value }]
  report(state.conversion, 'html-tag', start)
  if (/\d$/.test(before) && /^(?:st|nd|rd|th)$/.test(text)) return nodes
  // Brackets separate the text from the words around it, unless it has its own brackets.
  const space = /(?:^|[\s\p{Ps}\p{Pi}])$/u.test(before) ? '' : ' '
  const [open, close] = /^[[(].*[\])]$/su.test(text) ? [space, ''] : [`${space}(`, ')']
  return [{ type: 'text', value: open }, ...nodes, { type: 'text', value: close }]
}

/** Returns the end of the text of a node; a letter in place of a node that is not text. */
function endOf(node: PhrasingContent | undefined): string {
  if (node === undefined || node.type === 'break') return ''
  return node.type === 'text' ? node.value.slice(-2) : 'a'
}
