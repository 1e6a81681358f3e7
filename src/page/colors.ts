/** Colors code when a page is written, so that the page needs no script for colors. */

import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { Markup } from './markup.js'

/** Maximum length of colored code, and the time limit of coloring, which is several times as long as coloring usually takes. */
const [LENGTH_MAX, MILLISECONDS_MAX] = [8192, 90]

/** The part of highlight.js that is called here. Its own types are not used, because they need the types of a browser. */
interface Library {
  getLanguage(name: string): { readonly name?: string } | undefined
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string }
}

let loadedLibrary: Library | null = null

/** Loads highlight.js when it is first needed, because loading takes as long as writing many pages. */
function loadLibrary(): Library {
  loadedLibrary ??= createRequire(import.meta.url)('highlight.js/lib/common') as Library // A test checks this export.
  return loadedLibrary
}

const context = createContext({})
const coloredCode = new Map<string, Markup>()

/** Returns code with colors; null if the code is too long, its language is unknown, or coloring takes too long. */
export function colorCode(code: string, language: string | null): Markup | null {
  if (language === null || code.length > LENGTH_MAX || loadLibrary().getLanguage(language) === undefined) return null
  const key = `${language} ${code}`
  const cached = coloredCode.get(key)
  if (cached !== undefined) return cached
  // The first use of a language prepares its patterns. That happens here, before the time limit begins.
  loadLibrary().highlight('', { language, ignoreIllegals: true })
  context['paint'] = (): string => loadLibrary().highlight(code, { language, ignoreIllegals: true }).value
  try {
    const coloredMarkup = new Markup(String(runInContext('paint()', context, { timeout: MILLISECONDS_MAX })))
    // Colored code is kept, because messages never change. 500 pieces of it take a few megabytes at most.
    if (coloredCode.size >= 500) coloredCode.clear()
    coloredCode.set(key, coloredMarkup)
    return coloredMarkup
  } catch {
    return null
  }
}

/** Returns the name of a language, for example `TypeScript` for `ts`; an unknown language is returned unchanged. */
export function languageName(language: string): string {
  const name = loadLibrary().getLanguage(language)?.name ?? language
  // highlight.js names some groups, for example `HTML, XML`. Then the given name is shown in capitals.
  return name.includes(',') ? language.toUpperCase() : name
}
