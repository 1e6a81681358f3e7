/** Shortens an input that violates a property, as far as it still does. */

import { placesIn, readJson, replaced, valueAt } from './json.js'
import type { Input } from './target.js'

/** Whether a shorter input still violates the property. */
type Ask = (input: Input) => Promise<boolean>

/** More rounds do not make the input much shorter. */
const TRIES_MAX = 4_000

/** Removes as much of the input as possible. */
export async function shorten(form: 'text' | 'json', input: Input, isWrong: Ask): Promise<Input> {
  let tries = 0
  let best = input
  const take = async (candidate: Input): Promise<boolean> => {
    tries += 1
    if (tries > TRIES_MAX || !(await isWrong(candidate))) return false
    best = candidate
    return true
  }
  for (const knob of [0, 1, 2, 3, 4, 5, 6]) if (knob < best.knob && (await take({ ...best, knob }))) break
  const value = form === 'json' ? readJson(best.text) : undefined
  if (value === undefined) await shortenText(best.text, (text) => take({ ...best, text }))
  else await shortenJson(value, (each) => take({ ...best, text: JSON.stringify(each) }))
  return best
}

/** Removes pieces, large ones first, and replaces the rest by letters. */
async function shortenText(text: string, take: (text: string) => Promise<boolean>): Promise<string> {
  let best = text
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let at = 0
    while (at < best.length) {
      const shorter = best.slice(0, at) + best.slice(at + size)
      if (await take(shorter)) {
        best = shorter
        if (size === 1) at = 0
      } else at += size === 1 ? 1 : Math.ceil(size / 2)
    }
  }
  for (let at = 0; at < best.length; at += 1) {
    const plainer = `${best.slice(0, at)}a${best.slice(at + 1)}`
    if (plainer !== best && (await take(plainer))) best = plainer
  }
  return best
}

/** Removes values, then parts of strings. */
async function shortenJson(value: unknown, take: (value: unknown) => Promise<boolean>): Promise<void> {
  let best = value
  const places = placesIn(value).filter((path) => path.length > 0)
  // From the end, so the rest keeps its index.
  for (const path of places.toReversed()) {
    if (valueAt(best, path) === undefined) continue
    const shorter = replaced(best, path, () => undefined)
    if (await take(shorter)) best = shorter
  }
  for (const path of placesIn(best)) {
    const there = valueAt(best, path)
    if (typeof there !== 'string') continue
    const shortest = await shortenText(there, (text) => take(replaced(best, path, () => text)))
    best = replaced(best, path, () => shortest)
  }
}
