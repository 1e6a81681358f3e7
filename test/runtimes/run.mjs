/** For Node.js, Bun and Deno: imports the given entries, runs the conformance data, and prints the results. */
import * as blockmark from 'blockmark'
import { check } from './answer.mjs'
import data from './conformance.json' with { type: 'json' }

for (const entry of process.argv.slice(2)) await import(entry)
console.log(check(blockmark, data.cases).join('\n'))
