/** A text in the address: behind the `#`, which browsers keep to themselves. */

export interface Kept {
  readonly text: string
  readonly dialect: string
}

/**
 * Reads a text from an address.
 *
 * @param hash - what stands behind the address, with its `#`
 * @returns the text, or null where there is none
 */
export function readFragment(hash: string): Kept | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const text = fields.get('text')
  return text === null ? null : { text, dialect: fields.get('in') ?? 'blockmark' }
}

/**
 * Writes a text for an address.
 *
 * @param kept - the text
 * @returns what stands behind the address, with its `#`
 */
export function writeFragment({ text, dialect }: Kept): string {
  const fields = new URLSearchParams(dialect === 'blockmark' ? { text } : { in: dialect, text })
  return `#${fields}`
}
