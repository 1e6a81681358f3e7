/** `blockmark/client`: the service's client. */

export type { StreamReader } from '../../packing.js'
export type { ApiErrorCode, Detail } from '../contract/errors.js'
export type {
  AddChannelMembersBody,
  Channel,
  ChannelTarget,
  ChatTarget,
  CreateChannelBody,
  CreateChatBody,
  EndpointName,
  People,
  Privacy,
  ResultOf,
  User,
} from '../contract/types.js'
export type { Limit } from './call.js'
export { createClient } from './client.js'
export {
  BlockmarkApiError,
  type ClientErrorCode,
  SendError,
  type SendErrorCode,
} from './errors.js'
export type { Fetch, FetchInit, FetchResponse, ResponseHeaders } from './fetch.js'
export type { Client } from './methods.js'
export type {
  BodyOf,
  CallOptions,
  ClientOptions,
  PostChatMessage,
  PostComment,
  PostThread,
  SendOptions,
  UploadOptions,
} from './options.js'
export type { ChatDelivery, ChatStream, Streamed, ThreadDelivery, ThreadStream } from './send.js'
export type { UploadSource } from './upload.js'
