/** What a text may be written in. */

import { type Message, parse, type Root } from '../index.js'

/** A text as a tree of ours, and what is said about it. */
export interface Reading {
  readonly tree: Root
  /** What the tree could not take over; always empty for our own dialect. */
  readonly losses: readonly Message[]
}

export interface Dialect {
  readonly name: string
  readonly read: (text: string) => Reading
}

/** By the name that stands in an address. */
export const dialects: Readonly<Record<string, Dialect>> = {
  blockmark: { name: 'blockmark', read: (text) => ({ tree: parse(text), losses: [] }) },
}

/** The dialect of a name, ours where there is none of that name. */
export function dialectNamed(name: string): Dialect {
  const found = Object.hasOwn(dialects, name) ? dialects[name] : undefined
  return found ?? { name: 'blockmark', read: (text) => ({ tree: parse(text), losses: [] }) }
}
