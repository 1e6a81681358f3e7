/** Colors for code, made where the page is drawn, so that a page needs no script for them. */

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { type Context, createContext, Script } from 'node:vm'
import { Markup } from './markup.js'

/** Maximum length of colored code: longer code would make other readers wait. */
const LENGTH_MAX = 8192

/** Milliseconds after which a pattern of the library is stopped: several times what code of this length needs. */
const MILLISECONDS_MAX = 90

/** Maximum number of remembered results, 4 MB if all were long. */
const REMEMBERED_MAX = 500

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

/** Results by language and hash of the code, the oldest first: messages never change. Null if the library was stopped. */
const remembered = new Map<string, Markup | null>()

/** Colors code; null if it is too long, its language is unknown, or the library takes too long for it. */
export function paint(code: string, language: string | null): Markup | null {
  const name = languageKey(language ?? '')
  if (name === null || code.length > LENGTH_MAX) return null
  const key = `${name} ${createHash('sha256').update(code).digest('base64url')}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const start = process.cpuUsage()
  const painted = withinTime(prepare(name), code, name)
  const { user, system } = process.cpuUsage(start)
  const found = painted !== null && PAINTED.test(painted) ? new Markup(painted) : null
  // If another program had the CPU, the next reader gets the colors.
  if (found === null && (user + system) / 1000 < MILLISECONDS_MAX / 2) return null
  const [oldest] = remembered.keys()
  if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest)
  remembered.set(key, found)
  return found
}

/** Loads a language once per process: its patterns take as long as many pages of code. */
function prepare(name: string): Library {
  library ??= load('highlight.js/lib/core') as Library // the package's export, which a test checks
  if (prepared.has(name)) return library
  prepared.add(name)
  library.registerLanguage(name, load(`highlight.js/lib/languages/${name}`))
  library.highlight('', { language: name, ignoreIllegals: true })
  return library
}

const call = new Script('paint()')
let context: Context | null = null

/** Stops a pattern of the library that takes too long, in the middle of its work. All code is colored in one context. */
function withinTime({ highlight }: Library, code: string, language: string): string | null {
  context ??= createContext({})
  context['paint'] = (): string => highlight(code, { language, ignoreIllegals: true }).value
  try {
    return String(call.runInContext(context, { timeout: MILLISECONDS_MAX }))
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
function languageKey(language: string): string | null {
  return byAlias.get(language.toLowerCase()) ?? null
}

/** Returns the name of a language, for example `TypeScript` for `ts`; an unknown one stays as it is. */
export function languageName(language: string): string {
  if (/^html$/i.test(language)) return 'HTML'
  return languages[languageKey(language) ?? '']?.[0] ?? language
}
