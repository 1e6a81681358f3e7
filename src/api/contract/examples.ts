/** An example of a request and its result for each endpoint. The documents show them, and a test sends them. */

import type { BodyOf, EndpointName, NoFields, ResultOf } from './types.js'

/** An example of an endpoint: its result, and its body, which is null if the request has no body. */
export type Example<Name extends EndpointName> = {
  readonly body: BodyOf<Name> extends NoFields ? BodyOf<Name> | null : BodyOf<Name>
  readonly result: ResultOf<Name>
}

const site = 'https://messages.example.com'
const chatID = '019aa5c2-7a10-7c3e-9b1d-2f6c1a4e8d57'
const chatMessageID = '019aa5c2-9e44-7f02-8c35-0b7d9e2a6f13'
const token = 's=Zk3vQ9sT1mXw7RbYc2LhPg'

export const examples: { readonly [Name in EndpointName]: Example<Name> } = {
  channels: {
    body: null,
    result: [
      {
        channelID: '100004',
        name: 'deploys',
        description: 'Releases and their dates',
        privacy: 'public',
        memberIDs: ['100002', '100003'],
      },
    ],
  },
  createChannel: {
    body: { name: 'deploys', description: 'Releases and their dates', userIDs: ['100003'] },
    result: { channelID: '100004', channelURL: `${site}/100004` },
  },
  addChannelMembers: { body: { channelID: '100004', userIDs: ['100003'] }, result: undefined },
  deleteChannel: { body: { channelID: '100004' }, result: undefined },
  postThread: {
    body: { channel: 'welcome', blocks: ['# v7 is out', '**All** checks passed, <@100003|>.'] },
    result: { threadID: '100005', threadURL: `${site}/100005?${token}` },
  },
  deleteThread: { body: { threadID: '100005' }, result: undefined },
  postComment: {
    body: { threadID: '100005', blocks: ['Rolled back: `core_api` did not start.'] },
    result: { commentID: '100006', commentURL: `${site}/100006?${token}` },
  },
  deleteComment: { body: { commentID: '100006' }, result: undefined },
  postChatMessage: {
    body: { chatID, body: 'Build 7 _failed_, see [the log](https://ci.example.com/7).' },
    result: { chatMessageID, chatMessageURL: `${site}/${chatID}/${chatMessageID}` },
  },
  deleteChatMessage: { body: { messageID: chatMessageID }, result: undefined },
  createChat: {
    body: { name: 'On call', userIDs: ['100003'] },
    result: { chatID, chatURL: `${site}/${chatID}` },
  },
  deleteChat: { body: { chatID }, result: undefined },
  users: {
    body: null,
    result: [
      { userID: '100002', name: 'Deploys', email: 'bot-100002@messages.example.com' },
      { userID: '100003', name: 'Ann Lee', email: 'ann@example.com' },
    ],
  },
  ping: { body: null, result: { name: 'Deploys', organization: 'Acme' } },
  upload: { body: { data: 'latency.png' }, result: { fileID: '100007' } },
}

/** The successful response of an endpoint, as the service sends it. */
export function answerOf(name: EndpointName): { readonly ok: true; readonly result?: unknown } {
  const { result } = examples[name]
  return result === undefined ? { ok: true } : { ok: true, result }
}
