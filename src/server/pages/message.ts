/** Messages, rendered by the core with the names and files that they may show, and their previews. */

import { fileReference } from '../../api/rules/message.js'
import type { TimeSlices } from '../../api/rules/scheduler.js'
import { referencesOf as namesIn, parse, type RenderOptions, type Root, toText } from '../../index.js'
import { type Markup, markup } from '../../page/markup.js'
import type { Post } from '../site-store.js'
import { blockMarkup, type LinkedFile } from './block.js'
import type { PageRequest } from './layout.js'

/** Names, files and trees of the messages of a page. */
export interface References {
  /** Names of people and bots, by id. */
  readonly names: ReadonlyMap<string, string>
  /** The files of each message, by the id of the message and then by the id of the file. */
  readonly files: ReadonlyMap<string, ReadonlyMap<string, LinkedFile>>
  /** The query of the URL of a page or file: the share token, or nothing. */
  readonly query: string
  /** The trees of each message, by its id. */
  readonly trees: ReadonlyMap<string, readonly Root[]>
  readonly slices: TimeSlices
}

/**
 * Parses messages, and looks up their authors, the users that they mention and the files that they show. `query` is the
 * query of the URLs of the page and its files: the share token, or nothing.
 */
export async function referencesOf(
  messages: readonly Post[],
  { rows, slices }: Pick<PageRequest, 'rows' | 'slices'>,
  query = '',
): Promise<References> {
  const ids = new Set(messages.flatMap(({ authorID, parentAuthorID }) => [authorID, parentAuthorID ?? authorID]))
  const trees = new Map<string, Root[]>()
  for (const { id, blocks } of messages) {
    const blockTrees: Root[] = []
    for (const block of blocks ?? []) {
      const tree = await slices.run(block.length, () => parse(block, { position: false }))
      if (block.includes('<@')) for (const userID of namesIn(tree).userIDs) ids.add(userID)
      blockTrees.push(tree)
    }
    trees.set(id, blockTrees)
  }
  const [names, shownFiles] = await Promise.all([rows.namesOf([...ids]), rows.shownFiles([...trees.keys()])])
  const files = new Map([...trees.keys()].map((id) => [id, new Map<string, LinkedFile>()]))
  for (const file of shownFiles) files.get(file.messageID)?.set(file.id, { ...file, url: `/files/${file.id}${query}` })
  return { names, files, query, trees, slices }
}

/** Returns the options for rendering a message: current names, and the files that the message may show. */
function renderOptions(id: string, { names, files }: References): RenderOptions {
  const messageFiles = files.get(id)
  return {
    mention: (userID) => {
      const name = names.get(userID)
      return name === undefined ? undefined : { name }
    },
    file: (fileID, label) => {
      const file = messageFiles?.get(fileID)
      if (file === undefined) return undefined
      const { name, mediaType } = file
      return { name: label ?? name, mediaType, href: file.url, ...pictureSize(file) }
    },
  }
}

/** Maximum height of a picture in pixels, about 34 lines. */
const PICTURE_HEIGHT_MAX = 544

