/**
 * The size of an image, read from its first bytes, so that a page can reserve the room. An image whose size cannot be
 * read here is still valid.
 */

/** The size in pixels as the image is shown, that is, after the rotation that a photograph's metadata requests. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Maximum side of an image in pixels. A larger size is ignored. */
const SIDE_MAX = 100_000

/** Reads an image's size from the first bytes; null if it cannot be read. */
export async function imageSize(head: Uint8Array, mediaType: string): Promise<ImageSize | null> {
  if (!mediaType.startsWith('image/')) return null
  const { imageDimensionsFromData } = await import('image-dimensions')
  const { width = 0, height = 0 } = imageDimensionsFromData(head) ?? {}
  if (!(width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX)) return null
  return mediaType === 'image/jpeg' && isTurned(head) ? { width: height, height: width } : { width, height }
}

/** Goes from segment to segment to the first camera metadata, which contains the rotation; thousands may follow. */
function isTurned(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
      if (view.getUint8(at + 1) === 0xe1 && view.getUint32(at + 4) === EXIF) return isTurnedBy(view, at + 10)
    }
  } catch {
    // The data breaks off, or points to a position outside of it.
  }
  return false
}

/** `Exif`, as four bytes. */
const EXIF = 0x45786966
const ORIENTATION = 0x0112
/** Orientations from this one on are rotated by a quarter turn. */
const FIRST_TURNED = 5

function isTurnedBy(view: DataView, tiff: number): boolean {
  const isLittle = view.getUint16(tiff) === 0x4949
  const entries = tiff + view.getUint32(tiff + 4, isLittle)
  const count = view.getUint16(entries, isLittle)
  for (let index = 0; index < count; index += 1) {
    const entry = entries + 2 + index * 12
    if (view.getUint16(entry, isLittle) !== ORIENTATION) continue
    return view.getUint16(entry + 8, isLittle) >= FIRST_TURNED
  }
  return false
}
