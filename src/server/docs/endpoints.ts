/** The pages of the endpoints, read from their table: the body, a real response, and every error with its sentence. */

import { endpointNames, endpoints, pathsOf } from '../../api/contract/endpoints.js'
import { type ApiErrorCode, statuses } from '../../api/contract/errors.js'
import { answerOf, examples, sentenceOf } from '../../api/contract/examples.js'
import { errorsOf } from '../../api/contract/openapi.js'
import { results } from '../../api/contract/results.js'
import type { ObjectSchema, Schema } from '../../api/contract/schema.js'
import { type EndpointName, PATH_PREFIX } from '../../api/contract/types.js'
import { Markup, markup } from '../pages/markup.js'
import { inline } from './chapters.js'
import { codeOf } from './prose.js'
import { samplesOf } from './samples.js'
import type { DocsPage, DocsSite } from './site.js'

/** The endpoints of each page: those of one tag. */
const groups: ReadonlyMap<string, EndpointName[]> = new Map(endpointNames.map((name) => [endpoints[name].tag, []]))
for (const name of endpointNames) groups.get(endpoints[name].tag)?.push(name)

export const endpointPages: readonly DocsPage[] = [
  {
    ...{ slug: 'endpoints', title: 'All endpoints', group: 'Endpoints' },
    draw: async (site) => indexOf(site),
  },
  ...[...groups].map(([title, names]) => ({
    ...{ slug: slugOf(title), title, group: 'Endpoints' },
    endpoints: names.map((name) => ({ name, method: endpoints[name].methods[0] ?? '' })),
    draw: async (site: DocsSite) => markup`${names.map((name) => endpointOf(name, site))}`,
  })),
]

function slugOf(title: string): string {
  return `endpoints-${title.toLowerCase()}`
}

function indexOf(site: DocsSite): Markup {
  const rows = [...groups].flatMap(([title, names]) =>
    names.map((name) => {
      const { methods, summary, description } = endpoints[name]
      return markup`<tr><td><b class="method">${methods[0] ?? ''}</b></td><td><a href="${site.pageAddress(slugOf(title))}#${name}">${name}</a> · ${summary}<br><span class="quiet">${inline(description)}</span></td></tr>`
    }),
  )
  const document = `${site.isService ? '' : site.siteUrl}/openapi.json`
  return markup`<p>The ${endpointNames.length} endpoints, below <code>${site.siteUrl}${PATH_PREFIX}</code>. Programs read <a href="${document}">the OpenAPI document</a>. There are no events: bots post, and nothing is sent to them.</p>
<div class="table" tabindex="0" role="group" aria-label="All endpoints"><table>
<thead><tr><th>Method</th><th>Endpoint</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function endpointOf(name: EndpointName, site: DocsSite): Markup {
  const { methods, summary, description, body, listedBy } = endpoints[name]
  const result = results[name]
  const [path, ...others] = pathsOf(name)
  const also = [...methods.slice(1), ...others]
  return markup`<section class="endpoint" aria-labelledby="${name}">
<div>
<h2 id="${name}">${summary}</h2>
<p class="address"><b class="method">${methods[0] ?? ''}</b> <code>${path}</code>${also.length === 0 ? null : markup` <span class="quiet">also ${also.join(', ')}</span>`}</p>
<p>${inline(description)}</p>
${listedBy === null ? null : markup`<p>The list comes whole, or in <a href="${site.pageAddress('lists')}">pages</a> with <code>limit</code> and <code>cursor</code>.</p>`}
${body === null ? null : fieldsOf('Body', body)}
${result === null ? null : fieldsOf('Response', result)}
${errorList(name, site)}
</div>
<div class="calls">
${samplesOf(name, site.siteUrl)}
${new Markup(codeOf(JSON.stringify(answerOf(name), null, 2), 'json', 'Response'))}
${site.isService ? tryOut(name, path) : null}
</div>
</section>`
}

function errorList(name: EndpointName, site: DocsSite): Markup {
  const codes = errorsOf(name)
  const row = (code: ApiErrorCode): Markup =>
    markup`<tr><td>${statuses[code]}</td><td><code>${code}</code></td><td>${inline(sentenceOf(name, code))}</td></tr>`
  return markup`<details class="errors"><summary>Errors</summary>
<div class="table" tabindex="0" role="group" aria-label="Errors of ${name}"><table>
<thead><tr><th>Status</th><th>Code</th><th>Message, for example</th></tr></thead>
<tbody>${codes.toSorted((one, other) => statuses[one] - statuses[other]).map(row)}</tbody>
</table></div>
<p class="quiet"><a href="${site.pageAddress('errors')}">Errors and retries</a> says when to send a request again.</p></details>`
}

/** The script of the page turns this into a form. The API key stays in the page's memory. */
function tryOut(name: EndpointName, path: string): Markup {
  const { methods, bodyType } = endpoints[name]
  const body =
    bodyType === 'application/json' && examples[name].body !== null ? JSON.stringify(examples[name].body, null, 2) : ''
  return markup`<details class="try" data-method="${methods[0] ?? 'GET'}" data-path="${path}" data-type="${bodyType}" data-body="${body}"><summary>Try it</summary></details>`
}

type Part = 'Body' | 'Response'

function fieldsOf(title: Part, schema: ObjectSchema | { readonly type: 'array'; readonly items: Schema }): Markup {
  const isList = schema.type === 'array'
  const of = isList ? schema.items : schema
  const heading = markup`<h3>${title}</h3>`
  if (of.type !== 'object') return markup`${heading}<p>${constraintsOf(of)}</p>`
  const rows = Object.entries(of.properties).map(([field, part]) => {
    const isRequired = title === 'Body' && of.required?.includes(field) === true
    const need = isRequired || title === 'Response' ? null : alternativeOf(of, field)
    return markup`<dt><code>${field}</code> <span class="quiet">${constraintsOf(part)}</span>${isRequired ? markup` <span class="tag">required</span>` : null}</dt>
<dd>${inline(part.description ?? '')} ${need}</dd>`
  })
  return markup`${heading}${isList ? markup`<p>A list of objects with these fields:</p>` : null}
<dl class="fields">${rows}</dl>`
}

function alternativeOf({ anyOf = [] }: ObjectSchema, field: string): Markup | null {
  const names = anyOf.flatMap(({ required }) => required)
  if (!names.includes(field)) return null
  const others = names.filter((name) => name !== field).map((name) => markup`<code>${name}</code>`)
  return markup`Send this or ${others}.`
}

/** Describes a value in a few words, for example `string, 1 to 80 characters`. */
function constraintsOf(schema: Schema): string {
  if (schema.type === 'object') return 'object'
  if (schema.type === 'array') {
    const { minItems = 0, maxItems, items } = schema
    return `list${maxItems === undefined ? '' : ` of ${range(minItems, maxItems, '')}`}, each ${constraintsOf(items)}`
  }
  const { minLength = 0, maxLength } = schema
  const type = schema.format === 'binary' ? 'file' : schema.type === 'string' ? 'string' : 'string or integer'
  const length = maxLength === undefined ? '' : `, ${range(minLength, maxLength, ' characters')}`
  const choice = schema.enum === undefined ? '' : `, ${schema.enum.join(' or ')}`
  const usual = schema.default === undefined || schema.default === '' ? '' : `, default ${schema.default}`
  return type + length + choice + usual
}

function range(least: number, most: number, unit: string): string {
  return `${least === 0 ? 'at most' : `${least} to`} ${most.toLocaleString('en')}${unit}`
}
