/** Reads messages from files and from standard input. */

import { isUtf8 } from 'node:buffer'
import { fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Failure } from './errors.js'
import { invalidByteAt } from './utf8.js'

/** What a file holds. */
export interface Message {
  /** The file's path, or the words `standard input`. */
  readonly name: string
  /**
   * The byte order mark at the file's beginning, or nothing. There it tells the encoding and is no part of the message,
   * so that `# Title` behind it is a heading; anywhere else, and in a string given to `parse`, U+FEFF is a character
   * like any other (§1).
   */
  readonly mark: '\uFEFF' | ''
  readonly text: string
}

/**
 * Reads a file.
 *
 * @param path - its path; `-` is standard input
 * @returns the message in it
 * @throws {Failure} when it can not be read or is not UTF-8
 */
export async function readMessage(path: string): Promise<Message> {
  const name = path === '-' ? 'standard input' : path
  const text = decode(name, await readBytes(name, path))
  return text.startsWith('\uFEFF') ? { name, mark: '\uFEFF', text: text.slice(1) } : { name, mark: '', text }
}

function decode(name: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const at = invalidByteAt(bytes)
  const byte = bytes.toString('hex', at, at + 1).toUpperCase()
  // What PowerShell's `>` writes: its mark is made of the two bytes that no UTF-8 holds.
  const hint = at === 0 && /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2)) ? '; it looks like UTF-16' : ''
  throw new Failure(`${name}: not UTF-8: invalid byte 0x${byte} at offset ${at}${hint}`)
}

async function readBytes(name: string, path: string): Promise<Buffer> {
  try {
    return path === '-' ? await readStandardInput(name) : await readFile(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${name}: ${reasonOf(error)}`, { cause: error })
  }
}

async function readStandardInput(name: string): Promise<Buffer> {
  // As a stream a directory would only be empty.
  if (fstatSync(0).isDirectory()) throw new Failure(`${name}: ${reasons['EISDIR']}`)
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
}

/** Why reading failed, where it is the system that says no. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) throw error
  return reasons[String(error.code)] ?? error.message
}
