/** The organization's members, the key's own bot, and its files. */

import type { ResultOf } from '../../contract/types.js'
import type { Context } from './context.js'

export async function users({ rows, page }: Context): Promise<ResultOf<'users'>> {
  const found = await rows.users(page)
  return found.map(({ id, name, email }) => ({ userID: id, name, email }))
}

export async function ping({ bot }: Context): Promise<ResultOf<'ping'>> {
  return { name: bot.botName, organization: bot.organizationName }
}

export async function upload({ rows, bot, now, received }: Context): Promise<ResultOf<'upload'>> {
  if (received === null) throw new Error('an upload without a file')
  const { hash, size, mediaType, imageSize, name } = received
  await rows.holdContent(hash)
  const fileID = await rows.addFile({
    ...{ hash, size, mediaType, name, uploaderID: bot.botID, createdAt: now },
    ...{ width: imageSize?.width ?? null, height: imageSize?.height ?? null },
  })
  return { fileID }
}