/** Returns the size of a picture, scaled down to the maximum height. */
function pictureSize({ width, height }: LinkedFile): { width: number; height: number } | object {
  if (width === null || height === null) return {}
  const scale = Math.min(1, PICTURE_HEIGHT_MAX / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The mark after the name of a private channel. */
export const privateTag: Markup = markup` <span class="tag">private</span>`

/** Draws a message. `time` is the form of its time: only hours and minutes in a list that names the days. */
export async function messageCard(
  message: Post,
  references: References,
  time: TimePart,
  isMarked = false,
): Promise<Markup> {
  const { id, authorID, chatID, createdAt } = message
  const author = references.names.get(authorID) ?? authorID
  const path = chatID === undefined ? `/${id}${references.query}` : `/${chatID}/${id}`
  const content =
    message.blocks === null
      ? markup`<p class="deleted">This comment was deleted.</p>`
      : await contentOf(message, references)
  // The browser scrolls to the message with the focus, which needs no script.
  const current = isMarked ? markup` aria-current="true" tabindex="-1" autofocus` : null
  const mark = isMarked ? markup` <span class="tag">linked</span>` : null
  return markup`<article class="message" id="m${id}"${current}>
<header>${avatarOf(authorID, author)}<b class="author" dir="auto">${author}</b> <a class="when" href="${path}">${timeOf(createdAt, time)}</a>${mark}</header>
${replyLine(message, references)}
<div class="content blockmark" dir="auto">
${content}
</div>
</article>`
}

/** Draws a line with the author of the comment that a comment replies to. The style sheet hides the line if that comment is right above. */
function replyLine({ parentID, parentAuthorID }: Post, { names, query, trees }: References): Markup | null {
  if (typeof parentID !== 'string') return null
  // A comment on the same page is linked by its anchor.
  const path = trees.has(parentID) ? `#m${parentID}` : `/${parentID}${query}`
  const author = names.get(parentAuthorID ?? '') ?? parentAuthorID ?? ''
  return markup`<p class="in-reply">In reply to <a href="${path}" dir="auto">${author}</a></p>`
}

const TONES = 8

/** Draws the first letter of a name in one of a few colors, so that authors are easy to distinguish. */
function avatarOf(authorID: string, name: string): Markup {
  const [initial = '?'] = name.trim()
  // The style sheet draws the letter, so that copied text does not contain it.
  return markup`<span class="avatar tone-${Number(authorID) % TONES}" data-letter="${initial.toUpperCase()}" aria-hidden="true"></span>`
}

/** Forms of a time: date and time, the day, hours and minutes, or a brief form for lists. */
export type TimePart = 'time' | 'day' | 'clock' | 'brief'

const styles: Readonly<Record<TimePart, Intl.DateTimeFormatOptions>> = {
  time: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'full' },
  clock: { timeStyle: 'short' },
  brief: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
}

/** Formats of times. Each is created when it is first used, because creating one takes longer than drawing a page. */
const formats = new Map<TimePart, Intl.DateTimeFormat>()

/** Writes a time for programs and people, in UTC; the script of the page puts it into the reader's time zone. */
export function timeOf(time: Date, part: TimePart): Markup {
  const format = formats.get(part) ?? new Intl.DateTimeFormat('en-GB', { ...styles[part], timeZone: 'UTC' })
  formats.set(part, format)
  return markup`<time class="${part}" datetime="${time.toISOString()}">${format.format(time)}${/^(?:time|brief)$/.test(part) ? ' UTC' : ''}</time>`
}

async function contentOf({ id, blocks }: Post, references: References): Promise<Markup> {
  const options = renderOptions(id, references)
  const files = references.files.get(id) ?? new Map<string, LinkedFile>()
  const drawnBlocks: Markup[] = []
  for (const [index, tree] of (references.trees.get(id) ?? []).entries()) {
    const draw = (): Markup[] => tree.children.map((block) => blockMarkup(block, options, files))
    drawnBlocks.push(...(await references.slices.run(blocks?.[index]?.length ?? 0, draw)))
  }
  return markup`${drawnBlocks}`
}

const TITLE_LENGTH_MAX = 80
const PREVIEW_LENGTH_MAX = 280

/** Returns the first line of a message and some of the next ones; for a message of files alone, their names. */
export function beginningOf(message: Post, references: References): { title: string; rest: string } {
  const text = textOf(message.id, references)
  const [first = 'Untitled', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  return { title: shortenText(first, TITLE_LENGTH_MAX), rest: shortenText(others.join('\n'), PREVIEW_LENGTH_MAX) }
}

/** Returns the text of as many blocks as a preview can need, or the names of files if there is no text. */
function textOf(id: string, references: References): string {
  const options = renderOptions(id, references)
  const files = references.files.get(id)
  const names: string[] = []
  let text = ''
  for (const block of (references.trees.get(id) ?? []).flatMap(({ children }) => children)) {
    if (text.length > (TITLE_LENGTH_MAX + PREVIEW_LENGTH_MAX) * 4) break
    const name = files?.get(fileReference(block)?.id ?? '')?.name
    if (block.type === 'file' || name !== undefined) {
      names.push((block.type === 'file' ? block.label : null) ?? name ?? 'A file')
    } else text += `${toText({ type: 'root', children: [block] }, options)}\n\n`
  }
  return text.trim() === '' ? names.join('\n') : text
}

const graphemes = new Intl.Segmenter('en')

function shortenText(text: string, lengthMax: number): string {
  // Only the start of the text is segmented, because the text may be long, and graphemes of more than 16 code units are rare.
  const startGraphemes = graphemes.segment(text.slice(0, 16 * lengthMax))
  const parts = Array.from(startGraphemes, ({ segment }) => segment)
  if (parts.length <= lengthMax) return parts.join('')
  const shownText = parts.slice(0, lengthMax - 1).join('')
  return `${shownText.trimEnd()}…`
}
