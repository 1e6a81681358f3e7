/** HTML blocks: the start conditions and the end conditions (CommonMark 4.6). */

/**
 * Returns the pattern that ends the HTML block that starts with a text; null if none starts.
 *
 * @param text - a line, without white space in front of it
 * @param isInterrupting - whether the line would otherwise continue a paragraph, which a tag of an unknown name does not interrupt
 */
export function endOfHtml(text: string, isInterrupting: boolean): RegExp | null {
  if (!text.startsWith('<')) return null
  const kind = kinds.find(({ start }) => start.test(text))
  if (kind !== undefined) return kind.end
  return !isInterrupting && TAG.test(text) ? BLANK : null
}

/** Whether a text is one tag, and its name is not one of HTML's. */
export function isForeignTag(text: string): boolean {
  if (!TAG.test(text) || kinds.some(({ start }) => start.test(text))) return false
  const [, name = ''] = /^<\/?([a-z\d-]+)/i.exec(text) ?? []
  return !elements.has(name.toLowerCase())
}

/** A blank line, which ends a block without being part of it. */
export const BLANK: RegExp = /^[ \t]*$/

/** The elements that always start an HTML block (condition 6). */
const elements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym applet audio b bdi bdo bgsound big blink br button canvas cite code data datalist del dfn em embed ' +
    'font hgroup i image img input ins kbd label map mark marquee math meta meter nobr noembed noscript object output ' +
    'picture plaintext progress q rb rp rt rtc ruby s samp select slot small source span strike strong sub sup svg ' +
    'template time tt u var video wbr xmp'
  ).split(' '),
)

const kinds: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: blockTag(), end: BLANK },
]

function blockTag(): RegExp {
  const names =
    'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
    'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
    'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
    'track|ul'
  return new RegExp(`^</?(?:${names})(?:[\\s>]|/>|$)`, 'i')
}

/** One tag of any name, alone on its line. */
const TAG =
  /^<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>[ \t]*$/i
