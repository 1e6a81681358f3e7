/** The API's description as a page that needs nothing from elsewhere, read from the table of endpoints. */

import { endpointNames, endpoints } from '../contract/endpoints.js'
import { statuses } from '../contract/errors.js'
import { errorsOf } from '../contract/openapi.js'
import type { Schema } from '../contract/schema.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import type { PageContent } from './layout.js'
import { type Markup, markup } from './markup.js'

/**
 * The page at `/docs`.
 *
 * @param siteUrl - where the service is
 * @returns the page
 */
export function documentation(siteUrl: string): PageContent {
  const body = markup`<h1>API</h1>
<p>Every request carries <code>Authorization: Bearer KEY</code>. As a document: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<pre tabindex="0"><code>curl ${siteUrl}${PATH_PREFIX}ping -H 'Authorization: Bearer KEY'</code></pre>
${endpointNames.map(sectionOf)}`
  return { title: 'API', body }
}

function sectionOf(name: EndpointName): Markup {
  const { methods, paths, summary, description, body, result } = endpoints[name]
  const addresses = paths.map((path) => markup`<p><code>${methods.join(', ')} ${PATH_PREFIX}${path}</code></p>`)
  const codes = errorsOf(name).map((code) => markup`<li><code>${code}</code> (${statuses[code]})</li>`)
  return markup`<section id="${name}">
<h2>${summary}</h2>
${addresses}
${description === undefined ? null : markup`<p>${description}</p>`}
${body === null ? null : markup`<h3>Body</h3>\n${fieldsOf(body)}`}
${result === null ? null : markup`<h3>Result</h3>\n${fieldsOf(result)}`}
<details><summary>Errors</summary><ul>
${codes}
</ul></details>
</section>`
}

function fieldsOf(schema: Schema): Markup {
  if (schema.type === 'array') return markup`<p>A list of:</p>\n${fieldsOf(schema.items)}`
  if (schema.type !== 'object') return markup`<p>${schema.description ?? 'A string.'}</p>`
  const fields = Object.entries(schema.properties).map(([field, part]) => {
    const isRequired = schema.required?.includes(field) === true
    const type = part.type === 'array' ? 'array' : 'string'
    return markup`<dt><code>${field}</code> ${type}${isRequired ? '' : ', optional'}</dt><dd>${part.description ?? ''}</dd>`
  })
  return markup`<dl>
${fields}
</dl>`
}
