/** For Node.js, Bun and Deno: imports the given entries, runs the conformance data, and prints the results. */
import * as blockmark from 'blockmark'
import data from './conformance.json' with { type: 'json' }
import { check } from './results.mjs'

for (const entry of process.argv.slice(2)) await import(entry)
console.log(check(blockmark, data.cases).join('\n'))
