import type { SiteRows } from '../rows.js'
import type { Turns } from './turns.js'
import type { Viewer } from './viewer.js'

/** What a page is about, and who looks at it. */
export interface PageRequest {
  readonly rows: SiteRows
  readonly id: string
  /** The message that the address names inside the page. */
  readonly markedID: string | null
  readonly viewer: Viewer | null
  readonly organization: string
  /** The secret of the share token that came with the URL. */
  readonly secret: string | null
  readonly query: URLSearchParams
  readonly turns: Turns
}
