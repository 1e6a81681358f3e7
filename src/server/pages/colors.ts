/** Colors for code. They are made here, so that a page needs no script for them, and within a time limit. */

import { createRequire } from 'node:module'
import { createContext, Script } from 'node:vm'
import { Markup } from './markup.js'

/** Time limit for all the code of a page; code after it stays in one color. */
const PAGE_MILLISECONDS_MAX = 30

/** Output of the library: escaped text, and spans with its own classes. Anything else is not sent. */
const PAINTED = /^(?:[^<>&]|&(?:amp|lt|gt|quot|#x27);|<span class="(?:hljs|language)-[\w-]+(?: [\w-]+)*">|<\/span>)*$/

/** The used part of highlight.js, whose own types include those of a browser. */
interface Library {
  registerLanguage(name: string, language: unknown): void
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string }
}

const load = createRequire(import.meta.url)
const prepared = new Set<string>()
let library: Library | null = null

/** Whether there is nothing to do before code of a language is painted. */
export function isPrepared(language: string): boolean {
  const key = languageKey(language)
  return key === null || prepared.has(key)
}

/**
 * Prepares a language once per process: its patterns take as long as many pages of code. A language that no page shows
 * is never loaded.
 */
export function prepareLanguage(language: string): void {
  const key = languageKey(language)
  if (key === null || prepared.has(key)) return
  prepared.add(key)
  library ??= load('highlight.js/lib/core') as Library // the package's export, which a test checks
  library.registerLanguage(key, load(`highlight.js/lib/languages/${key}`))
  library.highlight('', { language: key, ignoreIllegals: true })
}

/** The colors of one page. */
export class Colors {
  #left: number

  constructor(milliseconds: number = PAGE_MILLISECONDS_MAX) {
    this.#left = milliseconds
  }

  /** Colors code; null if its language is unknown or no time is left. */
  paint(code: string, language: string | null): Markup | null {
    const key = languageKey(language ?? '')
    // The shortest timeout is one millisecond.
    const timeout = Math.floor(this.#left)
    if (library === null || key === null || !prepared.has(key) || timeout < 1) return null
    const started = performance.now()
    const painted = withinTime(library, code, key, timeout)
    this.#left -= performance.now() - started
    return painted !== null && PAINTED.test(painted) ? new Markup(painted) : null
  }
}

const call = new Script('paint()')

/** Stops a pattern of the library that takes too long, in the middle of its work. */
function withinTime({ highlight }: Library, code: string, language: string, timeout: number): string | null {
  try {
    const paint = (): string => highlight(code, { language, ignoreIllegals: true }).value
    return String(call.runInContext(createContext({ paint }), { timeout }))
  } catch {
    return null
  }
}

const languages: Readonly<Record<string, readonly [name: string, ...aliases: string[]]>> = Object.fromEntries(
  `bash:Bash,sh,zsh c:C,h cpp:C++,c++,cc,hpp csharp:C#,c#,cs css:CSS diff:Diff,patch dockerfile:Dockerfile,docker
  go:Go,golang graphql:GraphQL,gql ini:INI,cfg,conf java:Java javascript:JavaScript,js,jsx,mjs,cjs
  json:JSON,jsonc,ndjson kotlin:Kotlin,kt lua:Lua makefile:Makefile,make,mk markdown:Markdown,md perl:Perl,pl php:PHP
  python:Python,py r:R ruby:Ruby,rb rust:Rust,rs scala:Scala scss:SCSS,sass shell:Shell,console,shellsession
  sql:SQL,postgres,postgresql,mysql,sqlite swift:Swift typescript:TypeScript,ts,tsx,mts,cts xml:XML,html,svg,xhtml
  yaml:YAML,yml`
    .split(/\s+/)
    .map((row) => row.split(':'))
    .map(([key = '', names = '']) => [key, names.split(',') as [string, ...string[]]]), // split returns at least one
)

const byAlias = new Map(
  Object.entries(languages).flatMap(([key, [, ...aliases]]) => [key, ...aliases].map((alias) => [alias, key] as const)),
)

/** Returns the highlighter's name of an info string's language; null if it knows no such language. */
export function languageKey(language: string): string | null {
  return byAlias.get(language.toLowerCase()) ?? null
}

/** Returns the name of a language, for example `TypeScript` for `ts`; an unknown one stays as it is. */
export function languageName(language: string): string {
  if (/^html$/i.test(language)) return 'HTML'
  return languages[languageKey(language) ?? '']?.[0] ?? language
}
