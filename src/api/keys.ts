/** API keys: `wsk_`, 43 random base62 characters, and a checksum that detects typing mistakes. */

import { hash, randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'wsk_'
/** 43 base62 characters have 256 bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

const SHAPE: RegExp = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** Creates an API key, of which only the hash may be stored. */
export function createKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return PREFIX + secret + checksum(secret)
}

/** Returns the SHA-256 of an API key; null if the string is not a well-formed API key. */
export function hashOfKey(key: string): Buffer | null {
  if (!SHAPE.test(key)) return null
  const secret = key.slice(PREFIX.length, -CHECKSUM_LENGTH)
  if (!key.endsWith(checksum(secret))) return null
  return hash('sha256', key, 'buffer')
}

function checksum(secret: string): string {
  let rest = hash('sha256', secret, 'buffer').readUIntBE(0, 6)
  let text = ''
  while (text.length < CHECKSUM_LENGTH) {
    text += ALPHABET.charAt(rest % ALPHABET.length)
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/** Returns the hash of the API key in an Authorization header; null if the header has no well-formed API key. */
export function keyHashOf(authorization: string | null): Buffer | null {
  return hashOfKey(keyOf(authorization) ?? '')
}

/** Returns the text that an Authorization header gives as an API key, whether it is well formed or not. */
export function keyOf(authorization: string | null): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}
