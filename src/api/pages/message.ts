/** A message as the core renders it, with the names and files that it may show. */

import { parse } from '../../parse/index.js'
import { toHtml } from '../../render/html.js'
import type { AnyNode } from '../../tree.js'
import type { Rows, ShownFile } from '../store/store.js'
import { Markup } from './markup.js'

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
  readonly files: readonly ShownFile[]
  /** What follows the address of a file: the page's share token. */
  readonly fileQuery: string
}

/**
 * Looks up who is mentioned in messages, and who wrote them.
 *
 * @param rows - the organization
 * @param messages - what the page shows
 * @returns their names by id
 */
export async function namesIn(rows: Rows, messages: readonly Posted[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(messages.map((message) => message.authorID))
  for (const { blocks } of messages) {
    for (const block of blocks ?? []) {
      if (block.includes('<@')) collectMentions(parse(block, { position: false }), ids)
    }
  }
  return new Map((await rows.usersBy([...ids], [])).map((user) => [user.id, user.name]))
}

function collectMentions(node: AnyNode, ids: Set<string>): void {
  if (node.type === 'mention') ids.add(node.userID)
  if ('children' in node) for (const child of node.children) collectMentions(child, ids)
}

/**
 * A message's HTML.
 *
 * @param message - the message, which was not deleted
 * @param references - what it may refer to
 * @returns the markup, which is the core's
 */
export function messageMarkup({ id, blocks }: Posted, { names, files, fileQuery }: References): Markup {
  const shown = new Map(files.filter((file) => file.place === id).map((file) => [file.id, file]))
  const source = toHtml(blocks ?? [], {
    mention: (userID) => {
      const name = names.get(userID)
      return name === undefined ? undefined : { name }
    },
    file: (fileID) => {
      const file = shown.get(fileID)
      if (file === undefined) return undefined
      return { name: file.name, mediaType: file.mediaType, href: `/files/${file.id}${fileQuery}` }
    },
  })
  return new Markup(source)
}
