/** Channels: listing, creating, adding members and deleting. */

import { notFound } from '../../contract/errors.js'
import { nameKey } from '../../contract/schema.js'
import type { BodyOf, ResultOf } from '../../contract/types.js'
import type { Context } from './context.js'
import { resolvePeople } from './people.js'
import { mustOwn, visibleChannel } from './targets.js'

export async function channels({ rows, bot, page }: Context): Promise<ResultOf<'channels'>> {
  const found = await rows.channels(bot.botID, page)
  return found.map(({ id, name, description, isPrivate, memberIDs }) => ({
    channelID: id,
    name,
    description,
    privacy: isPrivate ? 'private' : 'public',
    memberIDs: [...memberIDs],
  }))
}

export async function createChannel(
  { rows, bot, site }: Context,
  { name, description = '', privacy = 'public', ...people }: BodyOf<'createChannel'>,
): Promise<ResultOf<'createChannel'>> {
  const members = await resolvePeople(rows, people)
  const isPrivate = privacy === 'private'
  const channelID = await rows.addChannel({
    ...{ name, nameKey: nameKey(name), description, isPrivate },
    creatorID: bot.botID,
  })
  await rows.addChannelMembers(channelID, [...members.add(bot.botID)])
  return { channelID, channelURL: `${site}/${channelID}` }
}

export async function addChannelMembers(
  context: Context,
  { channelID, ...people }: BodyOf<'addChannelMembers'>,
): Promise<undefined> {
  const channel = await visibleChannel(context, channelID)
  const members = await resolvePeople(context.rows, people)
  await context.rows.addChannelMembers(channel.id, [...members])
}

export async function deleteChannel(context: Context, { channelID }: BodyOf<'deleteChannel'>): Promise<undefined> {
  const channel = await visibleChannel(context, channelID)
  mustOwn(context, channel.creatorID)
  if (!(await context.rows.removeChannel(channel.id))) throw notFound('channelID')
}
