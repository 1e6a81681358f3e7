/** HTML between Markdown: a tag comes by itself, and its partner stands somewhere behind it among its siblings. */
import { toText } from '../index.js'
import type { Phrasing, Position } from '../tree.js'
import { type Conversion, report } from './conversion.js'
import { attributeOf, type Element, isBreak, isComment, readTag, shift, type Tag } from './html.js'
import { unwrapped } from './lines.js'
import { linkOf } from './links.js'

/** What stands around phrasing. */
export interface Surroundings {
  readonly isInLink: boolean
  readonly depth: number
}

/** An element that is open, or, at the bottom, all that stands in none. */
interface Level {
  readonly tag: Tag | null
  /** The start tag as it was typed. */
  readonly source: string
  readonly position: Position | undefined
  readonly nodes: Phrasing[]
}

/** Takes siblings in their order, and puts those between two tags into what the tags stand for. */
export class TagStack {
  private readonly levels: [Level, ...Level[]] = [{ tag: null, source: '', position: undefined, nodes: [] }]
  /** How many elements of each name are open. */
  private readonly counts = new Map<string, number>()
  private readonly conversion: Conversion
  private readonly around: Surroundings

  constructor(conversion: Conversion, around: Surroundings) {
    this.conversion = conversion
    this.around = around
  }

  add(node: Phrasing): void {
    ;(this.levels.at(-1) ?? this.levels[0]).nodes.push(node)
  }

  html(value: string, position: Position | undefined): void {
    const tag = readTag(value)
    if (isComment(value)) report(this.conversion, 'html-comment', { position })
    else if (isBreak(value)) this.add(position === undefined ? { type: 'break' } : { type: 'break', position })
    else if (tag?.name === 'img' && !tag.isEnd) this.image(tag, position)
    else if (tag === null || tag.element === null) this.literal(value, position)
    else if (tag.element !== 'arranging') this.pair(tag, tag.element, value, position)
    else if (!tag.isEnd) report(this.conversion, 'html-tag', { position })
  }

  end(): Phrasing[] {
    return this.unwind(0)
  }

  private pair(tag: Tag, element: Element, value: string, position: Position | undefined): void {
    const { name, isEnd } = tag
    if (!isEnd) {
      this.levels.push({ tag, source: value, position, nodes: [] })
      this.count(name, 1)
    } else if ((this.counts.get(name) ?? 0) === 0) this.literal(value, position)
    else this.close(name, element)
  }

  private close(name: string, element: Element): void {
    const index = this.levels.findLastIndex(({ tag }) => tag?.name === name)
    const level = this.levels[index]
    const nodes = this.unwind(index)
    this.levels.length = index
    this.count(name, -1)
    if (level === undefined || level.tag === null) return
    for (const node of this.wrap(element, level.tag, nodes, level.position)) this.add(node)
  }

  /** All nodes from a level on: the start tags of the levels above it have found no partner. */
  private unwind(index: number): Phrasing[] {
    const [first, ...others] = this.levels.slice(index)
    const nodes = first?.nodes ?? []
    for (const { tag, source, position, nodes: inside } of others) {
      if (tag !== null) this.count(tag.name, -1)
      report(this.conversion, 'html', { position })
      nodes.push({ type: 'text', value: source })
      for (const node of inside) nodes.push(node)
    }
    return nodes
  }

  private wrap(element: Element, tag: Tag, nodes: Phrasing[], position: Position | undefined): Phrasing[] {
    if (nodes.length === 0) return []
    switch (element) {
      case 'code':
        return [{ type: 'inlineCode', value: textOf(nodes) }]
      case 'link':
        return this.link(tag, nodes, position)
      case 'sub':
      case 'sup':
        return this.shifted(element, nodes, position)
      case 'arranging':
        return nodes
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
    const [node] = nodes
    const value = nodes.length === 1 && node?.type === 'text' ? shift(node.value, element) : null
    if (value !== null) return [{ type: 'text', value }]
    report(this.conversion, 'html-tag', { position })
    return nodes
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

  private count(name: string, change: 1 | -1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + change)
  }
}

/** What phrasing shows. */
function textOf(nodes: readonly Phrasing[]): string {
  return toText({ type: 'root', children: [{ type: 'paragraph', children: [...nodes] }] })
}
