/** Outside text on its way into HTML (§6). Nothing else in the package puts any there. */

/**
 * Text between tags.
 *
 * @throws {TypeError} when it is no string: an array has an `indexOf` of its own, which finds nothing to escape in it
 */
export function escapeText(value: string): string {
  if (typeof value !== 'string') throw new TypeError(`expected a string, received ${typeof value}`)
  // Asked first: `replaceAll` takes several times as long to find nothing.
  return /[&<]/.test(value) ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : value
}

const ATTRIBUTE_REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '\0': '&#x0;',
}

/** A value between double quotes. */
export function escapeAttribute(value: string): string {
  return /[&"'`\0]/.test(value) ? value.replace(/[&"'`\0]/g, (char) => ATTRIBUTE_REFERENCES[char] ?? '') : value
}

const UNSAFE = /%(?![\dA-Fa-f]{2})|[^\w!#$%&'()*+,\-./:;=?@~]+/gu

/** A url as an href: percent-encoded where it must be, in UTF-8, a lone surrogate as U+FFFD. */
export function encodeUrl(url: string): string {
  // A part ends between code points, and a lone surrogate is replaced, so that nothing is left that cannot be encoded.
  return url.replace(UNSAFE, (part) => encodeURIComponent(part.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')))
}

/** A url as the value of an href between double quotes. */
export function escapeUrl(url: string): string {
  // Most are their own href.
  return /[^\w!#$()*+,\-./:;=?@~]/.test(url) ? escapeAttribute(encodeUrl(url)) : url
}

/** Whether a link's url may be an href: its scheme is http, https or mailto. */
export function isSafeUrl(url: string): boolean {
  return /^(?:https?|mailto):/i.test(url)
}

/** Whether an href that a resolver gives counts: a safe url, or a path that begins with one slash. */
export function isSafeHref(href: string): boolean {
  return typeof href === 'string' && (isSafeUrl(href) || /^\/(?!\/)/.test(href))
}
