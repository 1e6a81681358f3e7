/** Prints the failed tests of vitest's report and, last, one line with the counts: `node .ci/count.js REPORT`. */

import { existsSync, readFileSync } from 'node:fs'

const [path = ''] = process.argv.slice(2)
/** @type {any} */
const { numPassedTests = 0, testResults = [] } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
let [failed, skipped] = [0, 0]
/** @param {string} name @param {string} why */
const fail = (name, why) => {
  failed += 1
  console.log(`FAILED: ${name}\n  ${why.slice(0, 500)}`)
}

// Without a report the tests did not run. A file fails without a failed test if it could not be loaded or prepared.
if (testResults.length === 0) fail(path, 'the tests wrote no report')
for (const { name, message, status, assertionResults } of testResults) {
  const hasFailed = assertionResults.some((/** @type {any} */ test) => test.status === 'failed')
  if (status === 'failed' && !hasFailed) fail(name, message)
  for (const { fullName, status, failureMessages } of assertionResults) {
    if (status === 'failed') fail(fullName, failureMessages.join('\n'))
    else if (status !== 'passed') {
      skipped += 1
      console.log(`skipped: ${fullName}`)
    }
  }
}
console.log(`${numPassedTests} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed > 0 ? 1 : 0
