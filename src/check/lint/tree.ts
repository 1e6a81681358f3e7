/** Asks of a tree what can be asked of it: its text can not be misread, however it will be written. */
import { isSafeUrl } from '../../render/escape.js'
import type { AnyNode, Position, Root } from '../../tree.js'
import type { RuleId } from './rule-ids.js'
import { rules } from './rules.js'

export interface TreeFinding {
  ruleId: RuleId
  path: readonly (string | number)[]
  position: Position | undefined
  /** What is found there: a character that the rule is about, or a link as it would be written. */
  there: string
}

/** A node, and the way to it. */
interface Place {
  readonly node: AnyNode
  readonly parent: Place | null
  readonly index: number
}

/** What stands nowhere. */
const NOTHING = /(?!)/

const VISIBLE: readonly RuleId[] = ['bidirectional', 'invisible']

/** Nothing recurses: a tree may be a million nodes deep. */
export function findInTree(root: Root): TreeFinding[] {
  const findings: TreeFinding[] = []
  const places: Place[] = [{ node: root, parent: null, index: 0 }]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { node } = place
    const found = VISIBLE.flatMap((ruleId) => {
      const value = 'value' in node ? node.value : ''
      const { pattern = NOTHING } = rules[ruleId]
      const at = value.search(pattern)
      return at < 0 ? [] : [{ ruleId, there: value.slice(at) }]
    })
    if (node.type === 'link' && !isSafeUrl(node.url)) found.push({ ruleId: 'link-scheme', there: `](${node.url})` })
    for (const each of found) findings.push({ ...each, path: pathTo(place), position: node.position })
    if (!('children' in node)) continue
    const below = node.children.map((child, index) => ({ node: child, parent: place, index }))
    for (const each of below.reverse()) places.push(each)
  }
  return findings
}

function pathTo(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let { parent, index } = place; parent !== null; { parent, index } = parent) path.push(index, 'children')
  return path.reverse()
}
