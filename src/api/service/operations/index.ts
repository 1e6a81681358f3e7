/** The work of each endpoint. An endpoint of the contract without an operation does not compile. */

import type { BodyOf, EndpointName, ResultOf } from '../../contract/types.js'
import * as channels from './channels.js'
import * as chats from './chats.js'
import type { Context } from './context.js'
import * as organization from './organization.js'
import * as threads from './threads.js'

export type Operation<Name extends EndpointName> = (context: Context, body: BodyOf<Name>) => Promise<ResultOf<Name>>

export const operations: { readonly [Name in EndpointName]: Operation<Name> } = {
  ...organization,
  ...channels,
  ...threads,
  ...chats,
}
