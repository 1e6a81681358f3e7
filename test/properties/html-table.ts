/** The table of §6: the allowed elements and attributes, for a check and for a sanitizer. */

import type { Root } from 'hast'
import type { Schema } from 'hast-util-sanitize'
import { toHtml as hastToHtml } from 'hast-util-to-html'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import type { toHast } from '../../src/index.js'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

const resolvedUrl = /^(?:(?:https?|mailto):|\/(?!\/))/i

/** The attributes of an element in order, with patterns of their values; `?` after a name means optional. */
type Shape = readonly (readonly [name: string, value: RegExp])[]

const shapes: Readonly<Record<string, readonly Shape[]>> = {
  h1: [[]],
  h2: [[]],
  p: [[]],
  ul: [[]],
  li: [[]],
  pre: [[]],
  code: [[], [['class', /^language-/]]],
  strong: [[]],
  em: [[]],
  u: [[]],
  del: [[]],
  br: [[]],
  a: [
    [
      ['href', resolvedUrl],
      ['rel', /^/],
      ['target?', /^_blank$/],
    ],
    [
      ['class', /^mention$/],
      ['href', resolvedUrl],
      ['data-user-id', /./],
    ],
    [
      ['href', resolvedUrl],
      ['download', /^/],
    ],
  ],
  span: [
    [
      ['class', /^mention$/],
      ['data-user-id', /./],
    ],
  ],
  div: [
    [
      ['class', /^file$/],
      ['data-file-id', /./],
    ],
  ],
  img: [
    [
      ['src', resolvedUrl],
      ['alt', /^/],
      ['width?', /^[-+.\de]+$/],
      ['height?', /^[-+.\de]+$/],
      ['loading', /^lazy$/],
    ],
  ],
  video: [
    [
      ['src', resolvedUrl],
      ['controls', /^$/],
      ['preload', /^metadata$/],
      ['title', /^/],
    ],
  ],
}

const phrasing = ['code', 'strong', 'em', 'u', 'del', 'br', 'a', 'span']

/** The allowed children of elements; `#text` is text that is not only a line ending. */
const contents: Readonly<Record<string, readonly string[]>> = {
  '#document-fragment': ['h1', 'h2', 'p', 'ul', 'pre', 'div'],
  h1: ['#text', ...phrasing],
  h2: ['#text', ...phrasing],
  p: ['#text', ...phrasing],
  ul: ['li'],
  li: ['#text', ...phrasing, 'div'],
  pre: ['code'],
  code: ['#text'],
  strong: ['#text', ...phrasing],
  em: ['#text', ...phrasing],
  u: ['#text', ...phrasing],
  del: ['#text', ...phrasing],
  a: ['#text', 'code', 'strong', 'em', 'u', 'del', 'br', 'span'],
  span: ['#text'],
  div: ['#text', 'img', 'video', 'a'],
}

/**
 * Parses HTML with an HTML parser, and checks that everything in it is in the table.
 *
 * @param html - a fragment
 * @throws {Error} at the first element, attribute, URL or text that the table lacks
 */
export function checkElements(html: string): void {
  const open: Node[] = [parseFragment(html)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const allowed = contents[node.nodeName] ?? []
    for (const child of 'childNodes' in node ? node.childNodes : []) {
      const isLineEnding = child.nodeName === '#text' && 'value' in child && child.value === '\n'
      if (!allowed.includes(child.nodeName) && !isLineEnding) fail(html, `${child.nodeName} in ${node.nodeName}`)
      if ('attrs' in child) checkAttributes(html, child)
      open.push(child)
    }
  }
}

/** The characters that can be in an href; all others are percent-encoded. */
const href = /^(?:[\w!#$&'()*+,\-./:;=?@~]|%[\dA-Fa-f]{2})*$/

function checkAttributes(html: string, element: Element): void {
  for (const { name, value } of element.attrs) {
    if ((name === 'href' || name === 'src') && !href.test(value)) fail(html, `${name} ${JSON.stringify(value)}`)
  }
  const isInTable = shapes[element.nodeName]?.some((shape) => {
    const rest = [...element.attrs]
    for (const [name, value] of shape) {
      const isThere = rest[0]?.name === name.replace('?', '')
      if (isThere && !value.test(rest.shift()?.value ?? '')) return false
      if (!isThere && !name.endsWith('?')) return false
    }
    return rest.length === 0
  })
  if (isInTable !== true) fail(html, JSON.stringify(element.attrs))
}

function fail(html: string, found: string): never {
  throw new Error(`${found}, which §6 lacks, in ${JSON.stringify(html)}`)
}

/** The sanitizer compares schemes case-sensitively; a browser does not (§6). */
const schemes = ['http', 'https', 'mailto'].flatMap(spellings)

/** Returns a word in every mixture of lower and upper case. */
function spellings(word: string): string[] {
  return [...word].reduce<string[]>(
    (all, letter) => all.flatMap((start) => [start + letter, start + letter.toUpperCase()]),
    [''],
  )
}

/** The table as the schema of a sanitizer. */
export const schema: Schema = {
  tagNames: Object.keys(shapes),
  attributes: {
    code: [['className', /^language-/]],
    a: [['className', 'mention'], 'href', 'dataUserId', 'download', 'rel', ['target', '_blank']],
    span: [['className', 'mention'], 'dataUserId'],
    div: [['className', 'file'], 'dataFileId'],
    img: ['src', 'alt', 'width', 'height', ['loading', 'lazy']],
    video: ['src', ['controls', true], ['preload', 'metadata'], 'title'],
  },
  protocols: { href: schemes, src: schemes },
  ancestors: { li: ['ul'] },
}

/** Writes the hast of `toHast` or of an HTML parser as HTML, with the character references of §6. */
export function write(tree: ReturnType<typeof toHast> | Root): string {
  return hastToHtml(tree, { characterReferences: { useNamedReferences: true } })
}
