/**
 * How large an image is shown, read from its first bytes, so that a page can keep its room. What can not be read here is
 * not wrong, only unknown.
 */

/** In pixels, as the image is shown: turned, where it says so. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Where the size of a photograph stands: behind its camera's notes and its colour profile. */
export const SIZE_HEAD_BYTES = 262_144

const readers: Readonly<Record<string, (view: DataView) => ImageSize | null>> = {
  'image/png': (view) => sizeOf(view.getUint32(16), view.getUint32(20)),
  'image/apng': (view) => sizeOf(view.getUint32(16), view.getUint32(20)),
  'image/gif': (view) => sizeOf(view.getUint16(6, true), view.getUint16(8, true)),
  'image/bmp': (view) => sizeOf(view.getInt32(18, true), Math.abs(view.getInt32(22, true))),
  'image/webp': webp,
  'image/jpeg': jpeg,
  'image/avif': avif,
}

/**
 * Reads an image's size.
 *
 * @param head - the first bytes of the content
 * @param mediaType - what the content was found to be
 * @returns the size, or null where it is not known
 */
export function imageSize(head: Uint8Array, mediaType: string): ImageSize | null {
  const read = Object.hasOwn(readers, mediaType) ? readers[mediaType] : undefined
  if (read === undefined) return null
  try {
    return read(new DataView(head.buffer, head.byteOffset, head.byteLength))
  } catch (error) {
    // It breaks off, or says that something stands where there is nothing.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** No picture is larger; what says so may be anything. */
const SIDE_MAX = 100_000

function sizeOf(width: number, height: number): ImageSize | null {
  return width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX ? { width, height } : null
}

function tagAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}

function webp(view: DataView): ImageSize | null {
  switch (tagAt(view, 12)) {
    case 'VP8X':
      return sizeOf(1 + uint24(view, 24), 1 + uint24(view, 27))
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return sizeOf(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
    }
    case 'VP8 ':
      return sizeOf(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    default:
      return null
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

/** Goes from segment to segment to the frame's, past the notes, which say how the camera was held. */
function jpeg(view: DataView): ImageSize | null {
  let isTurned = false
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xe1 && tagAt(view, at + 4) === 'Exif') isTurned = isTurnedBy(view, at + 10)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (!isFrame) continue
    const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
    return isTurned ? sizeOf(height, width) : sizeOf(width, height)
  }
  return null
}

const ORIENTATION = 0x0112
/** Orientations from here on are turned by a quarter. */
const FIRST_TURNED = 5

function isTurnedBy(view: DataView, tiff: number): boolean {
  const isLittle = view.getUint16(tiff) === 0x4949
  const entries = tiff + view.getUint32(tiff + 4, isLittle)
  const count = view.getUint16(entries, isLittle)
  for (let index = 0; index < count; index += 1) {
    const entry = entries + 2 + index * 12
    if (view.getUint16(entry, isLittle) === ORIENTATION) return view.getUint16(entry + 8, isLittle) >= FIRST_TURNED
  }
  return false
}

/** Boxes in boxes. A picture made of tiles has a size for each and one for the whole, which is the largest. */
function avif(view: DataView): ImageSize | null {
  const found = { size: null as ImageSize | null, isTurned: false }
  readBoxes(view, 0, view.byteLength, found)
  const { size, isTurned } = found
  return size !== null && isTurned ? { width: size.height, height: size.width } : size
}

/** What holds boxes, and how many bytes stand before the first. */
const containers: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 }

function readBoxes(
  view: DataView,
  start: number,
  end: number,
  found: { size: ImageSize | null; isTurned: boolean },
): void {
  for (let at = start; at + 8 <= end; ) {
    const length = view.getUint32(at)
    const tag = tagAt(view, at + 4)
    if (length < 8) return
    const inner = containers[tag]
    if (inner !== undefined) readBoxes(view, at + 8 + inner, Math.min(at + length, end), found)
    if (tag === 'irot') found.isTurned = view.getUint8(at + 8) % 2 === 1
    if (tag === 'ispe') {
      const size = sizeOf(view.getUint32(at + 12), view.getUint32(at + 16))
      if (size !== null && size.width >= (found.size?.width ?? 0)) found.size = size
    }
    at += length
  }
}
