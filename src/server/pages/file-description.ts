/** What a file is, in words. */

import type { FileRow } from '../../api/store/store.js'

const names: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'PDF'],
  ['image/jpeg', 'JPEG image'],
  ['image/svg+xml', 'SVG image'],
  ['image/webp', 'WebP image'],
  ['text/plain', 'Text'],
  ['video/quicktime', 'QuickTime video'],
  ['video/webm', 'WebM video'],
])

/** Describes a file in a few words, for example `How it went · PNG image · 1.2 MB`. */
export function describeFile({ name, mediaType, size }: FileRow, label: string | null): string {
  const isSeen = /^(?:image|video)\//.test(mediaType)
  // The link to any other file is its label or name already.
  const names = isSeen ? [label ?? name] : []
  return [...names, typeName(mediaType), sizeName(size)].join(' · ')
}

function typeName(mediaType: string): string {
  const type = mediaType.replace(/\s*;.*/s, '')
  const name = names.get(type)
  if (name !== undefined) return name
  const found = /^(image|video)\/(?:x-)?([\w-]+)/.exec(type)
  return found === null ? type : `${found[2]?.toUpperCase()} ${found[1]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB']

function sizeName(size: number): string {
  if (size < 1000) return size === 1 ? '1 byte' : `${size} bytes`
  let [amount, unit] = [size / 1000, 0]
  // What would be shown as 1000 is one of the next.
  while (amount >= 999.5 && unit < UNITS.length - 1) [amount, unit] = [amount / 1000, unit + 1]
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`
}
