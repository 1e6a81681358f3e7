/** Reads messages from files and from standard input. */

import { isUtf8 } from 'node:buffer'
import { createReadStream, fstatSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Failure } from './errors.js'

/** The contents of a file. */
export interface Message {
  /** The file's path, or the words `standard input`. */
  readonly name: string
  /**
   * The byte order mark at the start of the file, or ''. It marks the encoding and is not part of the message, so `# Title`
   * after it is a heading. Anywhere else, and in a string given to `parse`, U+FEFF is an ordinary character (§1).
   */
  readonly byteOrderMark: '\uFEFF' | ''
  readonly text: string
}

/** Reads a file; `-` is standard input. Throws Failure if the file cannot be read or is not UTF-8. */
export async function readMessage(path: string): Promise<Message> {
  const name = path === '-' ? 'standard input' : path
  try {
    const text = decode(path === '-' ? await readStandardInput() : await readFile(path))
    return text.startsWith('\uFEFF')
      ? { name, byteOrderMark: '\uFEFF', text: text.slice(1) }
      : { name, byteOrderMark: '', text }
  } catch (error) {
    throw new Failure(`${name}: ${fileReason(error)}`, { cause: error })
  }
}

/**
 * Yields a file in pieces while it is written, for example standard input that a model writes to. Throws Failure as
 * `readMessage` does.
 */
export async function* readChunks(path: string): AsyncGenerator<string, undefined> {
  const name = path === '-' ? 'standard input' : path
  // The decoder removes the byte order mark, and keeps half a character for the next piece.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const bytes: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path)
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const isDecoding =
      error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    throw new Failure(`${name}: ${isDecoding ? 'not UTF-8' : fileReason(error)}`, { cause: error })
  }
}

/** Throws Failure if a path leads to nothing or to a directory. */
export function checkFile(path: string): void {
  try {
    if (statSync(path).isDirectory()) throw new Failure('is a directory')
  } catch (error) {
    throw new Failure(`${path}: ${fileReason(error)}`, { cause: error })
  }
}

async function readStandardInput(): Promise<Buffer> {
  // A directory is rejected first, because it would be empty if it were read as a stream.
  if (fstatSync(0).isDirectory()) throw new Failure('is a directory')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const at = invalidByteAt(bytes)
  const byte = bytes.toString('hex', at, at + 1).toUpperCase()
  // PowerShell's `>` writes UTF-16, so the error names that encoding, whose byte order mark is two bytes that UTF-8 never contains.
  const hint = at === 0 && /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2)) ? '; it looks like UTF-16' : ''
  throw new Failure(`not UTF-8: invalid byte 0x${byte} at offset ${at}${hint}`)
}

/**
 * Returns the offset of the first byte that does not start a well-formed sequence; -1 if all bytes are UTF-8. The decoders of the
 * platform report no such offset.
 */
export function invalidByteAt(bytes: Buffer): number {
  // The decoder writes U+FFFD for an invalid sequence. The sequence may begin like U+FFFD, so the search goes back to its first byte.
  const reencodedBytes = Buffer.from(bytes.toString())
  let at = reencodedBytes.findIndex((byte, index) => byte !== bytes[index])
  while (((reencodedBytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
}

const reasonsByCode: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
  ERR_FS_FILE_TOO_LARGE: 'is too large',
  ERR_STRING_TOO_LONG: 'is too large',
}

/** Says why a file could not be read. An error that is not about the file is thrown again. */
export function fileReason(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (error instanceof Error && 'code' in error) return reasonsByCode[String(error.code)] ?? error.message
  throw error
}
