/** The nearest tree that can be written (§8). */
import type { Message } from '../message.js'
import { parse } from '../parse/index.js'
import type { Root } from '../tree.js'
import type { Change } from './change.js'
import { write } from './stringify.js'

/**
 * Gives the nearest tree that can be written, and says what had to be changed (§8). No visible character is lost.
 *
 * @param tree - any tree of §5; it is not changed
 * @returns the tree that `parse(stringify(tree))` gives, without positions, and a message with the path of every node
 * that is not as it was
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * normalize(root(paragraph('done '))).messages[0]?.reason
 * // => 'spaces do not count where a line begins or ends, and no line is blank: dropped'
 */
export function normalize(tree: Root): { tree: Root; messages: Message[] } {
  const changes = new Map<object, Set<Change>>()
  const source = write(tree, (node, change) => {
    changes.set(node, (changes.get(node) ?? new Set()).add(change))
  })
  return { tree: parse(source, { position: false }), messages: changes.size > 0 ? messagesOf(tree, changes) : [] }
}

const reasons: Readonly<Record<Change, string>> = {
  adjacent: 'two of a kind side by side are one: joined to the node before it',
  break: 'a line ending can not stand here: written as a break, or as a space',
  character: 'U+0000 can not be written: replaced by U+FFFD',
  empty: 'there is nothing in it to be seen: left out',
  info: 'an info string holds no backtick or line ending, and its first word is lang: rearranged',
  nested: 'it stands inside another of its kind: replaced by its children',
  reference: 'its id or label can not be written: replaced by what is seen of it',
  separator: 'U+2063 directly before a closing delimiter would be part of it: taken out',
  space: 'spaces do not count where a line begins or ends, and no line is blank: dropped',
  title: 'a link has no title: left out',
  url: 'its url can not be written: replaced by its label and its url as text',
}

/** A node and how it is reached; a path is only made of it where there is something to say, since trees may be deep. */
interface Place {
  readonly node: object
  readonly parent: Place | null
  readonly index: number
}

/** Messages in the order of the tree. */
function messagesOf(tree: Root, changes: ReadonlyMap<object, ReadonlySet<Change>>): Message[] {
  const messages: Message[] = []
  const rest: Place[] = [{ node: tree, parent: null, index: 0 }]
  for (let place = rest.pop(); place !== undefined; place = rest.pop()) {
    const { node } = place
    for (const change of changes.get(node) ?? []) {
      messages.push({ reason: reasons[change], ruleId: change, source: 'blockmark', fatal: false, path: pathOf(place) })
    }
    if (!('children' in node) || !Array.isArray(node.children)) continue
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      rest.push({ node: node.children[index], parent: place, index })
    }
  }
  return messages
}

/** A path is cut where it gets too long for anybody to follow. */
const PATH_MAX = 1000

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = place; at.parent !== null && path.length < PATH_MAX; at = at.parent) path.push(at.index, 'children')
  return path.reverse()
}
