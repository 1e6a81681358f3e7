/** Adapts phrasing to another product: names of users and files, and links. */
import { encodeUrl } from '../render/escape.js'
import {
  fileOfParagraph,
  type RenderOptions,
  type ResolvedMention,
  resolveFile,
  resolveMention,
} from '../render/options.js'
import { type Block, type Code, type Link, type List, type Phrasing, showsUrl } from '../tree.js'
import { joinTexts, textOf } from './lines.js'

/** A block that is text, or is shown as text. */
export type TextBlock = Exclude<Block, List | Code>

/** The result of the `mention` callback: a user's name, and their id in the other product. */
export interface ProductMention extends ResolvedMention {
  /** The user's id in the product. The message mentions the user only if this id is given. */
  id?: string
}

/** Callbacks that return the names of users and files. */
export interface NameOptions extends Pick<RenderOptions, 'file'> {
  /** Returns the name of a mentioned user, and their id in the other product if they are to be mentioned there. */
  mention?: (userID: string, label: string | null) => ProductMention | undefined
}

/** Options for writing a message in another format. */
export interface WritingOptions extends NameOptions {
  /** Whether lines that look like list items and quotes (`1. x`, `> x`, `• x`) stay text. */
  literal?: boolean | undefined
}

/** Tests for the links and user ids that a product accepts. */
export interface ProductRules {
  readonly isLink: (link: Link) => boolean
  readonly isID: (id: string) => boolean
}

/**
 * Returns the phrasing of a leaf as a product can show it. A mention of a user whom the product knows has the product's id as
 * `userID`, and the name after `@` as `label`. Every other mention becomes text or a link to the user's page. A link that the
 * product cannot show becomes its label and its URL. A file becomes a link if its `href` is a complete URL, otherwise text.
 */
export function leafOf(leaf: TextBlock, options: NameOptions, rules: ProductRules): Phrasing[] {
  return joinTexts(adapt(nodesOf(leaf, options, rules), options, rules, false))
}

function nodesOf(leaf: TextBlock, options: NameOptions, rules: ProductRules): readonly Phrasing[] {
  const ownFile = leaf.type === 'file' ? resolveFile(leaf.fileID, leaf.label, options) : null
  const file = ownFile ?? (leaf.type === 'paragraph' ? fileOfParagraph(leaf, options) : null)
  if (file !== null) return [linkOrText(rules, file.resolved?.href, file.name, `[file: ${file.name}]`)]
  return leaf.type === 'file' ? [] : leaf.children
}

function adapt(nodes: readonly Phrasing[], options: NameOptions, rules: ProductRules, isInLink: boolean): Phrasing[] {
  const inside = (children: readonly Phrasing[], isLink = isInLink) => adapt(children, options, rules, isLink)
  return nodes.flatMap((node): Phrasing[] => {
    if (node.type === 'mention') {
      const { name, href, resolved } = resolveMention(node.userID, node.label, options)
      const id = resolved?.id
      if (isInLink) return inside([{ type: 'text', value: toOneLine(`@${name}`) }])
      if (id !== undefined && rules.isID(id)) return [{ type: 'mention', userID: id, label: clean(toOneLine(name)) }]
      return inside([linkOrText(rules, href, `@${name}`, `@${name}`)])
    }
    if ('value' in node) return [{ ...node, value: clean(node.value) }]
    if (!('children' in node)) return [node]
    if (node.type !== 'link') return [{ ...node, children: inside(node.children) }]
    if (!isInLink && rules.isLink(node))
      return [{ ...node, url: clean(node.url), children: inside(node.children, true) as Link['children'] }]
    return inside(spellOutLink(node))
  })
}

/** Returns the label of a link, followed by its URL in parentheses unless the label shows the URL. */
export function spellOutLink(link: Link): readonly Phrasing[] {
  if (showsUrl(textOf(link.children), link.url)) return link.children
  const url: Link = { ...link, children: [{ type: 'text', value: link.url }] }
  return [...link.children, { type: 'text', value: ' (' }, url, { type: 'text', value: ')' }]
}

/** Returns a link to a user or a file, or text if the URL is not complete and the product cannot link it. */
function linkOrText({ isLink }: ProductRules, url: string | null | undefined, label: string, text: string): Phrasing {
  if (url) {
    const link: Link = { type: 'link', url, title: null, children: [{ type: 'text', value: toOneLine(label) }] }
    if (isWebUrl(url) || isLink(link)) return link
  }
  return { type: 'text', value: toOneLine(text) }
}

/** Replaces U+0000 and lone surrogates, which products reject, with U+FFFD. */
export function clean(text: string): string {
  return text.replace(/[\0\uD800-\uDFFF]/gu, '\uFFFD')
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Whether a URL is complete: the scheme is http or https, and a host follows. */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\/./i.test(url)
}

/** Percent-encodes a URL, but not the brackets of an IPv6 host. */
export function encodeLink(url: string): string {
  const [, start = '', host = ''] = /^(https?:\/\/(?:[^/?#@]*@)?)(\[[\da-f:.]*\])/i.exec(url) ?? []
  return encodeUrl(start) + host + encodeUrl(url.slice(start.length + host.length))
}
