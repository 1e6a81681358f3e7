/** What a renderer asks its caller: who is mentioned, and which file is shown. */
import type { File, Mention, Paragraph } from '../tree.js'
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

export function showMention(node: Mention, options: RenderOptions): ShownMention {
  const resolved = options.mention?.(node.userID, node.label)
  const href = resolved?.href
  return {
    name: resolved?.name ?? node.label ?? node.userID,
    href: href !== undefined && isSafeHref(href) ? href : null,
  }
}

export function showFile(node: File, options: RenderOptions): ShownFile {
  const resolved = options.file?.(node.fileID, node.label)
  return shownFile(node.fileID, resolved?.name ?? node.label ?? node.fileID, resolved)
}

/** Services write a file block in either form (§6): the file that a paragraph is, if it is one. */
export function fileOfParagraph(paragraph: Paragraph, options: RenderOptions): ShownFile | null {
  if (options.file === undefined || paragraph.children.length !== 1) return null
  const [child] = paragraph.children
  if (child?.type !== 'mention' || child.label !== null) return null
  const resolved = options.file(child.userID, null)
  return resolved === undefined ? null : shownFile(child.userID, resolved.name, resolved)
}

function shownFile(fileID: string, name: string, resolved: ResolvedFile | undefined): ShownFile {
  return { fileID, name, resolved: resolved !== undefined && isSafeHref(resolved.href) ? resolved : null }
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
