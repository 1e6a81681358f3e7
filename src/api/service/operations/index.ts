/** What each endpoint does. One that the contract has and no file here does not compile. */

import type { BodyOf, EndpointName, ResultOf } from '../../contract/types.js'
import type { Identity, Page, Rows } from '../../store/store.js'
import type { ReceivedFile } from '../options.js'
import * as channels from './channels.js'
import * as chats from './chats.js'
import * as organization from './organization.js'
import * as threads from './threads.js'

/** What an operation works with: one bot's request, inside one transaction. */
export interface Context {
  readonly rows: Rows
  readonly bot: Identity
  /** Where the site is. */
  readonly site: string
  readonly now: Date
  /** The part of a list that is asked for. */
  readonly page: Page
  readonly received: ReceivedFile | null
}

export type Operation<Name extends EndpointName> = (context: Context, body: BodyOf<Name>) => Promise<ResultOf<Name>>

export const operations: { readonly [Name in EndpointName]: Operation<Name> } = {
  ...organization,
  ...channels,
  ...threads,
  ...chats,
}
