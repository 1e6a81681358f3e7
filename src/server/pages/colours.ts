/** Code in colours, made here so that a page needs no script for them, and in a time that a page has for them. */

import { createRequire } from 'node:module'
import { createContext, Script } from 'node:vm'
import { languageKey } from './languages.js'
import { Markup } from './markup.js'

/** What all the code of a page may take; what comes after it stays in one colour. */
const PAGE_MILLISECONDS_MAX = 30

/** What the library writes: text that is escaped, and spans of its own classes. Anything else is not sent. */
const PAINTED = /^(?:[^<>&]|&(?:amp|lt|gt|quot|#x27);|<span class="(?:hljs|language)-[\w-]+(?: [\w-]+)*">|<\/span>)*$/

/** What is used of highlight.js, whose own types bring those of a browser along. */
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
 * Makes a language ready, once for each process: its patterns take as long as many pages of code. What no page shows is
 * never loaded.
 */
export function prepareLanguage(language: string): void {
  const key = languageKey(language)
  if (key === null || prepared.has(key)) return
  prepared.add(key)
  library ??= load('highlight.js/lib/core') as Library // what the package exports there, and a test holds it to
  library.registerLanguage(key, load(`highlight.js/lib/languages/${key}`))
  library.highlight('', { language: key, ignoreIllegals: true })
}

/** The colours of one page. */
export class Colours {
  #left: number

  constructor(milliseconds: number = PAGE_MILLISECONDS_MAX) {
    this.#left = milliseconds
  }

  /** Paints code; null where its language is unknown or there is no time left, and it stays as it is. */
  paint(code: string, language: string | null): Markup | null {
    const key = languageKey(language ?? '')
    // A timeout of less than a millisecond there is not.
    const timeout = Math.floor(this.#left)
    if (library === null || key === null || !prepared.has(key) || timeout < 1) return null
    const started = performance.now()
    const painted = withinTime(library, code, key, timeout)
    this.#left -= performance.now() - started
    return painted !== null && PAINTED.test(painted) ? new Markup(painted) : null
  }
}

const call = new Script('paint()')

/** A pattern of the library that runs away on some text is stopped in the middle of it, which nothing else can do. */
function withinTime({ highlight }: Library, code: string, language: string, timeout: number): string | null {
  try {
    const paint = (): string => highlight(code, { language, ignoreIllegals: true }).value
    return String(call.runInContext(createContext({ paint }), { timeout }))
  } catch {
    return null
  }
}
