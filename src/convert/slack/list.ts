/** Nested lists, made of lines that have a depth. */
import type { List, ListItem, PhrasingContent } from 'mdast'
import type { Position } from '../../tree.js'

/** One line of a list. */
export interface ListLine {
  readonly depth: number
  readonly isOrdered: boolean
  /** The number of the first line of an ordered list, minus one. */
  readonly offset: number
  readonly children: PhrasingContent[]
  readonly position: Position | undefined
}

/** Maximum depth of a list; Slack's own lists are less deep. */
const DEPTH_MAX = 9

/** Returns the lists of some lines: a deeper line belongs to the line before it. */
export function listsOf(entries: readonly ListLine[]): List[] {
  const lists: List[] = []
  const open: List[] = []
  for (const { depth, isOrdered, offset, children, position } of entries) {
    const level = Math.min(depth, DEPTH_MAX, open.length)
    open.length = Math.min(open.length, level + 1)
    if (open[level]?.ordered !== isOrdered) {
      open.length = level
      const list: List = { type: 'list', ordered: isOrdered, start: isOrdered ? offset + 1 : null, children: [] }
      if (position !== undefined) list.position = position
      const item = open[level - 1]?.children.at(-1)
      if (item === undefined) lists.push(list)
      else item.children.push(list)
      open.push(list)
    }
    const item: ListItem = { type: 'listItem', spread: false, children: [{ type: 'paragraph', children }] }
    if (position !== undefined) item.position = position
    open[level]?.children.push(item)
  }
  return lists
}
