/** Finds the ends of inline constructs that take precedence over emphasis, and those that a text leaves unfinished at its end. */

/** Returns the end of the code that begins with the backticks at a position; null if nothing closes it. */
export function endOfCode(text: string, start: number): number | null {
  const length = lengthOfRun(text, start)
  for (let at = text.indexOf('`', start + length); at >= 0; at = text.indexOf('`', at)) {
    const run = lengthOfRun(text, at)
    at += run
    if (run === length) return at
  }
  return null
}

/** Returns the length of the run that begins at `start`. */
export function lengthOfRun(text: string, start: number): number {
  let end = start + 1
  while (text[end] === text[start]) end += 1
  return end - start
}

const ATTRIBUTE = `[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]+|'[^']*'|"[^"]*"))?`
const HALF_ATTRIBUTE = `[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^\\s"'=<>\`]*|'[^']*|"[^"]*))?`

/** Matches a tag, an autolink, a comment, an instruction, a declaration, CDATA, or text that conversions read as a mention. */
const HTML = new RegExp(
  [
    `</?[A-Za-z][A-Za-z\\d-]*(?:\\s+${ATTRIBUTE})*\\s*/?>`,
    '<[A-Za-z][A-Za-z\\d+.-]{1,31}:[^\\s<>]*>',
    '<[^\\s<>@]+@[^\\s<>]+>|<@[^<>]*>',
    '<!--[^]*?-->|<\\?[^]*?\\?>|<!\\[CDATA\\[[^]*?\\]\\]>|<![A-Za-z][^>]*>',
  ].join('|'),
  'y',
)

const HALF_HTML = new RegExp(
  [
    '<',
    `</?(?:[A-Za-z][A-Za-z\\d-]*(?:\\s+${ATTRIBUTE})*\\s*(?:\\s${HALF_ATTRIBUTE}|/)?)?`,
    '<[A-Za-z][A-Za-z\\d+.-]{1,31}:[^\\s<>]*',
    '<[^\\s<>@]+@[^\\s<>]*|<@[^<>]*',
    '<!-?|<!--[^]*|<\\?[^]*|<!\\[[^]*|<![A-Za-z][^>]*',
  ]
    .map((half) => `(?:${half})$`)
    .join('|'),
  'y',
)

/** Returns the end of the HTML or the autolink that begins at `start`, or null if neither begins there. */
export function endOfHtml(text: string, start: number): number | null {
  HTML.lastIndex = start
  return HTML.test(text) ? HTML.lastIndex : null
}

/** Whether the text from a position to its end may be the start of HTML or of an autolink. */
export function isHalfHtml(text: string, start: number): boolean {
  HALF_HTML.lastIndex = start
  return HALF_HTML.test(text)
}

/** Returns the end of the literal autolink that begins at `start`, or null if none begins there. */
export function endOfUrl(text: string, start: number): number | null {
  if (/[A-Za-z\d]/.test(text[start - 1] ?? ' ')) return null
  URL.lastIndex = start
  const [url] = URL.exec(text) ?? []
  if (url === undefined) return null
  let end = start + url.length
  while ('*_~?!.,:;\'")'.includes(text[end - 1] ?? ' ')) end -= 1
  return end
}

const URL = /(?:https?:\/\/|www\.)[^\s<]*/iy

/** The part of a link after its link text. */
export type Resource = { readonly end: number } | 'half' | null

/** Reads the URL and the title that begin with the parenthesis at a position. */
export function resourceAt(text: string, start: number): Resource {
  let at = endOfTarget(text, endOfSpace(text, start + 1))
  if (at === null) return null
  const space = endOfSpace(text, at)
  const quote = text[space]
  if (quote !== undefined && space > at && '"\'('.includes(quote)) {
    at = text.indexOf(quote === '(' ? ')' : quote, space + 1)
    if (at < 0) return 'half'
    at = endOfSpace(text, at + 1)
  } else at = space
  if (at >= text.length) return 'half'
  return text[at] === ')' ? { end: at + 1 } : null
}

function endOfSpace(text: string, start: number): number {
  let at = start
  while (/\s/.test(text[at] ?? 'x')) at += 1
  return at
}

/** Returns the end of a URL. Parentheses in it must pair, unless it is between `<` and `>`. */
function endOfTarget(text: string, start: number): number | null {
  if (text[start] === '<') {
    const end = text.slice(start).search(/[>\n]/)
    if (end < 0) return text.length
    return text[start + end] === '>' ? start + end + 1 : null
  }
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\\') at += 1
    else if (character === '(') depth += 1
    else if (character === ')' && depth > 0) depth -= 1
    else if (character === ')' || /\s/.test(character)) return at
  }
  return text.length
}
