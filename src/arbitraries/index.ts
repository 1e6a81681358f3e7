/** The entry `blockmark/arbitraries`: fast-check arbitraries of the dialect, to fuzz a bot or a renderer. */
export { hostileText } from './pieces.js'
export { anySource } from './sources.js'
export { anyTree, writableTree } from './trees.js'
