/** What a renderer asks its caller: who is mentioned, and which file is shown. */
import type { Paragraph } from '../tree.js'
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
  const resolved = options.mention?.(userID, label)
  const href = resolved?.href
  return {
    name: resolved?.name ?? (label || userID),
    href: href !== undefined && isSafeHref(href) ? href : null,
  }
}

export function shownFile(fileID: string, label: string | null, options: RenderOptions): ShownFile {
  return resolvedFile(fileID, label, options.file?.(fileID, label))
}

/** Services write a file block in either form (§6): the file that a paragraph is, if it is one. */
export function fileOfParagraph({ children }: Paragraph, options: RenderOptions): ShownFile | null {
  if (options.file === undefined || children.length !== 1) return null
  const [child] = children
  if (child?.type !== 'mention' || child.label !== null) return null
  const resolved = options.file(child.userID, null)
  return resolved === undefined ? null : resolvedFile(child.userID, null, resolved)
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
