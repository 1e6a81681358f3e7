/** API keys: `wsk_`, 43 base62 characters that nobody can guess, and a checksum that tells a typing mistake. */

import { hash, randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'wsk_'
/** 43 characters of 62 hold 256 bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

const SHAPE: RegExp = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** Makes a key; only its hash is to be kept. */
export function createKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return PREFIX + secret + checksum(secret)
}

/** What is stored of a key: its SHA-256, or null where it can be no key. */
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
