/** §6 and §7, implemented literally: the oracle of the renderers. */

import type { AnyNode, Block, Link, Mention, Paragraph, Phrasing, Root } from '../../src/tree.js'

export interface ReferenceOptions {
  mention?: (userID: string, label: string | null) => { name: string; href?: string } | undefined
  file?: (fileID: string, label: string | null) => ResolvedFile | undefined
  link?: (url: string) => { href: string; target?: '_blank'; rel?: string } | undefined
}

interface ResolvedFile {
  name: string
  mediaType: string
  href: string
  width?: number
  height?: number
}

/** §6: "blocks are separated by one LF, no LF at the end". */
export function referenceHtml(tree: Root, options: ReferenceOptions = {}): string {
  return tree.children.map((block) => blockHtml(block, options)).join('\n')
}

function blockHtml(block: Block, options: ReferenceOptions): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.depth}>${allHtml(block.children, options, false)}</h${block.depth}>`
    case 'paragraph':
      return loneFileHtml(block, options) ?? `<p>${allHtml(block.children, options, false)}</p>`
    case 'list': {
      const items = block.children.map(({ children: [paragraph] }) => {
        return `<li>${loneFileHtml(paragraph, options) ?? allHtml(paragraph.children, options, false)}</li>\n`
      })
      return `<ul>\n${items.join('')}</ul>`
    }
    case 'code': {
      const value = block.value === '' ? '' : `${block.value}\n`
      return `<pre><code${languageAttribute(block.lang)}>${text(value)}</code></pre>`
    }
    case 'file':
      return fileHtml(block.fileID, block.label, options.file?.(block.fileID, block.label))
  }
}

/** "no class without lang (white space that JavaScript's `trim` removes is dropped at LANG's end)". */
function languageAttribute(lang: string | null): string {
  return lang === null ? '' : attribute('class', `language-${lang.trimEnd()}`)
}

function allHtml(nodes: readonly Phrasing[], options: ReferenceOptions, isInAnchor: boolean): string {
  return nodes.map((node) => phrasingHtml(node, options, isInAnchor)).join('')
}

function phrasingHtml(node: Phrasing, options: ReferenceOptions, isInAnchor: boolean): string {
  switch (node.type) {
    case 'text':
      return text(node.value)
    case 'inlineCode':
      return `<code>${text(node.value)}</code>`
    case 'strong':
      return `<strong>${allHtml(node.children, options, isInAnchor)}</strong>`
    case 'emphasis':
      return `<em>${allHtml(node.children, options, isInAnchor)}</em>`
    case 'underline':
      return `<u>${allHtml(node.children, options, isInAnchor)}</u>`
    case 'delete':
      return `<del>${allHtml(node.children, options, isInAnchor)}</del>`
    case 'break':
      return '<br>\n'
    case 'link':
      return linkHtml(node, options, isInAnchor)
    case 'mention':
      return mentionHtml(node, options, isInAnchor)
  }
}

/**
 * "a url whose scheme is not http, https or mailto (or that has none) gives no `a` element, only its children. If the
 * caller's `link` answers for the url, its href, rel and target are used"; "if the href that `link` gives does not count, the
 * link is rendered as its children".
 */
function linkHtml(node: Link, options: ReferenceOptions, isInAnchor: boolean): string {
  const resolved = hasAllowedScheme(node.url) ? options.link?.(node.url) : undefined
  const href = resolved === undefined ? countingHref(node.url) : countingHref(resolved.href)
  if (!hasAllowedScheme(node.url) || href === null) return allHtml(node.children, options, isInAnchor)
  const target = resolved?.target === undefined ? '' : attribute('target', resolved.target)
  const attributes =
    attribute('href', href) + attribute('rel', resolved?.rel ?? 'nofollow noopener noreferrer') + target
  return `<a${attributes}>${allHtml(node.children, options, true)}</a>`
}

function hasAllowedScheme(url: string): boolean {
  return /^(?:http|https|mailto):/i.test(url)
}

/** "A resolver's href counts only if it is http, https or mailto, or a path that begins with one `/`." */
function countingHref(href: string | undefined): string | null {
  if (href === undefined) return null
  return hasAllowedScheme(href) || /^\/(?!\/)/.test(href) ? encodeHref(href) : null
}

/** Inside a link that is an `a` element a mention is a span, since an `a` cannot contain another. */
function mentionHtml(node: Mention, options: ReferenceOptions, isInAnchor: boolean): string {
  const resolved = options.mention?.(node.userID, node.label)
  const name = text(`@${mentionNameOf(node, options)}`)
  const href = isInAnchor ? null : countingHref(resolved?.href)
  const id = attribute('data-user-id', node.userID)
  if (href === null) return `<span${attribute('class', 'mention')}${id}>${name}</span>`
  return `<a${attribute('class', 'mention')}${attribute('href', href)}${id}>${name}</a>`
}

/** "NAME is what the caller's resolver gives for the id, else the label, else the id". */
function mentionNameOf(node: Mention, options: ReferenceOptions): string {
  return options.mention?.(node.userID, node.label)?.name ?? node.label ?? node.userID
}

/**
 * "A paragraph whose only child is a mention without a label whose id the caller's resolver knows as a file is rendered
 * as that file".
 */
function loneFileHtml(paragraph: Paragraph, options: ReferenceOptions): string | null {
  const file = loneFileOf(paragraph, options)
  return file === null ? null : fileHtml(file.id, null, file.resolved)
}

function loneFileOf(paragraph: Paragraph, options: ReferenceOptions): { id: string; resolved: ResolvedFile } | null {
  const [only] = paragraph.children
  if (paragraph.children.length !== 1 || only?.type !== 'mention' || only.label !== null) return null
  const resolved = options.file?.(only.userID, null)
  return resolved === undefined ? null : { id: only.userID, resolved }
}

function fileHtml(id: string, label: string | null, resolved: ResolvedFile | undefined): string {
  const content = fileContentHtml(resolved?.name ?? label ?? id, resolved)
  return `<div${attribute('class', 'file')}${attribute('data-file-id', id)}>${content}</div>`
}

function fileContentHtml(name: string, resolved: ResolvedFile | undefined): string {
  const href = countingHref(resolved?.href)
  if (resolved === undefined || href === null) return text(name)
  const mediaType = resolved.mediaType.toLowerCase()
  if (mediaType.startsWith('image/') && !mediaType.startsWith('image/svg')) {
    const size = sizeAttribute('width', resolved.width) + sizeAttribute('height', resolved.height)
    return `<img${attribute('src', href)}${attribute('alt', name)}${size}${attribute('loading', 'lazy')}>`
  }
  if (mediaType.startsWith('video/')) {
    const attributes = attribute('preload', 'metadata') + attribute('title', name)
    return `<video${attribute('src', href)} controls${attributes}></video>`
  }
  // hast-util-to-html writes `download` without a value where the value is empty or the attribute's own name.
  const download = name === '' || name === 'download' ? ' download' : attribute('download', name)
  return `<a${attribute('href', href)}${download}>${text(name)}</a>`
}

/** "width and height only where known". */
function sizeAttribute(name: string, value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : attribute(name, String(value))
}

/** "`&` and `<` are escaped in text". */
function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** "`&` `"` `'`, the backtick and U+0000 in attribute values", as hast-util-to-html writes them. */
function attribute(name: string, value: string): string {
  const escaped = value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
    .replaceAll('`', '&#x60;')
    .replaceAll('\u0000', '&#x0;')
  return ` ${name}="${escaped}"`
}

