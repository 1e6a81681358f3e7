/** The schemas of the endpoints' results: documented by the service, checked by the client. */

import type { Kind, ObjectSchema, SchemaOf, StringSchema } from './schema.js'
import type { Channel, EndpointName, ResultOf, User } from './types.js'

const string = (description: string): StringSchema => ({ type: 'string', description })
const url: StringSchema = { type: 'string', format: 'uri', description: 'The URL of its page.' }

export const channel: SchemaOf<Channel> = {
  type: 'object',
  properties: {
    channelID: string('The id of the channel.'),
    name: string('The name of the channel.'),
    description: string('The purpose of the channel.'),
    privacy: {
      type: 'string',
      description: 'A private channel is visible to its members only.',
      enum: ['public', 'private'],
    },
    memberIDs: { type: 'array', description: 'The ids of the members.', items: { type: 'string' } },
  },
  required: ['channelID', 'name', 'description', 'privacy', 'memberIDs'],
}

export const user: SchemaOf<User> = {
  type: 'object',
  properties: {
    userID: string('The id of the user, a person or a bot.'),
    name: string('The name of the user.'),
    email: { type: 'string', format: 'email', description: 'The e-mail address of the user.' },
  },
  required: ['userID', 'name', 'email'],
}

/** The schema of each endpoint's result; null if the endpoint returns only `ok`. */
export const results: {
  readonly [Name in EndpointName]: [ResultOf<Name>] extends [undefined] ? null : Kind<ResultOf<Name>>
} = {
  channels: { type: 'array', items: channel },
  createChannel: created('channelID', 'channelURL'),
  addChannelMembers: null,
  deleteChannel: null,
  postThread: created('threadID', 'threadURL'),
  deleteThread: null,
  postComment: created('commentID', 'commentURL'),
  deleteComment: null,
  postChatMessage: created('chatMessageID', 'chatMessageURL'),
  deleteChatMessage: null,
  createChat: created('chatID', 'chatURL'),
  deleteChat: null,
  users: { type: 'array', items: user },
  ping: {
    type: 'object',
    properties: { name: string('The name of the bot.'), organization: string('The name of the organization.') },
    required: ['name', 'organization'],
  },
  upload: { type: 'object', properties: { fileID: string('The id of the new file.') }, required: ['fileID'] },
}

/** The schema of an id and the URL of the page that shows the new object. */
function created<ID extends string, Page extends string>(id: ID, page: Page): SchemaOf<Record<ID | Page, string>> {
  const schema: ObjectSchema = {
    type: 'object',
    properties: { [id]: string('The id of the new object.'), [page]: url },
    required: [id, page],
  }
  // The cast is safe: the two computed names are those of the type.
  return schema as SchemaOf<Record<ID | Page, string>>
}
