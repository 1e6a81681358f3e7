/** The dialects that a text can be read as. */

import { fromMarkdown } from '../convert/index.js'
import { type Diagnostic, parse, type Root } from '../index.js'
import { lint } from '../lint/index.js'
import { fromSlack } from '../messengers/index.js'

/** The tree of a text, and its diagnostics. */
export interface Reading {
  readonly tree: Root
  /** Diagnostics of lint or, for another dialect, losses of the conversion. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The dialect that needs no conversion. */
export const OWN = 'blockmark'

/** CommonMark with GFM, as models write it. */
export const MARKDOWN = 'markdown'

/** The readers of the dialects, by their names in URLs. */
export const dialects: ReadonlyMap<string, (text: string) => Reading> = new Map([
  [OWN, (text: string) => ({ tree: parse(text), diagnostics: lint(text) })],
  [MARKDOWN, (text: string) => fromMarkdown(text)],
  ['slack', (text: string) => fromSlack(payloadOf(text))],
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
