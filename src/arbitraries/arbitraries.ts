/** All of `blockmark/arbitraries`. */

export { hostileText } from './pieces.js'
export { anySource } from './sources.js'
export { anyTree, writableTree } from './trees.js'
