/** The headers that keep a page from running anything but its own files. */

/** The headers of a page, whose policy lets only its own files run; `others` are directives that replace or add to it. */
export function htmlHeaders(others: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries({ ...policy, ...others })
      .map((directive) => directive.join(' '))
      .join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Without a referrer, the browser would not report the origin of a form.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    vary: 'cookie, authorization',
  }
}

const policy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}
