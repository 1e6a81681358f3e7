/** `blockmark/client`: the service's client. */

export type { ApiErrorCode, Detail } from '../contract/errors.js'
export type {
  AddChannelMembersBody,
  Channel,
  ChannelTarget,
  ChatTarget,
  CreateChannelBody,
  CreateChatBody,
  People,
  Privacy,
  User,
} from '../contract/types.js'
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type PostChatMessage,
  type PostComment,
  type PostOptions,
  type PostThread,
  type UploadOptions,
} from './client.js'
export { BlockmarkApiError, type ClientErrorCode, SendAllError } from './errors.js'
export type { Limit } from './limits.js'
export type { ChatDelivery, ThreadDelivery } from './send-all.js'
export type { OnProgress, UploadSource } from './upload.js'
