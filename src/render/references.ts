/** The ids of users and files in a message, to load them before it is rendered. */
import type { Source } from '../source.js'
import { toText } from './text.js'

/** The users and files that a message shows. */
export interface References {
  userIDs: string[]
  fileIDs: string[]
}

/**
 * Lists the ids that a renderer passes to the callbacks `mention` and `file`. The callbacks are synchronous, so load names and
 * files first, each kind with one query.
 *
 * A paragraph that is only a mention without a label may show a file (§6), so its id is in both lists. Not every id exists.
 *
 * @param source - Markdown, a tree, or a post's blocks; for several messages, pass an array of them
 * @returns each id once, in the order of appearance
 * @throws {TypeError} if `source` is not a source
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * referencesOf('<@7|Ann> and <@9>: [see <@7>](https://example.com)\n<!42|log.txt>') // => { userIDs: ['7', '9'], fileIDs: ['42'] }
 */
export function referencesOf(source: Source): References {
  const userIDs = new Set<string>()
  const fileIDs = new Set<string>()
  const collect = (ids: Set<string>) => (id: string) => {
    ids.add(id)
    return undefined
  }
  toText(source, { mention: collect(userIDs), file: collect(fileIDs) })
  return { userIDs: [...userIDs], fileIDs: [...fileIDs] }
}
