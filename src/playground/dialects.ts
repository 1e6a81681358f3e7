/** The dialects that a text can be read as. */

import { fromMarkdown } from '../convert/index.js'
import { type Diagnostic, parse, type Root } from '../index.js'
import { lint } from '../lint/index.js'
import { fromSlack } from '../messengers/index.js'

/** The tree of a text, and its diagnostics. */
export interface Reading {
  readonly tree: Root
  /** Diagnostics of lint or, for another dialect, the losses of the conversion. */
  readonly remarks: readonly Diagnostic[]
}

export interface Dialect {
  readonly name: string
  readonly read: (text: string) => Reading
}

/** The dialect that needs no conversion. */
export const OWN = 'blockmark'

/** The dialects by their names in URLs. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([
  [OWN, { name: 'blockmark', read: (text) => ({ tree: parse(text), remarks: lint(text) }) }],
  ['markdown', { name: 'CommonMark, GFM', read: (text) => readingOf(fromMarkdown(text)) }],
  ['slack', { name: 'Slack', read: (text) => readingOf(fromSlack(payloadOf(text))) }],
])

/** Reads the JSON of Slack's Block Kit Builder and of apps; any other text stays text. */
function payloadOf(text: string): string | object {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    const payload: unknown = JSON.parse(text)
    if (Array.isArray(payload)) return { blocks: payload }
    return typeof payload === 'object' && payload !== null ? payload : text
  } catch {
    return text
  }
}

function readingOf({ tree, diagnostics }: { tree: Root; diagnostics: readonly Diagnostic[] }): Reading {
  return { tree, remarks: diagnostics }
}
