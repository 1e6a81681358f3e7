/** Draws one block of a message: the core's elements, with a frame around code and files. */

import { fileReference } from '../../api/rules/message.js'
import type { FileRow } from '../../api/store/store.js'
import { type Block, type HastContent, type HastElement, type RenderOptions, toHast } from '../../index.js'
import { colorCode, languageName } from '../../page/colors.js'
import { Markup, markup } from '../../page/markup.js'
import { encodeUrl } from '../../render/escape.js'

/** A file that a message may show. */
export interface LinkedFile extends FileRow {
  readonly url: string
}

/** Draws a block. `files` has the files that the message may show, by their ids. */
export function blockMarkup(block: Block, options: RenderOptions, files: ReadonlyMap<string, LinkedFile>): Markup {
  if (block.type === 'code') return codeMarkup(block.lang, block.value)
  const drawn = write(toHast({ type: 'root', children: [block] }, options).children)
  const file = files.get(fileReference(block)?.id ?? '')
  return file === undefined ? drawn : fileMarkup(drawn, file, block.type === 'file' ? block.label : null)
}

function fileMarkup(drawn: Markup, file: LinkedFile, label: string | null): Markup {
  const { url } = file
  const kind = file.mediaType.replace(/\/.*/s, '')
  // A `<` in text is escaped, so this is an element.
  const isPicture = drawn.html.includes('<img')
  const content = isPicture ? markup`<a class="picture" href="${url}" title="Open in full size">${drawn}</a>` : drawn
  const download = isPicture || kind === 'video' ? markup` <a href="${url}" download="${file.name}">Download</a>` : null
  return markup`<figure class="attachment ${kind}">${content}<figcaption>${describeFile(file, label)}${download}</figcaption></figure>`
}

/** Maximum number of lines of code that is not folded. Folded code shows its first lines, and a button that shows the others. */
const CODE_LINES_MAX = 30

/** Draws code below the name of its language. A block that scrolls can be reached by keyboard. */
function codeMarkup(lang: string | null, value: string): Markup {
  const name = lang === null ? 'Code' : languageName(lang)
  const lines = value.split('\n')
  const count = lines.length
  const fold =
    count <= CODE_LINES_MAX
      ? null
      : markup`<details class="fold"><summary><span>Show all ${count} lines</span><span>Show fewer lines</span></summary></details>`
  // On a phone, code wraps, except tables, which would lose their columns. Two tests of a line are linear; one pattern would not be.
  const isRule = (line: string): boolean => /^[-+| :]+$/.test(line) && /[-+|]{3}/.test(line)
  const table = lang === null && lines.some(isRule) ? ' table' : ''
  return markup`<div class="code${table}" role="group" aria-label="${lang === null ? name : `Code, ${name}`}">
<header><p>${name}</p></header>${fold}
<pre tabindex="0"><code>${colorCode(value, lang) ?? value}\n</code></pre>
</div>`
}

/** Writes the core's elements. */
function write(nodes: readonly HastContent[]): Markup {
  return new Markup(
    nodes.map((node) => (node.type === 'text' ? markup`${node.value}`.html : writeElement(node))).join(''),
  )
}

/** The headings of a message are one level lower on its page, because the title of the page is an `h1`. */
const tagNames: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3' }

function writeElement({ tagName, properties, children }: HastElement): string {
  const tag = tagNames[tagName] ?? tagName
  const [only] = children
  const text = only?.type === 'text' && children.length === 1 ? only.value : ''
  // The style sheet cuts long bare URLs, and prints other links with their URLs.
  const isBare = tagName === 'a' && encodeUrl(text) === properties['href']
  const allProperties = isBare ? { className: 'bare', ...properties } : properties
  const attributes = Object.entries(allProperties).map(([name, value]) => attributeOf(name, value))
  const start = `<${tag}${attributes.join('')}>`
  return /^(?:br|img)$/.test(tag) ? start : `${start}${write(children).html}</${tag}>`
}

function attributeOf(name: string, value: unknown): string {
  if (value === false || value === null || value === undefined) return ''
  const attributeName = name === 'className' ? 'class' : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const text = Array.isArray(value) ? value.join(' ') : value === true ? '' : String(value)
  return markup` ${new Markup(attributeName)}="${text}"`.html
}

/** Describes a file in a few words, for example `How it went · PNG image · 1.2 MB`, or `PDF · 15 bytes`. */
function describeFile({ name, mediaType, size }: FileRow, label: string | null): string {
  const [type = '', kind, format] = /^(\w+)\/(?:x-)?([\w.-]+)[\w.+-]*/.exec(mediaType) ?? [mediaType]
  // Only images and videos show the label or the name here: the link to any other file already shows it.
  const parts =
    kind === 'image' || kind === 'video'
      ? [label ?? name, `${format?.toUpperCase()} ${kind}`]
      : [type === 'application/pdf' ? 'PDF' : type]
  return [...parts, sizeName(size)].join(' · ')
}

const UNITS = ['kB', 'MB', 'GB', 'TB']

function sizeName(size: number): string {
  if (size < 1000) return size === 1 ? '1 byte' : `${size} bytes`
  let [amount, unit] = [size / 1000, 0]
  // A size that would be shown as 1000 is shown in the next unit.
  while (amount >= 999.5 && unit < UNITS.length - 1) [amount, unit] = [amount / 1000, unit + 1]
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`
}
