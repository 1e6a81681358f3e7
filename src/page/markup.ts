/** Markup from templates: interpolated values are escaped, unless they are markup themselves. */

import { escapeAttribute } from '../render/escape.js'

/** HTML that is safe to send. */
export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

type Value = string | number | Markup | readonly Markup[] | null

/** Creates markup from a template. Its values are texts, markup, lists of markup, or null for nothing. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((html, part, index) => html + htmlOf(values[index - 1] ?? null) + part))
}

function htmlOf(value: Value): string {
  if (value === null) return ''
  if (value instanceof Markup) return value.html
  if (typeof value === 'object') return value.map((part) => part.html).join('\n')
  // A value may be in text or in an attribute, so it is escaped for both.
  return escapeAttribute(String(value)).replaceAll('<', '&lt;')
}

/** Returns the first elements of every `head`. With a description, other programs can show a preview of the page. */
export function headOf(title: string, description?: string): Markup {
  const preview =
    description === undefined
      ? null
      : markup`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="blockmark">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta name="twitter:card" content="summary">`
  return markup`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fff">
<meta name="theme-color" content="#16181c" media="(prefers-color-scheme: dark)">
<title>${title}</title>
${preview}`
}
