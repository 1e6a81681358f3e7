/** The callbacks for mentions, files and links, and the values that a renderer shows for these nodes. */

import { describe } from '../describe.js'
import { endOfMention, referenceAt } from '../parse/constructs.js'
import type { SourceBlock } from '../parse/events.js'
import type { ParseState } from '../parse/state.js'
import { LESS_THAN } from '../parse/units.js'
import type { Paragraph } from '../tree.js'
import { isSafeHref, isSafeUrl } from './escape.js'

/** The result of the `mention` callback. */
export interface ResolvedMention {
  /** The name, shown after an `@`. */
  name: string
  /** The URL of the user's page: http, https, mailto or a path of this site. Any other value is ignored. */
  href?: string
}

/** The result of the `file` callback. */
export interface ResolvedFile {
  name: string
  /** The media type: an image and a video are shown, any other file is a link. */
  mediaType: string
  /** The file's URL: http, https, mailto or a path of this site. For any other value only the name is shown. */
  href: string
  /** The width in CSS pixels. */
  width?: number
  height?: number
}

/** The result of the `link` callback. */
export interface ResolvedLink {
  /** The URL: http, https, mailto or a path of this site. For any other value only the children of the link are shown. */
  href: string
  target?: '_blank'
  /** The link types (default `nofollow noopener noreferrer`). */
  rel?: string
}

/**
 * Callbacks for a renderer. A callback returns `undefined` to keep the default. The renderer throws the errors that a callback throws.
 * Callbacks are synchronous, so load names and files before you render: `referencesOf` lists the ids.
 */
export interface RenderOptions {
  /** Returns the name of a mentioned user. */
  mention?: (userID: string, label: string | null) => ResolvedMention | undefined
  /** Returns the name, type and URL of a file. */
  file?: (fileID: string, label: string | null) => ResolvedFile | undefined
  /** Returns the href of a link whose URL is http, https or mailto, for example a route of an app. */
  link?: (url: string) => ResolvedLink | undefined
}

/** The name and the href that are shown for a mention. */
export interface ShownMention {
  name: string
  href: string | null
}

/** The callback for mentions. Its result may have more fields. */
interface MentionOptions<Resolved extends ResolvedMention> {
  mention?: (userID: string, label: string | null) => Resolved | undefined
}

/** The values that a renderer shows for a file. If `resolved` is null, the content is only the name. */
export interface ShownFile {
  fileID: string
  name: string
  resolved: ResolvedFile | null
}

/** The attributes that are shown for a link. */
export interface ShownLink {
  href: string
  rel: string
  target: '_blank' | null
}

/** The default value of the `rel` attribute of a link. */
export const DEFAULT_REL = 'nofollow noopener noreferrer'

/** Calls the `mention` callback. Returns the name and the href to show, and the result of the callback. */
export function resolveMention<Resolved extends ResolvedMention>(
  userID: string,
  label: string | null | undefined,
  options: MentionOptions<Resolved>,
): ShownMention & { resolved: Resolved | undefined } {
  const resolved = resultOf('mention', options, options.mention, [userID, label ?? null])
  const href = resolved?.href
  return {
    name: stringOr(label || userID, 'mention: name', resolved?.name),
    href: href !== undefined && isSafeHref(href) ? href : null,
    resolved,
  }
}

export function resolveFile(fileID: string, label: string | null | undefined, options: RenderOptions): ShownFile {
  return fileToShow(fileID, label, resultOf('file', options, options.file, [fileID, label ?? null]))
}

/** Calls the `link` callback. Returns the link to show, or null if only the children of the link are shown. */
export function resolveLink(url: string, options: RenderOptions): ShownLink | null {
  if (!isSafeUrl(url)) return null
  const resolved = resultOf('link', options, options.link, [url])
  if (!resolved) return { href: url, rel: DEFAULT_REL, target: null }
  const { href, rel, target } = resolved
  if (!isSafeHref(href)) return null
  return { href, rel: stringOr(DEFAULT_REL, 'link: rel', rel).trim(), target: target === '_blank' ? target : null }
}

/**
 * Calls a callback as a method of the options. Returns the result; undefined if the callback is missing or the result is null.
 *
 * @throws {TypeError} if the callback is not a function, or returns a promise or a value that is not an object
 */
function resultOf<Values extends unknown[], Result extends object>(
  name: string,
  options: object,
  callback: ((...values: Values) => Result | null | undefined) | null | undefined,
  values: Values,
): Result | undefined {
  if (callback === undefined || callback === null) return undefined
  if (typeof callback !== 'function')
    throw new TypeError(`${name}: expected a function, received ${describe(callback)}`)
  const result = callback.apply(options, values)
  if (result === undefined || result === null) return undefined
  if (typeof result === 'object' && !('then' in result)) return result
  const problem =
    typeof result === 'object'
      ? 'a promise: load names before you render'
      : `${describe(result)}: return an object, or undefined if it is not known`
  throw new TypeError(`the \`${name}\` callback returned ${problem}`)
}

/** Returns a field of a callback's result, or `otherwise` if the field is missing. Throws TypeError if the field is not a string. */
function stringOr(otherwise: string, field: string, value: string | undefined): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return otherwise
  throw new TypeError(`${field}: expected a string, received ${describe(value)}`)
}

/** Returns the file of a paragraph that is only a mention without a label, if the `file` callback knows the id (§6); or null. */
export function fileOfParagraph({ children }: Paragraph, options: RenderOptions): ShownFile | null {
  if (options.file === undefined || children.length !== 1) return null
  const [child] = children
  if (child?.type !== 'mention' || (child.label ?? null) !== null) return null
  return typeof child.userID === 'string' ? fileOfMention(child.userID, options) : null
}

/** Returns what `fileOfParagraph` returns, but reads the source instead of the tree. */
export function fileOfLeaf(state: ParseState, block: SourceBlock, options: RenderOptions): ShownFile | null {
  if (options.file === undefined) return null
  const { contentStart: start, end } = block
  if (state.chars[start] !== LESS_THAN || endOfMention(state, start) !== end) return null
  const { id, label } = referenceAt(state, start, end)
  return label === null ? fileOfMention(id, options) : null
}

function fileOfMention(userID: string, options: RenderOptions): ShownFile | null {
  const resolved = resultOf('file', options, options.file, [userID, null])
  return resolved ? fileToShow(userID, null, resolved) : null
}

function fileToShow(fileID: string, label: string | null | undefined, resolved: ResolvedFile | undefined): ShownFile {
  return {
    fileID,
    name: stringOr(label || fileID, 'file: name', resolved?.name),
    resolved: resolved && isSafeHref(resolved.href) ? resolved : null,
  }
}

/** Whether a file is shown as an image. SVG can contain scripts, so it is only offered for download. */
export function isImage(mediaType: string): boolean {
  return /^image\/(?!svg)/i.test(stringOr('', 'file: mediaType', mediaType))
}

export function isVideo(mediaType: string): boolean {
  return /^video\//i.test(mediaType)
}

/** Whether a width or height is known. */
export function isKnownSize(size: number | undefined): size is number {
  return size !== undefined && Number.isFinite(size)
}
