/** A tree as HTML (§6): what `html.ts` makes of a source, of somebody's nodes. */
import { delimiterOf } from '../delimiters.js'
import { childrenOf } from '../source.js'
import type { Root } from '../tree.js'
import { anchorStart, codeElement, fileElement, mentionElement } from './elements.js'
import { escapeText, escapeUrl, isSafeUrl } from './escape.js'
import { type RenderOptions, type ShownFile, shownFile, shownMention } from './options.js'
import { type ParentType, type Renderer, walk } from './walk.js'

export function treeToHtml(tree: Root, options: RenderOptions): string {
  const renderer = new HtmlRenderer(options)
  walk(childrenOf(tree), renderer)
  return renderer.html
}

class HtmlRenderer implements Renderer {
  html = ''
  readonly options: RenderOptions
  /** Of each link that is open, whether it is an `a`: HTML has none in another. */
  private readonly anchors: boolean[] = []
  private anchorCount = 0

  constructor(options: RenderOptions) {
    this.options = options
  }

  startBlock(): void {
    if (this.html !== '') this.html += '\n'
  }

  open(type: ParentType, url: string): void {
    if (type === 'link') this.startLink(url)
    else {
      if (isBlock(type)) this.startBlock()
      this.html += startTag(type)
    }
  }

  close(type: ParentType): void {
    if (type === 'link') this.endLink()
    else this.html += endTag(type)
  }

  private startLink(url: string): void {
    const isAnchor = isSafeUrl(url) && this.anchorCount === 0
    this.anchors.push(isAnchor)
    if (!isAnchor) return
    this.anchorCount += 1
    this.html += anchorStart(escapeUrl(url))
  }

  private endLink(): void {
    if (this.anchors.pop() !== true) return
    this.anchorCount -= 1
    this.html += '</a>'
  }

  text(value: string): void {
    this.html += escapeText(value)
  }

  inlineCode(value: string): void {
    this.html += `<code>${escapeText(value)}</code>`
  }

  bareLink(url: string): void {
    this.startLink(url)
    this.html += escapeText(url)
    this.endLink()
  }

  break(): void {
    this.html += '<br>\n'
  }

  mention(userID: string, label: string | null): void {
    this.html += mentionElement(userID, shownMention(userID, label, this.options), this.anchorCount > 0)
  }

  code(lang: string | null, value: string): void {
    this.startBlock()
    this.html += codeElement(lang, value)
  }

  file(fileID: string, label: string | null): void {
    this.startBlock()
    this.showFile(shownFile(fileID, label, this.options))
  }

  showFile(file: ShownFile): void {
    this.html += fileElement(file)
  }
}

type ElementType = Exclude<ParentType, 'link'>

function isBlock(type: ElementType): boolean {
  return type === 'paragraph' || type === 'list' || type === 'heading1' || type === 'heading2'
}

function startTag(type: ElementType): string {
  switch (type) {
    case 'paragraph':
      return '<p>'
    case 'heading1':
      return '<h1>'
    case 'heading2':
      return '<h2>'
    case 'list':
      return '<ul>\n'
    case 'listItem':
      return '<li>'
    case 'itemParagraph':
      return ''
    default:
      return `<${delimiterOf(type).element}>`
  }
}

/** An item's paragraph has no tag of its own. */
function endTag(type: ElementType): string {
  switch (type) {
    case 'paragraph':
      return '</p>'
    case 'heading1':
      return '</h1>'
    case 'heading2':
      return '</h2>'
    case 'list':
      return '</ul>'
    case 'listItem':
      return '</li>\n'
    case 'itemParagraph':
      return ''
    default:
      return `</${delimiterOf(type).element}>`
  }
}
