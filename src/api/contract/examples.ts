/** An example of a request and its result for each endpoint. The documents show them, and a test sends them. */

import { endpoints, methodsOf } from './endpoints.js'
import type { ApiErrorCode } from './errors.js'
import { absent, fieldSentences, sentences } from './sentences.js'
import {
  BODY_BYTES_MAX,
  type BodyOf,
  type EndpointName,
  type NoFields,
  type ResultOf,
  UPLOAD_BYTES_MAX,
} from './types.js'

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

/** The first message of an endpoint's error. Most codes have one message; `validation_failed` has one for each field. */
export function sentenceOf(name: EndpointName, code: ApiErrorCode): string {
  const { body, bodyType, listedBy } = endpoints[name]
  const [field = ''] = body?.required ?? []
  const target = Object.keys(body?.properties ?? {}).find((key) => key in absent) ?? 'channelID'
  const every: Readonly<Record<ApiErrorCode, string>> = {
    invalid_json: bodyType === 'application/json' ? sentences.noJson : sentences.brokenForm,
    invalid_request: listedBy === null ? sentences.noIdempotencyKey(255) : sentences.noPageSize(1000),
    unauthorized: sentences.noKey,
    not_owner: sentences.notOwner,
    not_found: absent[target as keyof typeof absent], // found among its keys above
    method_not_allowed: sentences.noMethod(methodsOf(name).join(', ')),
    name_taken: sentences.taken,
    ambiguous_name: sentences.ambiguousChat,
    idempotency_in_progress: sentences.firstIsRunning,
    timeout: sentences.idle(30),
    too_large:
      bodyType === 'application/json'
        ? sentences.largeBody(BODY_BYTES_MAX)
        : fieldSentences.largeFile('`data`', UPLOAD_BYTES_MAX),
    unsupported_media_type: bodyType === 'application/json' ? sentences.noJsonType : sentences.noForm,
    validation_failed:
      bodyType === 'application/json' ? fieldSentences.missing(`\`${field}\``) : fieldSentences.noFile('`data`'),
    target_mismatch: sentences.twoTargets(name === 'postThread' ? 'channel' : 'chat'),
    user_not_found: fieldSentences.stranger('`emails[0]`'),
    idempotency_mismatch: sentences.otherRequest,
    rate_limited: sentences.tooFast(name === 'upload' ? 5 : 100, name === 'upload' ? 'uploads' : 'requests', 1),
    internal: sentences.internal,
    storage_unavailable: sentences.storageAway,
    storage_full: sentences.storageFull,
  }
  return every[code]
}
