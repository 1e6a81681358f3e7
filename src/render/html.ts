/** Renders a message as an HTML string, by the table of §6. */
import { fencedCodeAt, firstSpecial, PLAIN, parseBlocks } from '../parse/blocks.js'
import { codeValue, referenceAt, resolveEscapes } from '../parse/constructs.js'
import * as Event from '../parse/events.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock } from '../parse/events.js'
import { parseLeaf } from '../parse/inline.js'
import { type ParseState, releaseState } from '../parse/state.js'
import { IN_TEXT, IN_URL } from '../parse/units.js'
import { isList, type Source } from '../source.js'
import { unreachable } from '../tree.js'
import { codeElement, fileElement, formattingEnds, formattingStarts, linkStart, mentionElement } from './elements.js'
import { escapeText } from './escape.js'
import { treeToHtml } from './html-tree.js'
import { fileOfLeaf, type RenderOptions, resolveFile, resolveMention } from './options.js'

/**
 * Renders a message as an HTML fragment (§6): the bytes that hast-util-to-html writes for {@link toHast}.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - the callbacks for names, files and links
 * @returns the fragment: one LF separates blocks, and none is at the end
 * @throws {TypeError} if `source` is not a string, a tree or an array of both; also throws any error of a callback
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * toHtml('Hi <@12|Ann>, **done**') // => '<p>Hi <span class="mention" data-user-id="12">@Ann</span>, <strong>done</strong></p>'
 */
export function toHtml(source: Source, options?: RenderOptions): string {
  const callbacks = options ?? {}
  if (typeof source === 'string') return stringToHtml(source, callbacks)
  if (!isList(source)) return treeToHtml(source, callbacks)
  return Array.from(source)
    .map((part) => (typeof part === 'string' ? stringToHtml(part, callbacks) : treeToHtml(part, callbacks)))
    .filter((html) => html !== '')
    .join('\n')
}

/** Renders a string from its events, without a tree. */
function stringToHtml(source: string, options: RenderOptions): string {
  const from = firstSpecial(source)
  if (from === PLAIN) return `<p>${source}</p>`
  const state = parseBlocks(source, from)
  let html = ''
  let isInList = false
  for (const block of state.blocks) {
    const isItem = block.type === 'item'
    if (isInList && !isItem) html += '\n</ul>'
    if (html !== '') html += '\n'
    html += blockHtml(state, block, options)
    isInList = isItem || block.type === 'firstItem'
  }
  releaseState(state)
  return isInList ? `${html}\n</ul>` : html
}

function blockHtml(state: ParseState, block: SourceBlock, options: RenderOptions): string {
  const { type, start, end } = block
  switch (type) {
    case 'paragraph': {
      const file = fileOfLeaf(state, block, options)
      return file === null ? `<p>${leafHtml(state, block, options)}</p>` : fileElement(file)
    }
    case 'heading1':
      return `<h1>${leafHtml(state, block, options)}</h1>`
    case 'heading2':
      return `<h2>${leafHtml(state, block, options)}</h2>`
    case 'firstItem':
      return `<ul>\n${itemHtml(state, block, options)}`
    case 'item':
      return itemHtml(state, block, options)
    case 'code': {
      const { lang, value } = fencedCodeAt(state, block)
      return codeElement(lang, value)
    }
    case 'file': {
      const { id, label } = referenceAt(state, start, end)
      return fileElement(resolveFile(id, label, options))
    }
    default:
      return unreachable(type)
  }
}

/** Renders an item, whose paragraph has no tags. */
function itemHtml(state: ParseState, block: SourceBlock, options: RenderOptions): string {
  const file = fileOfLeaf(state, block, options)
  return `<li>${file === null ? leafHtml(state, block, options) : fileElement(file)}</li>`
}

/** Renders a leaf. Text between its events needs no escape, because `&` and `<` have events. */
function leafHtml(state: ParseState, block: SourceBlock, options: RenderOptions): string {
  parseLeaf(state, block)
  const { source, events, eventsEnd } = state
  const { contentStart, end } = block
  let html = ''
  let textStart = contentStart
  let isAnchor = false
  for (let event = 0; event < eventsEnd; event += EVENT_SIZE) {
    const type = eventType(events, event)
    if (type === Event.INERT) continue
    const at = eventStart(events, event)
    const next = eventEnd(events, event)
    const a = eventA(events, event)
    if (textStart < at) html += source.slice(textStart - 1, at - 1)
    textStart = next
    switch (type) {
      case Event.OPEN:
        html += formattingStarts[a]
        break
      case Event.CLOSE:
        html += formattingEnds[a]
        break
      case Event.AMPERSAND:
        html += '&amp;'
        break
      case Event.LESS_THAN_SIGN:
        html += '&lt;'
        break
      case Event.BREAK:
        html += '<br>\n'
        break
      case Event.CODE: {
        const value = codeValue(state, at, next, a === 1)
        html = `${html}<code>${a === 1 ? value : escapeText(value)}</code>`
        break
      }
      case Event.MENTION: {
        const { id, label } = referenceAt(state, at, next)
        html += mentionElement(id, resolveMention(id, label, options), isAnchor)
        break
      }
      case Event.BARE_LINK:
        html += bareLinkOf(resolveEscapes(state, at, next, IN_TEXT), a === 1, options)
        break
      case Event.LABEL_URL:
        html += escapeText(resolveEscapes(state, at, next, IN_TEXT))
        break
      case Event.LINK: {
        const start = linkStart(resolveEscapes(state, (a >> 1) + 2, next - 1, IN_URL), options, (a & 1) === 1)
        isAnchor = start !== ''
        html += start
        textStart = at + 1
        break
      }
      case Event.LINK_END:
        if (isAnchor) html += '</a>'
        isAnchor = false
    }
  }
  return textStart < end ? html + source.slice(textStart - 1, end - 1) : html
}

function bareLinkOf(url: string, isPlain: boolean, options: RenderOptions): string {
  const text = isPlain ? url : escapeText(url)
  const start = linkStart(url, options, isPlain)
  return start === '' ? text : `${start}${text}</a>`
}
