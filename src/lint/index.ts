/** The entry `blockmark/lint`: what the author of a message probably did not mean, and why a character is what it is. */
export type { Reason } from './explain.js'
export { explain } from './explain.js'
export { fix } from './fix.js'
export type { LintMessage, LintOptions } from './lint.js'
export { lint } from './lint.js'
export type { RuleId } from './rules.js'
export { ruleIds } from './rules.js'
