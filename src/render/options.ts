/** What a renderer asks its caller: who is mentioned, and which file is shown. */
import { idAt, labelAt } from '../parse/mention.js'
import type { Reader } from '../parse/reader.js'
import { EVENT_SIZE, MENTION } from '../parse/tape.js'
import { childrenIn, type Paragraph } from '../tree.js'
import { isSafeHref } from './escape.js'

/** What is known of a user. */
export interface ResolvedMention {
  /** Shown behind an `@`. */
  name: string
  /** The user's page: http, https, mailto or a path of this site; anything else is left out. */
  href?: string
}

/** What is known of a file. */
export interface ResolvedFile {
  name: string
  /** Decides how the file is shown: as an image, as a video, or as a link. */
  mediaType: string
  /** Where the file is served: http, https or a path of this site; anything else is left out. */
  href: string
  /** In CSS pixels. */
  width?: number
  height?: number
}

export interface RenderOptions {
  /** Says who a mention names; undefined where that is not known. What it throws, the render throws. */
  mention?: (userID: string, label: string | null) => ResolvedMention | undefined
  /** Says what a file is; undefined where that is not known. What it throws, the render throws. */
  file?: (fileID: string, label: string | null) => ResolvedFile | undefined
}

/** A mention as it is shown. */
export interface ShownMention {
  name: string
  href: string | null
}

/** A file as it is shown; without `resolved` only by its name. */
export interface ShownFile {
  fileID: string
  name: string
  resolved: ResolvedFile | null
}

export function shownMention(userID: string, label: string | null, options: RenderOptions): ShownMention {
  const resolved = answerOf('mention', options.mention?.(userID, label))
  const href = resolved?.href
  return {
    name: resolved?.name ?? (label || userID),
    href: href !== undefined && isSafeHref(href) ? href : null,
  }
}

export function shownFile(fileID: string, label: string | null, options: RenderOptions): ShownFile {
  return resolvedFile(fileID, label, answerOf('file', options.file?.(fileID, label)))
}

/** A resolver answers at once: a promise would be shown as if nothing were known. */
function answerOf<Answer>(name: string, answer: Answer): Answer {
  if (typeof (answer as { then?: unknown } | null | undefined)?.then !== 'function') return answer
  throw new TypeError(
    `the ${name} resolver gave a promise: look all names up first, then render with a resolver that answers at once`,
  )
}

/** Services write a file block in either form (§6): the file that a paragraph is, if it is one. */
export function fileOfParagraph(paragraph: Paragraph, options: RenderOptions): ShownFile | null {
  const children = childrenIn(paragraph)
  const [child] = children
  const isLone =
    options.file !== undefined && children.length === 1 && child?.type === 'mention' && child.label === null
  return isLone ? fileOfMention(child.userID, options) : null
}

/** The same of a paragraph, an item's too, whose leaf has been read. */
export function loneFile(reader: Reader, block: number, options: RenderOptions): ShownFile | null {
  const { tape, tapeEnd, blocks } = reader
  if (options.file === undefined || tapeEnd !== EVENT_SIZE || tape[0] !== MENTION) return null
  const [, start = 0, end = 0, pipe = 0] = tape
  const isLone = start === blocks[block + 2] && end === blocks[block + 3] && labelAt(reader, end, pipe) === null
  return isLone ? fileOfMention(idAt(reader, start, end, pipe), options) : null
}

function fileOfMention(userID: string, options: RenderOptions): ShownFile | null {
  const resolved = answerOf('file', options.file?.(userID, null))
  return resolved === undefined ? null : resolvedFile(userID, null, resolved)
}

function resolvedFile(fileID: string, label: string | null, resolved: ResolvedFile | undefined): ShownFile {
  return {
    fileID,
    name: resolved?.name ?? (label || fileID),
    resolved: resolved !== undefined && isSafeHref(resolved.href) ? resolved : null,
  }
}

/** SVG can hold scripts, so that it is offered for download like any other file. */
export function isImage(mediaType: string): boolean {
  return /^image\/(?!svg)/i.test(mediaType)
}

export function isVideo(mediaType: string): boolean {
  return /^video\//i.test(mediaType)
}

/** Whether a width or height is known. */
export function isSize(size: number | undefined): size is number {
  return size !== undefined && Number.isFinite(size)
}
