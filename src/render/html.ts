/** A message as HTML: the table of §6, line for line, as a string. */
import { nextOf } from '../characters.js'
import { isPlain, type Leaf, type ParentType, read } from '../parse/index.js'
import type { Source } from '../source.js'
import { escapeAttribute, escapeText, escapeUrl, isPlainUrl, isSafeUrl } from './escape.js'
import {
  isImage,
  isSize,
  isVideo,
  type RenderOptions,
  type ResolvedFile,
  type ShownFile,
  shownFile,
  shownMention,
} from './options.js'
import { type Renderer, walk } from './walk.js'

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
  if (typeof source === 'string' && isPlain(source)) return `<p>${escapeText(source)}</p>`
  const renderer = new HtmlRenderer(options)
  // A resolver may render something itself, and no parse can begin during another: with one, the tree comes first.
  const isDirect = typeof source === 'string' && options.mention === undefined && options.file === undefined
  if (isDirect) read(source, renderer)
  else walk(source, renderer)
  return renderer.html
}

class HtmlRenderer implements Renderer {
  html = ''
  readonly options: RenderOptions
  /** Of each link that is open, whether it is an `a`: HTML has none in another. */
  private readonly anchors: boolean[] = []
  private anchorCount = 0
  /** The text that is being read, whether it is the source, and the next `&` and `<` of the source. */
  private leaf = ''
  private isSource = false
  private ampersand = -1
  private lessThan = -1

  constructor(options: RenderOptions) {
    this.options = options
  }

  enter({ text, isSource }: Leaf): void {
    this.leaf = text
    this.isSource = isSource
  }

  /** Escapes what stands from `start` to `end` of the leaf. What there is to escape in a source is looked for once. */
  private escape(value: string, start: number, end: number): string {
    if (!this.isSource) return escapeText(value)
    if (this.ampersand < start) this.ampersand = nextOf(this.leaf, '&', start)
    if (this.lessThan < start) this.lessThan = nextOf(this.leaf, '<', start)
    return this.ampersand < end || this.lessThan < end ? escapeText(value) : value
  }

  startBlock(): void {
    if (this.html !== '') this.html += '\n'
  }

  open(type: ParentType, _start: number, url: string): void {
    if (type === 'link') this.startLink(url)
    else this.html += startTag(type, this.html === '')
  }

  close(type: ParentType): void {
    if (type === 'link') {
      if (this.anchors.pop() !== true) return
      this.anchorCount -= 1
    }
    this.html += endTag(type)
  }

  private startLink(url: string): void {
    const isAsItStands = isPlainUrl(url)
    const isAnchor = (isAsItStands || isSafeUrl(url)) && this.anchorCount === 0
    this.anchors.push(isAnchor)
    if (!isAnchor) return
    this.anchorCount += 1
    this.html += anchorStart(isAsItStands ? url : escapeUrl(url))
  }

  text(value: string, start: number, end: number): void {
    this.html += this.escape(value, start, end)
  }

  inlineCode(value: string, start: number, end: number): void {
    this.html += `<code>${this.escape(value, start, end)}</code>`
  }

  bareLink(url: string): void {
    if (isPlainUrl(url) && this.anchorCount === 0) {
      this.html += `${anchorStart(url)}${url}</a>`
      return
    }
    this.startLink(url)
    this.html += escapeText(url)
    this.close('link')
  }

  break(): void {
    this.html += '<br>\n'
  }

  mention(userID: string, label: string | null): void {
    const { name, href } = shownMention(userID, label, this.options)
    const id = escapeAttribute(userID)
    const text = escapeText(name)
    this.html +=
      href !== null && this.anchorCount === 0
        ? `<a class="mention" href="${escapeUrl(href)}" data-user-id="${id}">@${text}</a>`
        : `<span class="mention" data-user-id="${id}">@${text}</span>`
  }

  openCode(): void {}

  code(lang: string | null, _meta: string | null, value: string): void {
    this.startBlock()
    // White space at the end of a class attribute is not part of the class.
    const attribute = lang === null || lang === '' ? '' : ` class="${escapeAttribute(`language-${lang}`.trimEnd())}"`
    this.html += `<pre><code${attribute}>${value === '' ? '' : `${escapeText(value)}\n`}</code></pre>`
  }

  file(fileID: string, label: string | null): void {
    this.startBlock()
    this.showFile(shownFile(fileID, label, this.options))
  }

  /** One element for every file; what it holds depends on what is known. */
  showFile({ fileID, name, resolved }: ShownFile): void {
    const content = resolved === null ? escapeText(name) : fileContent(name, resolved)
    this.html += `<div class="file" data-file-id="${escapeAttribute(fileID)}">${content}</div>`
  }
}

/** Blocks are separated by one LF. A switch, as looking up a name in an object takes several times as long. */
function startTag(type: ParentType, isFirst: boolean): string {
  switch (type) {
    case 'paragraph':
      return isFirst ? '<p>' : '\n<p>'
    case 'strong':
      return '<strong>'
    case 'emphasis':
      return '<em>'
    case 'underline':
      return '<u>'
    case 'delete':
      return '<del>'
    case 'listItem':
      return '<li>'
    case 'list':
      return isFirst ? '<ul>\n' : '\n<ul>\n'
    case 'heading1':
      return isFirst ? '<h1>' : '\n<h1>'
    case 'heading2':
      return isFirst ? '<h2>' : '\n<h2>'
    default:
      return ''
  }
}

/** An item's paragraph has no tag of its own. */
function endTag(type: ParentType): string {
  switch (type) {
    case 'paragraph':
      return '</p>'
    case 'strong':
      return '</strong>'
    case 'emphasis':
      return '</em>'
    case 'underline':
      return '</u>'
    case 'delete':
      return '</del>'
    case 'link':
      return '</a>'
    case 'listItem':
      return '</li>\n'
    case 'list':
      return '</ul>'
    case 'heading1':
      return '</h1>'
    case 'heading2':
      return '</h2>'
    default:
      return ''
  }
}

function anchorStart(href: string): string {
  return `<a href="${href}" rel="nofollow noopener noreferrer">`
}

function fileContent(name: string, { mediaType, href, width, height }: ResolvedFile): string {
  const src = escapeUrl(href)
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
