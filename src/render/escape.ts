/** Escapes text and URLs for HTML (§6). In the core, only `html.ts` writes text of a message unescaped: text without `&` and `<`. */

/**
 * Escapes text between tags.
 *
 * @throws {TypeError} if `value` is not a string, because `includes` of an array would find nothing to escape
 */
export function escapeText(value: string): string {
  if (typeof value !== 'string') throw new TypeError(`expected a string, received ${typeof value}`)
  // `includes` comes first, because `replaceAll` takes several times as long to find nothing.
  return value.includes('&') || value.includes('<') ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : value
}

const ATTRIBUTE_REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '\0': '&#x0;',
}

/** Escapes a value between double quotes. */
export function escapeAttribute(value: string): string {
  return /[&"'`\0]/.test(value) ? value.replace(/[&"'`\0]/g, (char) => ATTRIBUTE_REFERENCES[char] ?? '') : value
}

const UNSAFE = /%(?![\dA-Fa-f]{2})|[^\w!#$%&'()*+,\-./:;=?@~]+/gu

/** Returns a URL as an href: percent-encoded in UTF-8 where necessary, with U+FFFD in place of lone surrogates. */
export function encodeUrl(url: string): string {
  // `encodeURIComponent` throws on a lone surrogate, so each is replaced first.
  return url.replace(UNSAFE, (part) => encodeURIComponent(part.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')))
}

/** Returns a URL as the value of an href between double quotes. */
export function escapeUrl(url: string): string {
  return escapeAttribute(encodeUrl(url))
}

/** Whether a link's URL may be an href: its scheme is http, https or mailto. */
export function isSafeUrl(url: string): boolean {
  return /^(?:https?|mailto):/i.test(url)
}

/** Whether an href from a callback is accepted: a safe URL, or a path that begins with one slash. */
export function isSafeHref(href: string): boolean {
  return typeof href === 'string' && (isSafeUrl(href) || /^\/(?!\/)/.test(href))
}
