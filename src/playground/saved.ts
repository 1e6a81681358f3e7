/** Saves and reads texts: in the URL after the `#`, which browsers do not send, and as the draft of this browser. */

export interface SavedText {
  readonly text: string
  readonly dialect: string
  /** The output that is shown. */
  readonly tab?: string
}

/** Reads a text from the part of a URL after the `#`; null if it has no text. */
export async function readFragment(hash: string): Promise<SavedText | null> {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const packedText = fields.get('z')
  const text = packedText === null ? fields.get('text') : await unpack(packedText)
  if (text === null) return null
  const tab = fields.get('tab')
  return { text, dialect: fields.get('in') ?? 'blockmark', ...(tab === null ? {} : { tab }) }
}

/** Writes a text as the part of a URL after the `#`. The text is compressed, so that links stay short. */
export async function writeFragment({ text, dialect, tab }: SavedText): Promise<string> {
  const fields = new URLSearchParams({ z: await pack(text) })
  if (dialect !== 'blockmark') fields.set('in', dialect)
  if (tab !== undefined && tab !== 'preview') fields.set('tab', tab)
  return `#${fields}`
}

async function pack(text: string): Promise<string> {
  const bytes = await convertBytes(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

async function unpack(packedText: string): Promise<string | null> {
  try {
    const letters = atob(packedText.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    return new TextDecoder().decode(await convertBytes(bytes, new DecompressionStream('deflate-raw')))
  } catch {
    return null
  }
}

async function convertBytes(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

const DRAFT = 'blockmark playground'

/** Reads the draft of this browser tab, or else the last draft of any tab. */
export function readDraft(): SavedText | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(DRAFT) ?? localStorage.getItem(DRAFT) ?? 'null')
    if (typeof draft !== 'object' || draft === null || !('text' in draft && 'dialect' in draft)) return null
    return { text: String(draft.text), dialect: String(draft.dialect) }
  } catch {
    return null
  }
}

/** Keeps a text for the next visit; an empty text does not replace the earlier one. */
export function saveDraft(draft: SavedText): void {
  if (draft.text.trim() === '') return
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem(DRAFT, JSON.stringify(draft))
  } catch {
    // The draft is not saved if the browser stores nothing for the page, or the storage is full.
  }
}
