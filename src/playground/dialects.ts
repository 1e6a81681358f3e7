/** The dialects that a text can be read as. */

import { fromMarkdown } from '../convert/index.js'
import { type Diagnostic, parse, type Root } from '../index.js'
import { lint } from '../lint/index.js'
import { fromSlack } from '../messengers/index.js'

/** A parsed text. */
export interface Read {
  readonly text: string
  readonly dialect: string
  readonly tree: Root
  /** Diagnostics of lint or, for another dialect, losses of the conversion. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The dialect that needs no conversion. */
export const OWN = 'blockmark'

/** CommonMark with GFM, as models write it. */
export const MARKDOWN = 'markdown'

/** Parses a text; a dialect that is not known counts as blockmark. */
export function readAs(dialect: string, text: string): Read {
  if (dialect === MARKDOWN) return { text, dialect, ...fromMarkdown(text) }
  if (dialect === 'slack') return { text, dialect, ...fromSlack(payloadOf(text)) }
  return { text, dialect: OWN, tree: parse(text), diagnostics: lint(text) }
}

/** Parses the JSON of Slack's Block Kit Builder and of apps. Returns any other text unchanged. */
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
