/** A message as plain text (§7). */
import { codeValue } from '../parse/code.js'
import { resolveEscapes } from '../parse/escape.js'
import { idAt, labelAt } from '../parse/mention.js'
import { firstSpecial, PLAIN } from '../parse/plain.js'
import { read, readLeafOf } from '../parse/read.js'
import { giveBack, type Reader } from '../parse/reader.js'
import {
  AMPERSAND,
  BARE_LINK,
  BLOCK_SIZE,
  BREAK,
  CODE,
  CODE_BLOCK,
  EVENT_SIZE,
  FILE,
  FIRST_ITEM,
  HOLDS_LINE_ENDING,
  INERT,
  ITEM,
  LABEL_URL,
  LESS_THAN_SIGN,
  LINK,
  LINK_END,
  MENTION,
  OPEN,
  PARAGRAPH,
} from '../parse/tape.js'
import { codeAt, fileAt } from '../parse/verbatim.js'
import { isList, type Source } from '../source.js'
import { loneFile, type RenderOptions, type ShownFile, shownFile, shownMention } from './options.js'
import { treeToText } from './text-tree.js'

/**
 * Renders a message as plain text (§7): formatting is dropped, everything else can be read.
 *
 * @param source - markdown, a tree, or a post's blocks
 * @param options - who is mentioned, and which files are shown
 * @returns the text: blocks separated by a blank line
 * @throws {TypeError} when the source is none; whatever a resolver throws
 * @example
 * toText('* **done**, see [log](https://example.com/log)') // => '• done, see log (https://example.com/log)'
 */
export function toText(source: Source, options: RenderOptions = {}): string {
  return textOf(source, options) ?? ''
}

/** The text of a source, null for a string or a tree without a block: a block may well be empty. */
function textOf(source: Source, options: RenderOptions): string | null {
  if (typeof source === 'string') return stringToText(source, options)
  if (!isList(source)) return treeToText(source, options)
  const texts = source.map((each) => textOf(each, options)).filter((text) => text !== null)
  return texts.join('\n\n')
}

/** Straight from what has been read: no tree is made. */
function stringToText(source: string, options: RenderOptions): string | null {
  const from = firstSpecial(source)
  if (from === PLAIN) return source
  const reader = read(source, from)
  let text = ''
  for (let block = 0; block < reader.blocksEnd; block += BLOCK_SIZE) {
    if (block > 0) text += reader.blocks[block] === ITEM ? '\n' : '\n\n'
    text += blockOf(reader, block, options)
  }
  const hasBlocks = reader.blocksEnd > 0
  giveBack(reader)
  return hasBlocks ? text : null
}

function blockOf(reader: Reader, block: number, options: RenderOptions): string {
  const type = reader.blocks[block]
  if (type === CODE_BLOCK) return codeAt(reader, block).value
  if (type === FILE) {
    const { fileID, label } = fileAt(reader, block)
    return fileText(shownFile(fileID, label, options))
  }
  readLeafOf(reader, block)
  const isItem = type === ITEM || type === FIRST_ITEM
  const file = type === PARAGRAPH || isItem ? loneFile(reader, block, options) : null
  const text = file === null ? leafOf(reader, block, options) : fileText(file)
  return isItem ? `• ${text}` : text
}

function fileText({ name }: ShownFile): string {
  return `[file: ${name}]`
}

/** The leaf that has been read: what lies between the events is text. */
function leafOf(reader: Reader, block: number, options: RenderOptions): string {
  const { source, tape, tapeEnd, blocks } = reader
  const end = blocks[block + 3] ?? 0
  let text = ''
  // Of a named link: what stands before it, its url, and whether its label has been nothing but text so far.
  let outside = ''
  let url = ''
  let isText = true
  let textStart = blocks[block + 2] ?? 0
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const type = tape[event] ?? 0
    if (type === INERT || type === AMPERSAND || type === LESS_THAN_SIGN) continue
    const at = tape[event + 1] ?? 0
    const next = tape[event + 2] ?? 0
    const a = tape[event + 3] ?? 0
    if (textStart < at) text += source.slice(textStart - 1, at - 1)
    textStart = next
    if (type === OPEN || type === CODE || type === MENTION) isText = false
    switch (type) {
      case BREAK:
        text += '\n'
        break
      case CODE:
        text += codeValue(source.slice(at + a - 1, next - a - 1), ((tape[event + 4] ?? 0) & HOLDS_LINE_ENDING) !== 0)
        break
      case MENTION:
        text += `@${shownMention(idAt(reader, at, next, a), labelAt(reader, next, a), options).name}`
        break
      case BARE_LINK:
      case LABEL_URL:
        text += resolveEscapes(reader, at, next, 1)
        break
      case LINK:
        outside = text
        text = ''
        url = resolveEscapes(reader, a + 2, next - 1, 2)
        isText = true
        textStart = at + 1
        break
      case LINK_END:
        // What is labelled with its url alone is a bare link.
        text = outside + (isText && text === url ? text : `${text} (${url})`)
    }
  }
  return textStart < end ? text + source.slice(textStart - 1, end - 1) : text
}
