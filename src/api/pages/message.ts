/** A message as the core renders it, with the names and files that it may show. */

import { parse } from '../../parse/index.js'
import { toHtml } from '../../render/html.js'
import type { RenderOptions } from '../../render/options.js'
import type { AnyNode, Block } from '../../tree.js'
import type { Rows, ShownFile } from '../store/store.js'
import { describeFile } from './file-description.js'
import { groupBy } from './group.js'
import { Markup, markup } from './markup.js'

/** Something that was posted. */
export interface Posted {
  readonly id: string
  readonly authorID: string
  readonly createdAt: Date
  /** Null where it was deleted. */
  readonly blocks: readonly string[] | null
}

/** What the messages of a page refer to. */
export interface References {
  /** Names of people and bots, by id. */
  readonly names: ReadonlyMap<string, string>
  /** The files of each message, by its id. */
  readonly files: ReadonlyMap<string, readonly ShownFile[]>
  /** What follows the address of a page or file: the share token, or nothing. */
  readonly query: string
}

/**
 * Looks up what messages refer to.
 *
 * @param rows - the organization
 * @param messages - what the page may show
 * @param files - the files of these messages
 * @param query - what follows the address of a page or file
 * @param others - further people who are named
 * @returns the names and files
 */
export async function referencesOf(
  rows: Rows,
  messages: readonly Posted[],
  files: readonly ShownFile[],
  query: string,
  others: readonly string[] = [],
): Promise<References> {
  const ids = new Set([...others, ...messages.map((message) => message.authorID)])
  for (const { blocks } of messages) {
    for (const block of blocks ?? []) {
      if (block.includes('<@')) collectMentions(parse(block, { position: false }), ids)
    }
  }
  const names = new Map((await rows.usersBy([...ids], [])).map((user) => [user.id, user.name]))
  return { names, files: groupBy(files, (file) => file.place), query }
}

function collectMentions(node: AnyNode, ids: Set<string>): void {
  if (node.type === 'mention') ids.add(node.userID)
  if ('children' in node) for (const child of node.children) collectMentions(child, ids)
}

/** How the core renders a message: whoever is mentioned by the name of today, files where the message may show them. */
export function renderOptions(id: string, { names, files, query }: References): RenderOptions {
  const shown = new Map(files.get(id)?.map((file) => [file.id, file]))
  return {
    mention: (userID) => {
      const name = names.get(userID)
      return name === undefined ? undefined : { name }
    },
    file: (fileID) => {
      const file = shown.get(fileID)
      if (file === undefined) return undefined
      const { name, mediaType, width, height } = file
      const size = width === null || height === null ? {} : { width, height }
      return { name, mediaType, href: `/files/${file.id}${query}`, ...size }
    },
  }
}

/** What is needed to show a message as a whole. */
export interface Card {
  readonly message: Posted
  /** The message's own page. */
  readonly path: string
  readonly isMarked: boolean
  /** What stands above it, as what it answers. */
  readonly context?: Markup | null
}

/** A message with its author and time. */
export function messageCard({ message, path, isMarked, context = null }: Card, references: References): Markup {
  const author = references.names.get(message.authorID) ?? message.authorID
  const content =
    message.blocks === null ? markup`<p class="deleted">This comment was deleted.</p>` : contentOf(message, references)
  // The focus brings it into view where there is no script.
  const current = isMarked ? markup` aria-current="true" tabindex="-1" autofocus` : null
  return markup`<article class="message" id="m${message.id}"${current}>
<header><b class="author" dir="auto">${author}</b> <a class="when" href="${path}">${timeOf(message.createdAt)}</a></header>
${context}
<div class="content" dir="auto">
${content}
</div>
</article>`
}

/** Made for the first page: it takes longer than all else of a service in a test. */
let shortTime: Intl.DateTimeFormat | null = null

/** A time, for programs and people; the script of the page puts it into the reader's zone. */
export function timeOf(time: Date): Markup {
  shortTime ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return markup`<time datetime="${time.toISOString()}">${shortTime.format(time)} UTC</time>`
}

function contentOf({ id, blocks }: Posted, references: References): Markup {
  const options = renderOptions(id, references)
  const files = new Map(references.files.get(id)?.map((file) => [file.id, file]))
  const trees = (blocks ?? []).flatMap((block) => parse(block, { position: false }).children)
  return markup`${trees.map((tree) => blockMarkup(tree, options, files))}`
}

function blockMarkup(block: Block, options: RenderOptions, files: ReadonlyMap<string, ShownFile>): Markup {
  const content = new Markup(toHtml({ type: 'root', children: [block] }, options))
  const file = files.get(fileIdOf(block) ?? '')
  if (file !== undefined) {
    const kind = file.mediaType.replace(/\/.*/s, '')
    const figcaption = markup`<figcaption dir="auto">${describeFile(file)}</figcaption>`
    return markup`<figure class="attachment ${kind}">${content}${figcaption}</figure>`
  }
  // What scrolls can be reached by keyboard.
  if (block.type === 'code')
    return markup`<div class="code" tabindex="0" role="group" aria-label="Code">${content}</div>`
  return content
}

/** The file that a block may be: `<!id|>`, or a mention without a label that stands alone (§6). */
function fileIdOf(block: Block): string | null {
  if (block.type === 'file') return block.fileID
  const [only, ...others] = block.type === 'paragraph' ? block.children : []
  return only?.type === 'mention' && only.label === null && others.length === 0 ? only.userID : null
}
