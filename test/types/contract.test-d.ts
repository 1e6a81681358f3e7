/** The schemas of the contract: a mistake in names, kinds or presence of the fields does not compile. */

import { endpoints } from '../../src/api/contract/endpoints.js'
import type { SchemaOf } from '../../src/api/contract/schema.js'
import type { AddChannelMembersBody, Channel, PostThreadBody } from '../../src/api/contract/types.js'

const { properties } = endpoints.addChannelMembers.body
type Members = SchemaOf<AddChannelMembersBody>

export const good: Members = { type: 'object', properties, required: ['channelID'] }
export const wrongItems: Members = {
  type: 'object',
  // @ts-expect-error each of the ids is a string
  properties: { ...properties, userIDs: { type: 'array', items: { type: 'array', items: { type: 'string' } } } },
  required: ['channelID'],
}
export const wrongKind: Members = {
  type: 'object',
  // @ts-expect-error an id is a string
  properties: { ...properties, channelID: { type: 'array', items: { type: 'string' } } },
  required: ['channelID'],
}
// @ts-expect-error a required field is missing
export const tooFew: Members = { type: 'object', properties, required: [] }
// @ts-expect-error userIDs may be left out
export const tooMany: Members = { type: 'object', properties, required: ['channelID', 'userIDs'] }
// @ts-expect-error `required` is missing
export const none: Members = { type: 'object', properties }
export const fewer: Members = {
  type: 'object',
  // @ts-expect-error the fields of people are missing
  properties: { channelID: properties.channelID },
  required: ['channelID'],
}
// @ts-expect-error each name once
export const twice: Members = { type: 'object', properties, required: ['channelID', 'channelID'] }

// A union requires what all of its members require; the order does not matter.
export const either: SchemaOf<PostThreadBody> = { ...endpoints.postThread.body, required: ['blocks'] }
// @ts-expect-error the channel may be given by its id
export const named: SchemaOf<PostThreadBody> = { ...endpoints.postThread.body, required: ['blocks', 'channel'] }
type Required = SchemaOf<Channel>['required']
export const anyOrder: Required = ['memberIDs', 'name', 'channelID', 'privacy', 'description']
// @ts-expect-error four of five fields
export const four: Required = ['memberIDs', 'name', 'channelID', 'privacy']
