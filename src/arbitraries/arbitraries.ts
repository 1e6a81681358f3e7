/** All of `blockmark/arbitraries`. */

export { commonMark } from './common-mark.js'
export { hostileText } from './pieces.js'
export { anySource } from './sources.js'
export { anyTree, writableTree } from './trees.js'
