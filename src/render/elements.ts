/** The elements of §6 as strings: the same whether a message is read from its source or from its tree. */
import { delimiters } from '../delimiters.js'
import { escapeAttribute, escapeText, escapeUrl } from './escape.js'
import { isImage, isSize, isVideo, type ResolvedFile, type ShownFile, type ShownMention } from './options.js'

/** The tags of formatting, by the row of the table of delimiters. */
export const formattingStarts: readonly string[] = delimiters.map(({ element }) => `<${element}>`)
export const formattingEnds: readonly string[] = delimiters.map(({ element }) => `</${element}>`)

const REL = '" rel="nofollow noopener noreferrer">'

/** A link's start tag around an href that has been escaped. */
export function anchorStart(href: string): string {
  return `<a href="${href}${REL}`
}

export function mentionElement(userID: string, { name, href }: ShownMention, isInAnchor: boolean): string {
  const id = escapeAttribute(userID)
  const text = escapeText(name)
  return href !== null && !isInAnchor
    ? `<a class="mention" href="${escapeUrl(href)}" data-user-id="${id}">@${text}</a>`
    : `<span class="mention" data-user-id="${id}">@${text}</span>`
}

export function codeElement(lang: string | null, value: string): string {
  // White space at the end of a class attribute is not part of the class.
  const attribute = lang === null || lang === '' ? '' : ` class="${escapeAttribute(`language-${lang}`.trimEnd())}"`
  return `<pre><code${attribute}>${value === '' ? '' : `${escapeText(value)}\n`}</code></pre>`
}

/** One element for every file; what it holds depends on what is known. */
export function fileElement({ fileID, name, resolved }: ShownFile): string {
  const content = resolved === null ? escapeText(name) : fileContent(name, resolved)
  return `<div class="file" data-file-id="${escapeAttribute(fileID)}">${content}</div>`
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
