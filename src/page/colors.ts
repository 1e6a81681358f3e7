/** Colors for code, made where the page is drawn, so that a page needs no script for them. */

import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { Markup } from './markup.js'

/** Maximum length of colored code, and the milliseconds after which it is left without colors: several times what it needs. */
const [LENGTH_MAX, MILLISECONDS_MAX] = [8192, 90]

/** The used part of highlight.js, whose own types include those of a browser. */
interface Library {
  getLanguage(name: string): { readonly name?: string } | undefined
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string }
}

let loaded: Library | null = null

/** Loads the library for the first code, since that takes as long as many pages. */
function library(): Library {
  loaded ??= createRequire(import.meta.url)('highlight.js/lib/common') as Library // the package's export, which a test checks
  return loaded
}

const context = createContext({})
const remembered = new Map<string, Markup>()

/** Colors code; null if it is too long, its language is unknown, or the library takes too long for it. */
export function paint(code: string, language: string | null): Markup | null {
  if (language === null || code.length > LENGTH_MAX || library().getLanguage(language) === undefined) return null
  const key = `${language} ${code}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  // The first use of a language prepares its patterns, which does not count.
  library().highlight('', { language, ignoreIllegals: true })
  context['paint'] = (): string => library().highlight(code, { language, ignoreIllegals: true }).value
  try {
    const painted = new Markup(String(runInContext('paint()', context, { timeout: MILLISECONDS_MAX })))
    // Messages never change. All together are at most a few megabytes.
    if (remembered.size >= 500) remembered.clear()
    remembered.set(key, painted)
    return painted
  } catch {
    return null
  }
}

/** Returns the name of a language, for example `TypeScript` for `ts`; an unknown one stays as it is. */
export function languageName(language: string): string {
  const name = library().getLanguage(language)?.name ?? language
  // Some have one name for several languages, for example `HTML, XML`.
  return name.includes(',') ? language.toUpperCase() : name
}