/**
 * "In an href every character but … is percent-encoded as UTF-8 (a lone surrogate as U+FFFD), and so is a `%` that two
 * hexadecimal digits do not follow."
 */
function encodeHref(url: string): string {
  const characters = [...url]
  return characters
    .map((character, index) => {
      const next = characters.slice(index + 1, index + 3).join('')
      if (character === '%') return /^[0-9A-Fa-f]{2}$/.test(next) ? '%' : '%25'
      return /^[A-Za-z0-9!#$&'()*+,\-./:;=?@_~]$/.test(character) ? character : percentEncode(character)
    })
    .join('')
}

function percentEncode(character: string): string {
  const bytes = new TextEncoder().encode(character)
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/** §7: "Blocks separated by a blank line". */
export function referenceText(tree: Root, options: ReferenceOptions = {}): string {
  return tree.children.map((block) => plain(block, options)).join('\n\n')
}

function plain(node: AnyNode, options: ReferenceOptions): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
      return node.value
    case 'break':
      return '\n'
    case 'mention':
      return `@${mentionNameOf(node, options)}`
    case 'file':
      return `[file: ${options.file?.(node.fileID, node.label)?.name ?? node.label ?? node.fileID}]`
    case 'list':
      return node.children.map((item) => `• ${allPlain(item.children, options)}`).join('\n')
    case 'link':
      return isBareLink(node) ? node.url : namedLinkText(allPlain(node.children, options), node.url)
    case 'paragraph': {
      const file = loneFileOf(node, options)
      return file === null ? allPlain(node.children, options) : `[file: ${file.resolved.name}]`
    }
    default:
      return allPlain(node.children, options)
  }
}

function allPlain(nodes: readonly AnyNode[], options: ReferenceOptions): string {
  return nodes.map((node) => plain(node, options)).join('')
}

/**
 * "named link as `label (url)`, but as `label` alone if the label's text is the url or what is left of it without `mailto:`, `http://`
 * or `https://` at its start, a final `/` of either aside".
 */
function namedLinkText(label: string, url: string): string {
  const withoutSlash = (text: string) => (text.endsWith('/') ? text.slice(0, -1) : text)
  const schemes = ['mailto:', 'http://', 'https://'].filter((scheme) => url.startsWith(scheme))
  const shown = [url, ...schemes.map((scheme) => url.slice(scheme.length))]
  return shown.some((each) => withoutSlash(each) === withoutSlash(label)) ? label : `${label} (${url})`
}

/** §5: "A bare link is a link whose only child is a text equal to its url." */
function isBareLink(node: Link): boolean {
  const [only] = node.children
  return node.children.length === 1 && only?.type === 'text' && only.value === node.url
}
