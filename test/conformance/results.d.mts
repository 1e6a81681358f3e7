import type { AnyNode } from '../../src/index.js'

export function treeOf(node: AnyNode): object
