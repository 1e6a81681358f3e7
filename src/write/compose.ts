/** From the nodes of a leaf to its draft. Nothing recurses: a tree may be a million nodes deep. */
import { endOfWhiteSpace, isBlank, traitsBefore, WHITE_SPACE, withoutNull } from '../characters.js'
import type { Break, Formatting, InlineCode, Link, Mention, Phrasing } from '../tree.js'
import { DEPTH, isBareLink, refuseCycle, unreachable } from '../tree.js'
import { isBareUrl, targetOf, writeBareLink, writeMention } from './constructs.js'
import {
  addAtom,
  addCode,
  addText,
  addWhiteSpace,
  type Change,
  type Composer,
  close,
  closeLink,
  type Draft,
  endDraft,
  type LeafType,
  open,
  openLink,
  type Report,
  startDraft,
} from './draft.js'
import { trim } from './edges.js'
import { BARE_LINK, MENTION } from './marks.js'
import { refuseUnsound } from './sound.js'

/** A leaf to be written, and what has been found out about it. */
export interface Leaf {
  readonly type: LeafType
  readonly node: object
  readonly children: readonly Phrasing[]
  /** What does not stand in it as it could, if there is anything. */
  exceptions: Exceptions | null
}

export interface Exceptions {
  /** Bare links that are read as such only with an escape at their end, and those that can not be bare where they stand. */
  readonly escaped: Set<object>
  readonly named: Set<object>
  /** Formatting that can not stand with the marks of punctuation at its ends, and what can not stand where it does at all. */
  readonly trimmed: Set<object>
  readonly dropped: Set<object>
  /** Whether code directly behind code becomes one with it. */
  joinsCode: boolean
  /** Whether all ways to spell it have been searched. */
  isSearched: boolean
}

/** The exceptions of a leaf, to be added to. */
export function exceptionsOf(leaf: Leaf): Exceptions {
  leaf.exceptions ??= {
    escaped: new Set(),
    named: new Set(),
    trimmed: new Set(),
    dropped: new Set(),
    joinsCode: false,
    isSearched: false,
  }
  return leaf.exceptions
}

interface Walk {
  readonly leaf: Leaf
  readonly composer: Composer
  readonly report: Report
  readonly frames: Frame[]
  /** Whether a text ends here. */
  isBehindText: boolean
}

/** A node whose children are being written. */
interface Frame {
  readonly node: Phrasing | null
  readonly children: readonly Phrasing[]
  at: number
  /** Whether it is written with its markers; and what is written behind them, or of a link in their place. */
  readonly isMarked: boolean
  readonly tail: string
}

/** The draft of a leaf, or null if nothing of it can be seen. */
export function compose(leaf: Leaf, report: Report): Draft | null {
  const composer = startDraft(leaf, report)
  const frames: Frame[] = [{ node: null, children: leaf.children, at: 0, isMarked: false, tail: '' }]
  const walk: Walk = { leaf, composer, report, frames, isBehindText: false }
  for (;;) {
    const frame = frames.at(-1)
    if (frame === undefined) break
    const child = frame.children[frame.at]
    frame.at += 1
    if (child !== undefined) enter(walk, child)
    else {
      frames.pop()
      if (frame.node !== null) leave(walk, frame.node, frame)
    }
  }
  const draft = endDraft(composer)
  const { likeBare } = composer
  if (likeBare.length === 0) return draft
  // What would be seen of them twice is seen twice (§7): as text.
  for (const link of likeBare) exceptionsOf(leaf).dropped.add(link)
  return compose(leaf, report)
}

function enter(walk: Walk, node: Phrasing): void {
  refuseUnsound(node)
  const { isBehindText } = walk
  walk.isBehindText = node.type === 'text' && node.value !== ''
  switch (node.type) {
    case 'text':
      if (node.value === '') walk.report(node, 'empty')
      else if (isBehindText) walk.report(node, 'adjacent')
      writeText(walk, node, node.value)
      break
    case 'inlineCode':
      enterCode(walk, node)
      break
    case 'mention':
      enterMention(walk, node)
      break
    case 'break':
      enterBreak(walk, node)
      break
    case 'link':
      enterLink(walk, node)
      break
    case 'strong':
    case 'emphasis':
    case 'underline':
    case 'delete':
      enterFormatting(walk, node)
      break
    default:
      unreachable(node)
  }
}

function enterFormatting(walk: Walk, node: Formatting): void {
  const [child] = node.children
  if (node.type === 'strong' && node.children.length === 1 && child?.type === 'emphasis') {
    // Three stars on either side are read as emphasis around strong.
    refuseUnsound(child)
    walk.report(node, 'order')
    openFrame(walk, child, [])
    openFrame(walk, node, child.children)
  } else openFrame(walk, node, node.children)
}

