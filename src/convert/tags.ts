/** HTML between Markdown: a start tag and its end tag are separate siblings. */
import type { Phrasing, Position } from '../tree.js'
import { type Conversion, report } from './conversion.js'
import { attributeOf, type Counterpart, isBreak, isComment, readTag, shift, type Tag } from './html.js'
import { textOf, unwrapped } from './lines.js'
import { linkOf } from './links.js'

/** The context of phrasing. */
export interface Surroundings {
  readonly isInLink: boolean
  readonly depth: number
}

/** An element that is open. */
interface OpenElement {
  readonly tag: Tag
  readonly element: Shown
  /** The start tag as it was typed. */
  readonly source: string
  readonly position: Position | undefined
  readonly nodes: Phrasing[]
}

/** The counterparts of elements that do more than arrange. */
type Shown = Exclude<Counterpart, 'arranging'> | 'dropped'

/** Collects siblings in order, and wraps those between a start tag and its end tag. */
export class TagStack {
  /** The nodes outside all elements. */
  private readonly outside: Phrasing[] = []
  /** The elements that are open, the innermost last; and those of each name. */
  private readonly levels: OpenElement[] = []
  private readonly named = new Map<string, OpenElement[]>()
  private readonly conversion: Conversion
  private readonly around: Surroundings

  constructor(conversion: Conversion, around: Surroundings) {
    this.conversion = conversion
    this.around = around
  }

  add(node: Phrasing): void {
    const { siblings } = this
    // Adjoining `kbd` elements must not merge.
    if (node.type === 'inlineCode' && siblings.at(-1)?.type === 'inlineCode')
      siblings.push({ type: 'text', value: ' ' })
    siblings.push(node)
  }

  html(value: string, position: Position | undefined): void {
    const tag = readTag(value)
    if (isComment(value)) report(this.conversion, 'html-comment', { position })
    else if (isBreak(value)) this.add(position === undefined ? { type: 'break' } : { type: 'break', position })
    else if (tag?.name === 'img' && !tag.isEnd) this.image(tag, position)
    else if (tag?.name === 'hr') this.rule(position)
    else if (tag !== null && this.conversion.rules.tags.get(tag.name) === 'drop')
      this.pair(tag, 'dropped', value, position)
    else if (tag === null || tag.element === null) this.literal(value, position)
    else if (tag.element !== 'arranging') this.pair(tag, tag.element, value, position)
    else this.arrange(tag, position)
  }

  private get siblings(): Phrasing[] {
    return this.levels.at(-1)?.nodes ?? this.outside
  }

  /** Starts a new line at the tag of a block, so that words do not run together. */
  private arrange({ name, isEnd, isBlock }: Tag, position: Position | undefined): void {
    if (!isEnd) report(this.conversion, 'html-tag', { position })
    if (isBlock) this.newLine()
    if (name === 'li' && !isEnd) this.add({ type: 'text', value: '• ' })
  }

  private newLine(): void {
    const last = this.siblings.at(-1)
    if (last !== undefined && last.type !== 'break') this.add({ type: 'break' })
  }

  private rule(position: Position | undefined): void {
    report(this.conversion, 'rule', { position })
    this.newLine()
    this.add({ type: 'text', value: '---' })
    this.add({ type: 'break' })
  }

  end(): Phrasing[] {
    this.unwind(this.levels, this.outside)
    return this.outside
  }

  private pair(tag: Tag, element: Shown, value: string, position: Position | undefined): void {
    const alike = this.named.get(tag.name) ?? []
    this.named.set(tag.name, alike)
    if (!tag.isEnd) {
      const level: OpenElement = { tag, element, source: value, position, nodes: [] }
      alike.push(level)
      this.levels.push(level)
      return
    }
    const level = alike.pop()
    if (level === undefined) this.literal(value, position)
    else this.close(level)
  }

  private close(level: OpenElement): void {
    const [, ...inside] = this.levels.splice(this.levels.lastIndexOf(level))
    this.unwind(inside, level.nodes)
    for (const node of this.wrap(level)) this.add(node)
  }

  /** Adds the content of levels to nodes. Their start tags have no end tag. */
  private unwind(levels: readonly OpenElement[], nodes: Phrasing[]): void {
    for (const { tag, source, position, nodes: inside } of levels) {
      this.named.get(tag.name)?.pop()
      report(this.conversion, 'html', { position })
      nodes.push({ type: 'text', value: source })
      for (const node of inside) nodes.push(node)
    }
  }

  private wrap({ tag, element, nodes, position }: OpenElement): Phrasing[] {
    if (nodes.length === 0) return []
    switch (element) {
      case 'code':
        return [{ type: 'inlineCode', value: textOf(nodes) }]
      case 'link':
        return this.link(tag, nodes, position)
      case 'sub':
      case 'sup':
        return this.shifted(element, nodes, position)
      case 'dropped':
        report(this.conversion, 'tag', { position })
        return []
      default:
        return [{ type: element, children: nodes }]
    }
  }

  private link(tag: Tag, nodes: Phrasing[], position: Position | undefined): Phrasing[] {
    const url = attributeOf(tag, 'href')
    if (url === '' || this.around.isInLink || nodes.some(({ type }) => type === 'link')) {
      report(this.conversion, 'html-tag', { position })
      return nodes
    }
    return linkOf(this.conversion, { url, hasTitle: false }, nodes, { position })
  }

  private shifted(element: 'sub' | 'sup', nodes: Phrasing[], position: Position | undefined): Phrasing[] {
    const before = endOf(this.siblings.at(-1))
    const text = nodes.every(({ type }) => type === 'text') ? textOf(nodes) : ''
    const value = text === '' ? null : shift(text, element)
    if (value !== null) return [{ type: 'text', value }]
    report(this.conversion, 'html-tag', { position })
    if (/\d$/.test(before) && /^(?:st|nd|rd|th)$/.test(text)) return nodes
    // Brackets separate the text from the words around it, unless it has its own brackets.
    const space = /(?:^|[\s\p{Ps}\p{Pi}])$/u.test(before) ? '' : ' '
    const [open, close] = /^[[(].*[\])]$/su.test(text) ? [space, ''] : [`${space}(`, ')']
    return [{ type: 'text', value: open }, ...nodes, { type: 'text', value: close }]
  }

  private image(tag: Tag, position: Position | undefined): void {
    const alt = attributeOf(tag, 'alt')
    const label: Phrasing[] = alt === '' ? [] : [{ type: 'text', value: alt }]
    const url = attributeOf(tag, 'src')
    report(this.conversion, this.around.isInLink ? 'image-in-link' : 'image', { position })
    const nodes = this.around.isInLink ? label : linkOf(this.conversion, { url, hasTitle: false }, label, { position })
    for (const node of nodes) this.add(node)
  }

  private literal(value: string, position: Position | undefined): void {
    report(this.conversion, 'html', { position })
    this.add({ type: 'text', value: unwrapped(value) })
  }
}

/** Returns the end of the text of a node; a letter in place of a node that is not text. */
function endOf(node: Phrasing | undefined): string {
  if (node === undefined || node.type === 'break') return ''
  return node.type === 'text' ? node.value.slice(-2) : 'a'
}
