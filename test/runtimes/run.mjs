/** For Node.js, Bun and Deno: imports the entries that are named, runs the conformance data, prints what it found. */
import * as blockmark from 'blockmark'
import { check } from './answer.mjs'
import data from './conformance.json' with { type: 'json' }

for (const entry of process.argv.slice(2)) await import(entry)
console.log(check(blockmark, data.cases).join('\n'))
