/** The entry `blockmark/lint`: finds markup that its author probably did not mean, and explains why a character is markup or text. */
export type { Reason } from './explain.js'
export { explain } from './explain.js'
export { fix } from './fix.js'
export type { LintOptions } from './lint.js'
export { lint } from './lint.js'
export type { RuleId } from './rules.js'
export { ruleIds } from './rules.js'
