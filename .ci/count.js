/** Prints the failed tests of vitest's report and, last, one line with the counts: `node .ci/count.js REPORT`. */

import { readFileSync } from 'node:fs'

const [path = ''] = process.argv.slice(2)
const report = readReport()
const files = report.testResults
// A file that could not be loaded has no tests, but it failed.
const unloaded = files.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
const tests = files.flatMap(({ assertionResults }) => assertionResults)
const failed = tests.filter(({ status }) => status === 'failed')
const skipped = tests.filter(({ status }) => status !== 'failed' && status !== 'passed')

for (const { name, message } of unloaded) console.log(`FAILED: ${name}\n  ${message.slice(0, 500)}`)
for (const { fullName, failureMessages } of failed) {
  console.log(`FAILED: ${fullName}\n  ${failureMessages.join('\n').slice(0, 500)}`)
}
for (const { fullName } of skipped) console.log(`skipped: ${fullName}`)
const failedCount = failed.length + unloaded.length
console.log(`${report.numPassedTests} passed, ${failedCount} failed, ${skipped.length} skipped`)
process.exitCode = failedCount > 0 ? 1 : 0

/**
 * Without a report the tests did not run: that is one failure.
 *
 * @returns {{ numPassedTests: number, testResults: any[] }}
 */
function readReport() {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    const message = 'the tests wrote no report'
    return { numPassedTests: 0, testResults: [{ name: path, message, status: 'failed', assertionResults: [] }] }
  }
}
