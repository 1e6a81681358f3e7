/** The schemas of the contract: a mistake in names or kinds of the fields does not compile. */

import { endpoints } from '../../src/api/contract/endpoints.js'
import type { ObjectSchemaOf } from '../../src/api/contract/schema.js'
import type { BodyOf } from '../../src/api/contract/types.js'

const { properties } = endpoints.addChannelMembers.body
type Members = ObjectSchemaOf<BodyOf<'addChannelMembers'>>

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
export const fewer: Members = {
  type: 'object',
  // @ts-expect-error the fields of people are missing
  properties: { channelID: properties.channelID },
  required: ['channelID'],
}
