/** The source as code units between two line endings. Because of these, reading a neighbor needs no bounds check. */
import { LINE_FEED } from './units.js'

/** Memory for the code units of a text and the line endings around it. */
export interface Memory {
  /** `chars[at]` is the text's code unit at `at - 1`. */
  readonly chars: Uint16Array
  /** The same memory, if the runtime can copy a string into it in one call. */
  readonly target: StringTarget | null
}

/** The method of Node's and Bun's `Buffer` that `write` calls after its checks. */
export interface StringTarget {
  ucs2Write(text: string, start: number, byteCount: number): number
}

/** Absent in browsers. */
declare const Buffer: { from(memory: ArrayBuffer): Partial<StringTarget> } | undefined

/** Up to this length a loop is as fast as the runtime's copy. */
const LOOP_LENGTH = 40

export function createMemory(length: number): Memory {
  const memory = new ArrayBuffer(2 * length)
  const buffer = typeof Buffer === 'undefined' ? {} : Buffer.from(memory)
  const target = typeof buffer.ucs2Write === 'function' ? (buffer as StringTarget) : null
  return { chars: new Uint16Array(memory), target }
}

/** Loads a text into memory that has room for it. */
export function load({ chars, target }: Memory, text: string): void {
  const { length } = text
  if (target !== null && length > LOOP_LENGTH) target.ucs2Write(text, 2, 2 * length)
  else for (let at = 0; at < length; at += 1) chars[at + 1] = text.charCodeAt(at)
  chars[0] = LINE_FEED
  chars[length + 1] = LINE_FEED
}
