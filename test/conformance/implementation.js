/** Computes the results for cases on standard input, one per line: `node implementation.js URL-OF-THE-PACKAGE`. */
import { argv, stdin } from 'node:process'
import { createInterface } from 'node:readline'
import { resultsOf } from './results.mjs'

const blockmark = await import(argv[2])
for await (const line of createInterface({ input: stdin })) {
  console.log(JSON.stringify(resultsOf(blockmark, JSON.parse(line))))
}