function openFrame(walk: Walk, node: Formatting, children: readonly Phrasing[]): void {
  const { leaf, composer, report, frames } = walk
  const isDropped = leaf.exceptions?.dropped.has(node) === true
  const trimmed = !isDropped && leaf.exceptions?.trimmed.has(node) ? trim(children) : null
  if (isDropped) report(node, 'place')
  if (trimmed !== null) {
    report(node, 'edge')
    writeText(walk, node, trimmed.head)
  }
  const isMarked = !isDropped && open(composer, node)
  frames.push({ node, children: trimmed?.inside ?? children, at: 0, isMarked, tail: trimmed?.tail ?? '' })
  if (frames.length % DEPTH === 0) refuseCycle(frames.map(({ node }) => node))
}

function enterBreak({ leaf, composer, report }: Walk, node: Break): void {
  if (leaf.type !== 'paragraph') report(node, 'break')
  addWhiteSpace(composer, node, leaf.type === 'paragraph' ? '\n' : ' ')
}

function leave(walk: Walk, node: Phrasing, { isMarked, tail }: Frame): void {
  const { composer } = walk
  walk.isBehindText = false
  if (node.type === 'link') {
    if (isMarked) closeLink(composer, node, tail)
    else writeText(walk, node, tail)
  } else {
    if (isMarked && 'children' in node) close(composer, node)
    if (tail !== '') writeText(walk, node, tail)
  }
}

/** White space at the ends of lines and of the text waits for what follows. */
function writeText(walk: Walk, node: object, value: string): void {
  const { composer } = walk
  const text = linesOf(walk, node, value)
  let at = 0
  while (at < text.length) {
    const start = at
    at = endOfWhiteSpace(text, start, text.length)
    if (start < at) addWhiteSpace(composer, node, text.slice(start, at))
    if (at === text.length) return
    const lineEnd = text.indexOf('\n', at)
    let end = lineEnd < 0 ? text.length : lineEnd
    while ((traitsBefore(text, end) & WHITE_SPACE) !== 0) end -= 1
    addText(composer, text.slice(at, end))
    at = end
  }
}

/** A value with its line endings as LF in a paragraph, as spaces elsewhere; U+0000 is read as U+FFFD (§1). */
function linesOf({ leaf, report }: Walk, node: object, value: string): string {
  if (!/[\0\r\n]/.test(value)) return value
  if (/[\r\n]/.test(value)) report(node, 'break')
  if (value.includes('\0')) report(node, 'character')
  return withoutNull(value).replace(/\r\n?|\n/g, leaf.type === 'paragraph' ? '\n' : ' ')
}

function enterCode({ composer, report }: Walk, node: InlineCode): void {
  const value = withoutNull(node.value).replace(/\r\n?|\n/g, ' ')
  if (value === '') report(node, 'empty')
  else addCode(composer, node, value)
  if (value !== node.value) report(node, node.value.includes('\0') ? 'character' : 'break')
}

/** A mention that can not be written is what would be seen of it. */
function enterMention(walk: Walk, node: Mention): void {
  const { userID, label } = node
  const source = writeMention(userID, label || null)
  if (source !== null) {
    if (label === '') walk.report(node, 'empty')
    addAtom(walk.composer, node, source, MENTION)
  } else {
    walk.report(node, 'reference')
    writeText(walk, node, `@${label || userID}`)
  }
}

/** A link that can not be written is its children, and its url behind them where it would be seen. */
function enterLink(walk: Walk, node: Link): void {
  const { leaf, composer, report, frames } = walk
  const { url, children } = node
  const bare = isBareLink(node)
  const change = changeOfLink(walk, node)
  if (change === null && bare && isBareUrl(url) && !leaf.exceptions?.named.has(node)) {
    if (url.includes('\0')) report(node, 'character')
    addAtom(composer, node, writeBareLink(url, leaf.exceptions?.escaped.has(node) === true), BARE_LINK)
    return
  }
  const target = change === null ? targetOf(url) : null
  if (target === null) {
    report(node, change ?? 'url')
    frames.push({ node, children, at: 0, isMarked: false, tail: bare ? '' : ` (${url})` })
  } else {
    openLink(composer, node)
    frames.push({ node, children, at: 0, isMarked: true, tail: target })
  }
}

/** What keeps a link from being one, whatever its url. */
function changeOfLink({ leaf, composer }: Walk, node: Link): Change | null {
  if (composer.sequence.outer !== null) return 'nested'
  if (leaf.exceptions?.dropped.has(node)) return 'place'
  return isBlankLabel(node.children) ? 'empty' : null
}

/** Whether a label has nothing but white space in it (§3.4). */
function isBlankLabel(children: readonly Phrasing[]): boolean {
  const rest: Phrasing[] = [...children]
  const seen = new Set<Phrasing>()
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.type === 'mention' || (node.type === 'inlineCode' && node.value !== '')) return false
    if (node.type === 'text' && !isBlank(node.value)) return false
    if (!('children' in node) || seen.has(node)) continue
    seen.add(node)
    for (const child of node.children) rest.push(child)
  }
  return true
}
