import type { Identity, Page, Rows } from '../../store/store.js'
import type { FileReference } from '../message.js'
import type { ReceivedFile } from '../options.js'

/** The parameters of an operation: one bot's request, inside one transaction. */
export interface Context {
  readonly rows: Rows
  readonly bot: Identity
  /** The start of the site's URLs. */
  readonly site: string
  readonly now: Date
  /** The part of a list that is asked for. */
  readonly page: Page
  /** The files that the message of the request names. */
  readonly files: readonly FileReference[]
  readonly received: ReceivedFile | null
}
