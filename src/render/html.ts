/** A message as HTML: the table of §6, line for line, as a string. */
import { blocksOf, type Source } from '../source.js'
import type { Block, Code, Link, ListItem, Mention, Phrasing } from '../tree.js'
import { unreachable } from '../tree.js'
import { encodeUrl, escapeAttribute, escapeText, isSafeUrl } from './escape.js'
import {
  fileOfParagraph,
  isImage,
  isSize,
  isVideo,
  type RenderOptions,
  type ResolvedFile,
  type ShownFile,
  showFile,
  showMention,
} from './options.js'

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
  let html = ''
  for (const block of blocksOf(source)) {
    const written = writeBlock(block, options)
    html = html === '' ? written : `${html}\n${written}`
  }
  return html
}

function writeBlock(block: Block, options: RenderOptions): string {
  switch (block.type) {
    case 'paragraph': {
      const file = fileOfParagraph(block, options)
      return file === null ? `<p>${writeChildren(block.children, options)}</p>` : writeFile(file)
    }
    case 'heading':
      return `<h${block.depth}>${writeChildren(block.children, options)}</h${block.depth}>`
    case 'list':
      return `<ul>\n${block.children.map((item) => writeItem(item, options)).join('')}</ul>`
    case 'code':
      return writeCode(block)
    case 'file':
      return writeFile(showFile(block, options))
    default:
      return unreachable(block)
  }
}

/** The item's paragraph has no tag of its own. */
function writeItem({ children: [paragraph] }: ListItem, options: RenderOptions): string {
  const file = fileOfParagraph(paragraph, options)
  return `<li>${file === null ? writeChildren(paragraph.children, options) : writeFile(file)}</li>\n`
}

/** The parent that is being written: what is left of it, what ends it, and the parent around it. */
interface Level {
  nodes: readonly Phrasing[]
  index: number
  end: string
  outer: Level | null
}

/** Without recursion: a tree that somebody else made may be as deep as it likes. */
function writeChildren(children: readonly Phrasing[], options: RenderOptions): string {
  let html = ''
  let nodes = children
  let index = 0
  let end = ''
  let outer: Level | null = null
  // HTML has no `a` in another, so that a mention in a link has none.
  let isInAnchor = false
  for (;;) {
    const node = nodes[index]
    if (node === undefined) {
      html += end
      if (outer === null) return html
      if (end === '</a>') isInAnchor = false
      ;({ nodes, index, end, outer } = outer)
      continue
    }
    index += 1
    let start: string
    let startEnd: string
    switch (node.type) {
      case 'text':
        html += escapeText(node.value)
        continue
      case 'inlineCode':
        html += `<code>${escapeText(node.value)}</code>`
        continue
      case 'break':
        html += '<br>\n'
        continue
      case 'mention':
        html += writeMention(node, options, isInAnchor)
        continue
      case 'strong':
        start = '<strong>'
        startEnd = '</strong>'
        break
      case 'emphasis':
        start = '<em>'
        startEnd = '</em>'
        break
      case 'underline':
        start = '<u>'
        startEnd = '</u>'
        break
      case 'delete':
        start = '<del>'
        startEnd = '</del>'
        break
      case 'link':
        start = startLink(node)
        startEnd = start === '' ? '' : '</a>'
        if (start !== '') isInAnchor = true
        break
      default:
        return unreachable(node)
    }
    html += start
    outer = { nodes, index, end, outer }
    nodes = node.children
    index = 0
    end = startEnd
  }
}

function startLink({ url }: Link): string {
  if (!isSafeUrl(url)) return ''
  return `<a href="${escapeAttribute(encodeUrl(url))}" rel="nofollow noopener noreferrer">`
}

function writeMention(node: Mention, options: RenderOptions, isInAnchor: boolean): string {
  const { name, href } = showMention(node, options)
  const id = escapeAttribute(node.userID)
  if (href === null || isInAnchor) {
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

/** One element for every file; what it holds depends on what is known. */
function writeFile({ fileID, name, resolved }: ShownFile): string {
  const content = resolved === null ? escapeText(name) : writeResolved(name, resolved)
  return `<div class="file" data-file-id="${escapeAttribute(fileID)}">${content}</div>`
}

function writeResolved(name: string, { mediaType, href, width, height }: ResolvedFile): string {
  const src = escapeAttribute(encodeUrl(href))
  const title = escapeAttribute(name)
  if (isImage(mediaType)) {
    return `<img src="${src}" alt="${title}"${writeSize('width', width)}${writeSize('height', height)} loading="lazy">`
  }
  if (isVideo(mediaType)) return `<video src="${src}" controls preload="metadata" title="${title}"></video>`
  // An attribute whose value says no more than its name is written as its name.
  const download = name === '' || name === 'download' ? 'download' : `download="${title}"`
  return `<a href="${src}" ${download}>${escapeText(name)}</a>`
}

function writeSize(name: string, size: number | undefined): string {
  return isSize(size) ? ` ${name}="${size}"` : ''
}
