/** Writes the elements of §6 as strings, for the renderers of source text and of trees. */
import { delimiters } from '../delimiters.js'
import { escapeAttribute, escapeText, escapeUrl } from './escape.js'
import {
  DEFAULT_REL,
  isImage,
  isKnownSize,
  isVideo,
  type RenderOptions,
  type ResolvedFile,
  resolveLink,
  type ShownFile,
  type ShownMention,
} from './options.js'

/** The start tags and the end tags of formatting, in the order of the table of delimiters. */
export const formattingStarts: readonly string[] = delimiters.map(({ element }) => `<${element}>`)
export const formattingEnds: readonly string[] = delimiters.map(({ element }) => `</${element}>`)

/** Matches most URLs: http and https URLs that are the same as their href. */
const PLAIN_URL = /^https?:[\w!#$()*+,\-./:;=?@~]*$/

/** Returns the start tag of a link, or '' if only its children are shown. If `isPlain`, the href is the same as the URL. */
export function linkStart(url: string, options: RenderOptions, isPlain: boolean = PLAIN_URL.test(url)): string {
  if (options.link === undefined && isPlain) return `<a href="${url}" rel="${DEFAULT_REL}">`
  const link = resolveLink(url, options)
  if (link === null) return ''
  const { href, rel, target } = link
  return `<a href="${escapeUrl(href)}" rel="${escapeAttribute(rel)}"${target === null ? '' : ` target="${target}"`}>`
}

export function mentionElement(userID: string, { name, href }: ShownMention, isInAnchor: boolean): string {
  const id = escapeAttribute(userID)
  const text = escapeText(name)
  return href !== null && !isInAnchor
    ? `<a class="mention" href="${escapeUrl(href)}" data-user-id="${id}">@${text}</a>`
    : `<span class="mention" data-user-id="${id}">@${text}</span>`
}

export function codeElement(lang: string | null, value: string): string {
  // White space at the end is removed, because it would not be part of the class.
  const attribute = lang ? ` class="${escapeAttribute(`language-${lang}`.trimEnd())}"` : ''
  return `<pre><code${attribute}>${value === '' ? '' : `${escapeText(value)}\n`}</code></pre>`
}

/** Returns the `div` of a file. Its content depends on the result of the caller's callback. */
export function fileElement({ fileID, name, resolved }: ShownFile): string {
  const content = resolved === null ? escapeText(name) : fileContent(name, resolved)
  return `<div class="file" data-file-id="${escapeAttribute(fileID)}">${content}</div>`
}

function fileContent(name: string, { mediaType, href, width, height }: ResolvedFile): string {
  const src = escapeUrl(href)
  const title = escapeAttribute(name)
  if (isImage(mediaType)) {
    return `<img src="${src}" alt="${title}"${sizeAttribute('width', width)}${sizeAttribute('height', height)} loading="lazy">`
  }
  if (isVideo(mediaType)) return `<video src="${src}" controls preload="metadata" title="${title}"></video>`
  // hast-util-to-html writes the attribute without a value if the name is empty or equals the attribute's name.
  const download = name === '' || name === 'download' ? 'download' : `download="${title}"`
  return `<a href="${src}" ${download}>${escapeText(name)}</a>`
}

function sizeAttribute(name: string, size: number | undefined): string {
  return isKnownSize(size) ? ` ${name}="${size}"` : ''
}
