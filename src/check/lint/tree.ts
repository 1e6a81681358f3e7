/** Asks of a tree what can be asked of it: its text can not be misread, however it will be written. */
import { isSafeUrl } from '../../render/escape.js'
import type { AnyNode, Position, Root } from '../../tree.js'
import { type RuleId, rules } from './rules.js'

export interface TreeFinding {
  ruleId: RuleId
  path: readonly (string | number)[]
  position: Position | undefined
}

/** A node, and the way to it. */
interface Place {
  readonly node: AnyNode
  readonly parent: Place | null
  readonly index: number
}

const VISIBLE: readonly RuleId[] = ['bidirectional', 'invisible']

/** Nothing recurses: a tree may be a million nodes deep. */
export function findInTree(root: Root): TreeFinding[] {
  const findings: TreeFinding[] = []
  const places: Place[] = [{ node: root, parent: null, index: 0 }]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { node } = place
    const ruleIds = VISIBLE.filter((ruleId) => 'value' in node && isFound(ruleId, node.value))
    if (node.type === 'link' && !isSafeUrl(node.url)) ruleIds.push('link-scheme')
    for (const ruleId of ruleIds) findings.push({ ruleId, path: pathTo(place), position: node.position })
    if (!('children' in node)) continue
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index]
      if (child !== undefined) places.push({ node: child, parent: place, index })
    }
  }
  return findings
}

function isFound(ruleId: RuleId, value: string): boolean {
  const { pattern } = rules[ruleId]
  return pattern !== undefined && value.search(pattern) >= 0
}

function pathTo(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let { parent, index } = place; parent !== null; { parent, index } = parent) path.push(index, 'children')
  return path.reverse()
}
