/** One block of a message: the core's HTML, with a frame around code and files. */

import { fileReference } from '../../api/rules/message.js'
import type { FileRow } from '../../api/store/store.js'
import { type Block, type RenderOptions, toHtml } from '../../index.js'
import { languageName, paint } from '../../page/colors.js'
import { Markup, markup } from '../../page/markup.js'
import { encodeUrl, escapeAttribute } from '../../render/escape.js'
import type { ShownFile } from '../site-store.js'

export interface BlockOptions {
  readonly render: RenderOptions
  /** The files that the message may show, by their ids. */
  readonly files: ReadonlyMap<string, ShownFile> | undefined
  /** The query of the URL of a file: the share token, or nothing. */
  readonly query: string
}

export function blockMarkup(block: Block, options: BlockOptions): Markup {
  const html = toHtml({ type: 'root', children: [block] }, options.render)
  const file = options.files?.get(fileReference(block)?.id ?? '')
  if (file !== undefined) return fileMarkup(new Markup(html), file, block.type === 'file' ? block.label : null, options)
  if (block.type === 'code') return codeMarkup(block.lang, block.value, html)
  return new Markup(marked(html))
}

export function fileAddress(file: ShownFile, query: string): string {
  return `/files/${file.id}${query}`
}

function fileMarkup(content: Markup, file: ShownFile, label: string | null, { query }: BlockOptions): Markup {
  const kind = file.mediaType.replace(/\/.*/s, '')
  const address = fileAddress(file, query)
  const isPicture = content.html.includes('<img ')
  const shown = isPicture
    ? markup`<a class="picture" href="${address}" title="Open in full size">${content}</a>`
    : content
  const download =
    isPicture || kind === 'video' ? markup` <a href="${address}" download="${file.name}">Download</a>` : null
  return markup`<figure class="attachment ${kind}">${shown}<figcaption dir="auto">${describeFile(file, label)}${download}</figcaption></figure>`
}

/** Longer code is folded, without a script: its first lines are shown, and a button shows the others. */
const CODE_LINES_MAX = 30

/** Draws code below the name of its language. A block that scrolls can be reached by keyboard. */
function codeMarkup(lang: string | null, value: string, html: string): Markup {
  const name = lang === null ? 'Code' : languageName(lang)
  const painted = paint(value, lang)
  const pre =
    painted === null
      ? new Markup(html.replace('<pre>', '<pre tabindex="0">'))
      : markup`<pre tabindex="0"><code class="language-${lang}">${painted}\n</code></pre>`
  const count = value.split('\n').length
  const fold =
    count <= CODE_LINES_MAX
      ? null
      : markup`<details class="fold"><summary><span>Show all ${count} lines</span><span>Show fewer lines</span></summary></details>`
  return markup`<div class="code" role="group" aria-label="${lang === null ? name : `Code, ${name}`}">
<p class="language" dir="auto">${name}</p>${fold}
${pre}
</div>`
}

/** Maximum number of visible characters of a bare URL. The style sheet cuts longer ones; the link and copies have all of it. */
const URL_LENGTH_MAX = 60

/** Marks links whose text is their URL: the others are printed with their URLs. */
function marked(html: string): string {
  const link = /<a href="([^"]*)" rel="nofollow noopener noreferrer">([^<]*)<\/a>/g
  return html.replace(link, (whole, address: string, text: string) => {
    const typed = text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')
    return escapeAttribute(encodeUrl(typed)) === address
      ? whole.replace('<a ', `<a class="bare${typed.length > URL_LENGTH_MAX ? ' long' : ''}" `)
      : whole
  })
}

const names: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'PDF'],
  ['image/jpeg', 'JPEG image'],
  ['image/svg+xml', 'SVG image'],
  ['image/webp', 'WebP image'],
  ['text/plain', 'Text'],
  ['video/quicktime', 'QuickTime video'],
  ['video/webm', 'WebM video'],
])

/** Describes a file in a few words, for example `How it went · PNG image · 1.2 MB`. */
export function describeFile({ name, mediaType, size }: FileRow, label: string | null): string {
  const isSeen = /^(?:image|video)\//.test(mediaType)
  // The link to any other file is its label or name already.
  const names = isSeen ? [label ?? name] : []
  return [...names, typeName(mediaType), sizeName(size)].join(' · ')
}

function typeName(mediaType: string): string {
  const type = mediaType.replace(/\s*;.*/s, '')
  const name = names.get(type)
  if (name !== undefined) return name
  const found = /^(image|video)\/(?:x-)?([\w-]+)/.exec(type)
  return found === null ? type : `${found[2]?.toUpperCase()} ${found[1]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB']

function sizeName(size: number): string {
  if (size < 1000) return size === 1 ? '1 byte' : `${size} bytes`
  let [amount, unit] = [size / 1000, 0]
  // A size that would be shown as 1000 is shown in the next unit.
  while (amount >= 999.5 && unit < UNITS.length - 1) [amount, unit] = [amount / 1000, unit + 1]
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`
}
