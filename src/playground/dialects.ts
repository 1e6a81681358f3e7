/** What a text may be written in. */

import { fromMarkdown } from '../convert/markdown.js'
import { fromSlack } from '../convert/slack/index.js'
import { type Message, parse, type Root } from '../index.js'
import { lint } from '../lint/index.js'

/** A text as a tree of ours, and what is said about it. */
export interface Reading {
  readonly tree: Root
  /** What was probably not meant or, of another dialect, what the tree could not take over. */
  readonly remarks: readonly Message[]
}

export interface Dialect {
  readonly name: string
  readonly read: (text: string) => Reading
}

/** What there is nothing to convert in. */
export const OWN = 'blockmark'

/** By the name that stands in an address. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([
  [OWN, { name: 'blockmark', read: (text) => ({ tree: parse(text), remarks: lint(text) }) }],
  ['markdown', { name: 'CommonMark, GFM', read: (text) => readingOf(fromMarkdown(text)) }],
  ['slack', { name: 'Slack', read: (text) => readingOf(fromSlack(payloadOf(text))) }],
])

/** What Slack's Block Kit Builder gives, and what apps send, is JSON. */
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

function readingOf({ tree, messages }: { tree: Root; messages: readonly Message[] }): Reading {
  return { tree, remarks: messages }
}
