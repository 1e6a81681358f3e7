/** `blockmark/client`: the service's client. */

export type { StreamReader } from '../../packing.js'
export type { ApiErrorCode, Detail } from '../contract/errors.js'
export type {
  Channel,
  ChannelTarget,
  ChatTarget,
  EndpointName,
  People,
  Privacy,
  ResultOf,
  User,
} from '../contract/types.js'
export { type Client, createClient } from './client.js'
export { BlockmarkApiError, type ClientErrorCode, SendError } from './errors.js'
export type {
  BodyOf,
  CallOptions,
  ClientOptions,
  Fetch,
  FetchInit,
  FetchResponse,
  SendOptions,
  UploadOptions,
  UploadSource,
} from './options.js'
export type { Arriving, Streamed, ToChat, ToThread } from './send.js'
