/** Converts tags in Markdown, where a start tag and its end tag are separate siblings, to nodes of mdast. */
import type { Html, PhrasingContent } from 'mdast'
import { isFormatting } from '../delimiters.js'
import { showsUrl } from '../tree.js'
import { type Conversion, isBreak, report, textIn } from './conversion.js'
import { attributeOf, readTag, superOrSubscript, type Tag } from './html.js'

/** Maximum depth of elements; deeper tags become text. People nest only a few. */
const DEPTH_MAX = 100

/** An element that is open. */
interface OpenElement {
  readonly tag: Tag
  readonly start: Html
  readonly nodes: PhrasingContent[]
}

/** The siblings so far: the nodes outside of all elements, and the elements that are open, the innermost last. */
interface State {
  readonly conversion: Conversion
  /** The siblings that follow, the next one last. */
  readonly rest: PhrasingContent[]
  readonly outside: PhrasingContent[]
  readonly open: OpenElement[]
}

/** Returns siblings with a node for each element, in place of its tags. */
export function withElements(conversion: Conversion, nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  if (nodes.every(({ type }) => type !== 'html')) return nodes
  const state: State = { conversion, rest: [...nodes].reverse(), outside: [], open: [] }
  for (let node = state.rest.pop(); node !== undefined; node = state.rest.pop()) {
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
  const tag = readTag(node.value)
  if (node.value.startsWith('<!--')) report(conversion, 'html-comment', node)
  else if (isBreak(node.value)) siblings.push({ type: 'break', position: node.position })
  else if (tag?.name === 'img' && !tag.isEnd && attributeOf(tag, 'src') !== '') {
    const parse = conversion.html?.parse
    const [url, alt] = [attributeOf(tag, 'src', parse), attributeOf(tag, 'alt', parse)]
    siblings.push({ type: 'image', url, alt, position: node.position })
  } else if (tag?.name === 'hr') {
    report(conversion, 'rule', node)
    startNewLine(siblings)
    siblings.push({ type: 'text', value: '---' }, { type: 'break' })
  } else if (tag === null || tag.element === null) addLiteral(state, node, siblings)
  else if (/^(?:wbr|col|source)$/.test(tag.name)) report(conversion, 'html-tag', node)
  else if (tag.isEnd) close(state, tag, node)
  else if (open.length < DEPTH_MAX) open.push({ tag, start: node, nodes: [] })
  else addLiteral(state, node, siblings)
}

function addLiteral({ conversion }: State, node: Html, siblings: PhrasingContent[]): void {
  report(conversion, 'html', node)
  siblings.push({ type: 'text', value: node.value })
}

/** Adds an element without an end tag: its start tag becomes text. */
function addUnclosed(state: State, { start, nodes }: OpenElement, siblings: PhrasingContent[]): void {
  addLiteral(state, start, siblings)
  addAll(siblings, nodes)
}

/** Adds nodes one by one: `push(...nodes)` would fail for very many nodes. */
function addAll(siblings: PhrasingContent[], nodes: readonly PhrasingContent[]): void {
  for (const node of nodes) siblings.push(node)
}

function close(state: State, { name }: Tag, node: Html): void {
  const index = state.open.findLastIndex(({ tag }) => tag.name === name)
  const [element, ...inside] = index < 0 ? [] : state.open.splice(index)
  for (const each of inside) addUnclosed(state, each, element?.nodes ?? [])
  if (element === undefined) addLiteral(state, node, siblingsIn(state))
  else addElement(state, element)
}

function addElement(state: State, openElement: OpenElement): void {
  const { conversion } = state
  const siblings = siblingsIn(state)
  const { tag, start, nodes } = openElement
  const { element, name, isBlock } = tag
  if (element === null || element === 'arranging' || (element === 'code' && !nodes.every(canBeInCode))) {
    report(conversion, 'html-tag', start)
    // A block has its own lines, so that words do not run together.
    if (isBlock) startNewLine(siblings)
    if (name === 'li') siblings.push({ type: 'text', value: '• ' })
    addAll(siblings, nodes)
    if (isBlock) startNewLine(siblings)
  } else if (nodes.length === 0) return
  else if (element === 'code') siblings.push({ type: 'inlineCode', value: nodes.map(textIn).join('') })
  else if (element === 'sub' || element === 'sup') addShifted(state, openElement, element)
  else if (element === 'link') {
    const url = attributeOf(tag, 'href', conversion.html?.parse)
    if (url !== '' && !nodes.some(holdsLink))
      siblings.push({ type: 'link', url, children: nodes, position: start.position })
    else {
      report(conversion, 'html-tag', start)
      addAll(siblings, nodes)
    }
  } else siblings.push({ type: element, children: nodes })
}

/** Whether a node is text or formatting of text, so that code can show all of it. Code cannot hold a link, for example. */
function canBeInCode(node: PhrasingContent): boolean {
  if ('children' in node) return isUrl(node) || (isFormatting(node) && node.children.every(canBeInCode))
  return node.type === 'break' || 'value' in node
}

function startNewLine(siblings: PhrasingContent[]): void {
  const last = siblings.at(-1)
  if (last !== undefined && last.type !== 'break') siblings.push({ type: 'break' })
}

/** Whether a node contains a link. A URL does not count: in code or in the label of another link, it is text. */
function holdsLink(node: PhrasingContent): boolean {
  if (/^link/.test(node.type)) return !isUrl(node)
  return 'children' in node && node.children.some(holdsLink)
}

export function isUrl(node: PhrasingContent): boolean {
  return node.type === 'link' && showsUrl(textIn(node), node.url)
}

function addShifted(state: State, { start, nodes }: OpenElement, element: 'sub' | 'sup'): void {
  const siblings = siblingsIn(state)
  const before = textOf(siblings.at(-1))
  const text = nodes.map((node) => (node.type === 'text' ? node.value : '\0')).join('')
  const value = superOrSubscript(text, element)
  if (value !== null) {
    siblings.push({ type: 'text', value })
    return
  }
  report(state.conversion, 'html-tag', start)
  const isOrdinal = /\d$/.test(before) && /^(?:st|nd|rd|th)$/.test(text)
  const last = [state.outside, ...state.open.map((each) => each.nodes)].flatMap((each) => each.slice(-1)).at(-1)
  const next = state.rest.findLast((each) => each.type !== 'html' || !each.value.startsWith('</'))
  // Brackets separate the text from the words around it, unless it has its own brackets or begins a line without a word after it.
  const isSeparate = /^[[(].*[\])]$/su.test(text) || (textOf(last).trim() === '' && /^(?:\s|$)/.test(textOf(next)))
  const space = isOrdinal || /(?:^|[\s\p{Ps}\p{Pi}])$/u.test(before) ? '' : ' '
  const [open, close] = isOrdinal || isSeparate ? ['', ''] : ['(', ')']
  addAll(siblings, [{ type: 'text', value: space + open }, ...nodes])
  if (close !== '') siblings.push({ type: 'text', value: close })
}

/** Returns the text of a text node; a letter for any other node, and an empty string for a break. */
function textOf(node: PhrasingContent | undefined): string {
  if (node === undefined || node.type === 'break' || (node.type === 'html' && isBreak(node.value))) return ''
  return node.type === 'text' ? node.value : 'a'
}
