/** Replaces ids in the rows of an import, wherever they appear. */

import { type AnyNode, parse } from '../../index.js'

/** Maps old ids to new ones, in their order. */
export type Renumbered = ReadonlyMap<number, number>

/** The columns with numeric ids. `place` may also contain a UUID. */
const columns: Readonly<Record<string, readonly string[]>> = {
  users: ['id'],
  channels: ['id', 'creator_id'],
  channel_members: ['channel_id', 'user_id'],
  threads: ['id', 'channel_id', 'author_id'],
  comments: ['id', 'thread_id', 'parent_id', 'author_id'],
  chats: ['creator_id'],
  chat_members: ['user_id'],
  messages: ['author_id'],
  files: ['id', 'uploader_id'],
  shown_files: ['file_id', 'place', 'thread_id', 'comment_id'],
}

/** Returns a copy of a row with the new ids, also in the mentions and files of its message. */
export function renumber(
  table: string,
  row: Readonly<Record<string, unknown>>,
  renumbered: Renumbered,
): Record<string, unknown> {
  if (renumbered.size === 0) return { ...row }
  const fresh: Record<string, unknown> = { ...row }
  for (const column of columns[table] ?? []) {
    const id = renumbered.get(Number(row[column]))
    if (id !== undefined && row[column] !== null) fresh[column] = column === 'place' ? String(id) : id
  }
  const { blocks, body } = row as { readonly blocks?: unknown; readonly body?: unknown }
  if (Array.isArray(blocks)) fresh['blocks'] = blocks.map((block) => renamed(String(block), renumbered))
  if (typeof body === 'string') fresh['body'] = renamed(body, renumbered)
  return fresh
}

/** Replaces the ids of mentions and files in a message. Text that only looks like a mention, as in code, stays. */
function renamed(source: string, renumbered: Renumbered): string {
  if (!source.includes('<@') && !source.includes('<!')) return source
  let [text, done] = ['', 0]
  for (const [start, id] of namesIn(parse(source))) {
    const fresh = renumbered.get(Number(id))
    if (fresh === undefined) continue
    // After `<@` or `<!`.
    text += source.slice(done, start + 2) + fresh
    done = start + 2 + id.length
  }
  return text + source.slice(done)
}

/** Yields the offset and id of each mention and file, in their order. */
function* namesIn(node: AnyNode): Generator<[number, string]> {
  const start = node.position?.start.offset ?? 0
  if (node.type === 'mention') yield [start, node.userID]
  if (node.type === 'file') yield [start, node.fileID]
  if ('children' in node) for (const child of node.children) yield* namesIn(child)
}
