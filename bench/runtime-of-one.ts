/** Measures in the runtime that runs it, and prints the times as JSON: `node|bun runtime-of-one.js FILE`. */
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { type Build, measureHere } from './in-runtime.js'

/** What the file holds. */
export interface Assignment {
  /** Where the builds of this package are, and the peer. */
  builds: Readonly<Record<string, string>>
  marked: string
  corpora: Readonly<Record<string, readonly string[]>>
  rounds: number
}

const assignment: Assignment = JSON.parse(readFileSync(argv[2] ?? '', 'utf8'))
const builds: Record<string, Build> = {}
for (const [name, url] of Object.entries(assignment.builds)) builds[name] = await import(url)
const { marked } = await import(assignment.marked)
console.log(JSON.stringify(measureHere({ builds, marked }, assignment.corpora, assignment.rounds)))
