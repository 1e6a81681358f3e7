/** The schemas of the endpoints' results. The service documents them, and the client checks results against them. */

import { type ObjectSchemaOf, objectOf, type SchemaOf, type StringSchema } from './schema.js'
import type { Channel, EndpointName, ResultOf, User } from './types.js'

const stringSchema = (description: string): StringSchema => ({ type: 'string', description })

export const channel: ObjectSchemaOf<Channel> = objectOf<Channel>({
  channelID: stringSchema('The id of the channel.'),
  name: stringSchema('The name of the channel.'),
  description: stringSchema('The purpose of the channel.'),
  privacy: {
    type: 'string',
    description: 'A private channel is visible to its members only.',
    enum: ['public', 'private'],
  },
  memberIDs: { type: 'array', description: 'The ids of the members.', items: { type: 'string' } },
})

export const user: ObjectSchemaOf<User> = objectOf<User>({
  userID: stringSchema('The id of the user, a person or a bot.'),
  name: stringSchema('The name of the user.'),
  email: { type: 'string', format: 'email', description: 'The e-mail address of the user.' },
})

const newID = stringSchema('The id of the new object.')
const url: StringSchema = { type: 'string', format: 'uri', description: 'The URL of the new object’s page.' }

/** The schema of each endpoint's result; null if the endpoint returns only `ok`. */
export const results: {
  readonly [Name in EndpointName]: [ResultOf<Name>] extends [undefined] ? null : SchemaOf<ResultOf<Name>>
} = {
  channels: { type: 'array', items: channel },
  createChannel: objectOf<ResultOf<'createChannel'>>({ channelID: newID, channelURL: url }),
  addChannelMembers: null,
  deleteChannel: null,
  postThread: objectOf<ResultOf<'postThread'>>({ threadID: newID, threadURL: url }),
  deleteThread: null,
  postComment: objectOf<ResultOf<'postComment'>>({ commentID: newID, commentURL: url }),
  deleteComment: null,
  postChatMessage: objectOf<ResultOf<'postChatMessage'>>({ chatMessageID: newID, chatMessageURL: url }),
  deleteChatMessage: null,
  createChat: objectOf<ResultOf<'createChat'>>({ chatID: newID, chatURL: url }),
  deleteChat: null,
  users: { type: 'array', items: user },
  ping: objectOf<ResultOf<'ping'>>({
    name: stringSchema('The name of the bot.'),
    organization: stringSchema('The name of the organization.'),
  }),
  upload: objectOf<ResultOf<'upload'>>({ fileID: newID }),
}
