/** A tree as plain text (§7): what `text.ts` makes of a source, of somebody's nodes. */
import { withoutNull } from '../characters.js'
import { childrenOf } from '../source.js'
import type { Root } from '../tree.js'
import { type RenderOptions, type ShownFile, shownFile, shownMention } from './options.js'
import { type ParentType, type Renderer, walk } from './walk.js'

/** The text of a tree, null if it has no block. */
export function treeToText(tree: Root, options: RenderOptions): string | null {
  const renderer = new TextRenderer(options)
  walk(childrenOf(tree), renderer)
  return renderer.isFirstBlock ? null : renderer.written
}

class TextRenderer implements Renderer {
  written = ''
  readonly options: RenderOptions
  isFirstBlock = true
  private isFirstItem = true
  private beforeItem = ''
  /** Code is seen even where it is white space. */
  private holdsCode = false
  /** Of each link that is open. */
  private readonly urls: string[] = []

  constructor(options: RenderOptions) {
    this.options = options
  }

  startBlock(): void {
    if (!this.isFirstBlock) this.written += '\n\n'
    this.isFirstBlock = false
    this.isFirstItem = true
  }

  open(type: ParentType, url: string): void {
    switch (type) {
      case 'paragraph':
      case 'heading1':
      case 'heading2':
      case 'list':
        this.startBlock()
        break
      case 'listItem':
        this.beforeItem = this.written
        this.written = ''
        this.holdsCode = false
        break
      case 'link':
        this.urls.push(url)
    }
  }

  close(type: ParentType): void {
    if (type === 'link') this.written += ` (${withoutNull(this.urls.pop() ?? '')})`
    if (type === 'listItem') this.endItem()
  }

  /** An item without anything to be seen, which no source has, shows no bullet. */
  private endItem(): void {
    const item = this.written
    this.written = this.beforeItem
    if (!this.holdsCode && /^[ \t\r\n]*$/.test(item)) return
    this.written += (this.isFirstItem ? '• ' : '\n• ') + item
    this.isFirstItem = false
  }

  /** A text that was built may hold any line ending; each is one LF. So may it U+0000, which no source has. */
  text(value: string): void {
    if (typeof value !== 'string') throw new TypeError(`expected a string, received ${typeof value}`)
    this.written += withoutNull(value.indexOf('\r') < 0 ? value : value.replace(/\r\n?/g, '\n'))
  }

  inlineCode(value: string): void {
    if (value !== '') this.holdsCode = true
    this.written += withoutNull(value)
  }

  bareLink(url: string): void {
    this.written += withoutNull(url)
  }

  break(): void {
    this.written += '\n'
  }

  mention(userID: string, label: string | null): void {
    this.written += `@${nameOf(shownMention(userID, label, this.options), label || userID)}`
  }

  code(_lang: string | null, value: string): void {
    this.startBlock()
    this.written += withoutNull(value)
  }

  file(fileID: string, label: string | null): void {
    this.startBlock()
    const shown = shownFile(fileID, label, this.options)
    this.showFile({ ...shown, name: nameOf(shown, label || fileID) })
  }

  showFile({ name }: ShownFile): void {
    this.written += `[file: ${name}]`
  }
}

/** A name that the tree has is read as its text is; a resolver's stays as it is. */
function nameOf({ name }: { name: string }, known: string): string {
  return name === known ? withoutNull(name) : name
}
