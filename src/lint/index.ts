/** The entry `blockmark/lint`: finds markup that its author probably did not mean, and explains why a character is markup or text. */
export { explain, type Reason } from './explain.js'
export { fix } from './fix.js'
export { type LintOptions, lint } from './lint.js'
export { type RuleId, ruleIds } from './rules.js'
