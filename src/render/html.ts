/** A message as HTML: the table of §6, line for line, as a string. */
import { blocksOf, type Source } from '../source.js'
import type { Block, Code, Link, Mention, Phrasing } from '../tree.js'
import { unreachable } from '../tree.js'
import { encodeUrl, escapeAttribute, escapeText, isSafeUrl } from './escape.js'
import {
  fileOfParagraph,
  isImage,
  isSize,
  isVideo,
  type RenderOptions,
  type ShownFile,
  showFile,
  showMention,
} from './options.js'
import { type PhrasingWriter, writePhrasing } from './phrasing.js'

/** What is known while one leaf is written. */
interface Context {
  options: RenderOptions
  /** Whether an `a` is open: HTML has none in another. */
  isInAnchor: boolean
}

/**
 * Renders a message as an HTML fragment (§6), byte for byte what hast-util-to-html makes of {@link toHast}.
 *
 * @param source - markdown, a tree, or a post's blocks
 * @param options - who is mentioned, and which files are shown
 * @returns the fragment: blocks separated by one LF, none at the end
 * @throws {TypeError} when the source is none; whatever a resolver throws
 * @example
 * toHtml('Hi <@12|Ann>, **done**') // => '<p>Hi <span class="mention" data-user-id="12">@Ann</span>, <strong>done</strong></p>'
 */
export function toHtml(source: Source, options: RenderOptions = {}): string {
  const context: Context = { options, isInAnchor: false }
  let html = ''
  for (const block of blocksOf(source)) {
    const written = writeBlock(block, context)
    html = html === '' ? written : `${html}\n${written}`
  }
  return html
}

function writeBlock(block: Block, context: Context): string {
  switch (block.type) {
    case 'paragraph': {
      const file = fileOfParagraph(block, context.options)
      return file === null ? `<p>${writeChildren(block.children, context)}</p>` : writeFile(file)
    }
    case 'heading':
      return `<h${block.depth}>${writeChildren(block.children, context)}</h${block.depth}>`
    case 'list':
      return `<ul>\n${block.children.map((item) => `<li>${writeChildren(item.children[0].children, context)}</li>\n`).join('')}</ul>`
    case 'code':
      return writeCode(block)
    case 'file':
      return writeFile(showFile(block, context.options))
    default:
      return unreachable(block)
  }
}

function writeChildren(nodes: readonly Phrasing[], context: Context): string {
  return writePhrasing(nodes, writer, context)
}

const writer: PhrasingWriter<Context> = {
  before(node, context) {
    switch (node.type) {
      case 'text':
        return escapeText(node.value)
      case 'strong':
        return '<strong>'
      case 'emphasis':
        return '<em>'
      case 'underline':
        return '<u>'
      case 'delete':
        return '<del>'
      case 'inlineCode':
        return `<code>${escapeText(node.value)}</code>`
      case 'break':
        return '<br>\n'
      case 'mention':
        return writeMention(node, context)
      case 'link':
        return startLink(node, context)
      default:
        return unreachable(node)
    }
  },
  after(node, context) {
    switch (node.type) {
      case 'strong':
        return '</strong>'
      case 'emphasis':
        return '</em>'
      case 'underline':
        return '</u>'
      case 'delete':
        return '</del>'
      default:
        return node.type === 'link' ? endLink(node, context) : ''
    }
  },
}

function startLink(node: Link, context: Context): string {
  if (!isSafeUrl(node.url)) return ''
  context.isInAnchor = true
  return `<a href="${escapeAttribute(encodeUrl(node.url))}" rel="nofollow noopener noreferrer">`
}

function endLink(node: Link, context: Context): string {
  if (!isSafeUrl(node.url)) return ''
  context.isInAnchor = false
  return '</a>'
}

function writeMention(node: Mention, context: Context): string {
  const { name, href } = showMention(node, context.options)
  const id = escapeAttribute(node.userID)
  if (href === null || context.isInAnchor) {
    return `<span class="mention" data-user-id="${id}">@${escapeText(name)}</span>`
  }
  return `<a class="mention" href="${escapeAttribute(encodeUrl(href))}" data-user-id="${id}">@${escapeText(name)}</a>`
}

function writeCode({ lang, value }: Code): string {
  const attribute = lang === null || lang === '' ? '' : ` class="${escapeAttribute(languageClass(lang))}"`
  return `<pre><code${attribute}>${value === '' ? '' : `${escapeText(value)}\n`}</code></pre>`
}

/** White space at the end of a class attribute is not part of the class. */
function languageClass(lang: string): string {
  return `language-${lang}`.trimEnd()
}

function writeFile({ fileID, name, resolved }: ShownFile): string {
  const text = escapeText(name)
  const attribute = escapeAttribute(name)
  if (resolved === null) return `<div class="file" data-file-id="${escapeAttribute(fileID)}">${text}</div>`
  const href = escapeAttribute(encodeUrl(resolved.href))
  if (isImage(resolved.mediaType)) {
    const size = writeSize('width', resolved.width) + writeSize('height', resolved.height)
    return `<img src="${href}" alt="${attribute}"${size} loading="lazy">`
  }
  if (isVideo(resolved.mediaType)) {
    return `<video src="${href}" controls preload="metadata" title="${attribute}"></video>`
  }
  // An attribute whose value says no more than its name is written as its name.
  const download = name === '' || name === 'download' ? 'download' : `download="${attribute}"`
  return `<a href="${href}" ${download}>${text}</a>`
}

function writeSize(name: string, size: number | undefined): string {
  return isSize(size) ? ` ${name}="${size}"` : ''
}
