/** Mentions, files and links as another product shows them. */
import { fileOfParagraph, type RenderOptions, shownFile, shownMention } from '../render/options.js'
import {
  type File,
  type Heading,
  isBareLink,
  type Link,
  type Mention,
  type Paragraph,
  type Phrasing,
  type Text,
} from '../tree.js'

/** Names of users and files. `mention` may also return the user's `id` in the other product: it then mentions them. */
export interface NameOptions extends Pick<RenderOptions, 'mention' | 'file'> {}

/** A mention as a product shows it. */
export interface Name {
  /** The user's id in the product, if the caller's `mention` returns one. */
  readonly id: string | undefined
  /** `@` and the name. */
  readonly text: Text
  /** The name as text, or as a link to the user's page. */
  readonly node: Text | Link
}

export function nameOf({ userID, label }: Mention, options: NameOptions): Name {
  const { name, href } = shownMention(userID, label, options)
  const node = linkOrText(href, `@${name}`, `@${name}`)
  const text: Text = { type: 'text', value: oneLine(`@${name}`) }
  return { id: options.mention?.(userID, label)?.id, text, node }
}

/** The phrasing of a leaf: a file is its name, as a link if its `href` is a complete URL. */
export function leafOf(leaf: Heading | Paragraph | File, options: NameOptions): readonly Phrasing[] {
  if (leaf.type === 'heading') return leaf.children
  const file = leaf.type === 'file' ? shownFile(leaf.fileID, leaf.label, options) : fileOfParagraph(leaf, options)
  if (file !== null) return [linkOrText(file.resolved?.href ?? null, file.name, `[file: ${file.name}]`)]
  return leaf.type === 'file' ? [] : leaf.children
}

/** A path of the service's own site leads nowhere in another product. */
function linkOrText(url: string | null, label: string, text: string): Text | Link {
  if (url === null || !isWebUrl(url)) return { type: 'text', value: oneLine(text) }
  return { type: 'link', url, title: null, children: [{ type: 'text', value: oneLine(label) }] }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Whether every product can link the URL. */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\/./i.test(url)
}

/** The phrasing of a link that a product cannot show: its label, and its URL as a bare link unless that is the label. */
export function spelledOut(link: Link): readonly Phrasing[] {
  if (isBareLink(link)) return link.children
  const url: Link = { ...link, children: [{ type: 'text', value: link.url }] }
  return [...link.children, { type: 'text', value: ' (' }, url, { type: 'text', value: ')' }]
}
