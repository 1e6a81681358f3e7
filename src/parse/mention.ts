/** Mentions (§3.3), and the ids and labels that files have too (§2). */

const ID = '[^\\p{Z}\\p{Cc}<>|`]{1,128}'
const LABEL = '[^\\p{Cc}<>|`]{0,256}'

/** Made when the first is asked for: Unicode properties take long to read, and most messages never need them. */
let expressions: { readonly mention: RegExp; readonly file: RegExp; readonly id: RegExp } | null = null

function getExpressions(): NonNullable<typeof expressions> {
  expressions ??= {
    // Without a pipe an id is plain: ASCII letters, digits, `_` and `-`, at least one of them a digit.
    mention: new RegExp(`<@(?:(${ID})\\|(${LABEL})|((?=[\\w-]*\\d)[\\w-]{1,128}))>`, 'uy'),
    file: new RegExp(`^<!(${ID})\\|(${LABEL})>$`, 'u'),
    id: new RegExp(`^${ID}$`, 'u'),
  }
  return expressions
}

/** What a mention or a file names. */
export interface Reference {
  readonly id: string
  readonly label: string | null
}

/** Where the mention ends that starts with the `<` at `start`, else -1. Cost: up to the next `<`. */
export function endOfMention(text: string, start: number): number {
  if (text.charCodeAt(start + 1) !== 64 /* @ */) return -1
  const { mention } = getExpressions()
  mention.lastIndex = start
  return mention.test(text) ? mention.lastIndex : -1
}

/** What the mention names that starts at `start`. */
export function mentionAt(text: string, start: number): Reference {
  const { mention } = getExpressions()
  mention.lastIndex = start
  const [, piped, label, plain] = mention.exec(text) ?? []
  return { id: piped ?? plain ?? '', label: label || null }
}

/** The file that a line names, if it names one and holds nothing else. */
export function fileOf(line: string): Reference | null {
  const found = getExpressions().file.exec(line)
  return found === null ? null : { id: found[1] ?? '', label: found[2] || null }
}

/** Whether a mention or a file can have this id. */
export function isID(value: string): boolean {
  return getExpressions().id.test(value)
}
