/** The pages of the endpoints, read from their table: what is sent, a real answer, and every error with its sentence. */

import { endpointNames, endpoints } from '../../api/contract/endpoints.js'
import { type ApiErrorCode, statuses } from '../../api/contract/errors.js'
import { answerOf, examples, sentenceOf } from '../../api/contract/examples.js'
import { errorsOf } from '../../api/contract/openapi.js'
import type { ObjectSchema, Schema } from '../../api/contract/schema.js'
import { type EndpointName, PATH_PREFIX } from '../../api/contract/types.js'
import { Markup, markup } from '../pages/markup.js'
import { inline } from './chapters.js'
import { codeOf } from './prose.js'
import { samplesOf } from './samples.js'
import type { DocsPage, DocsSite } from './site.js'

const tags = [...new Set(endpointNames.map((name) => endpoints[name].tag))]

export const endpointPages: readonly DocsPage[] = tags.map((tag) => ({
  ...{ slug: `endpoints-${tag.toLowerCase()}`, title: tag, group: 'Endpoints' },
  draw: async (site) => {
    const names = endpointNames.filter((name) => endpoints[name].tag === tag)
    return markup`${names.map((name) => endpointOf(name, site))}`
  },
}))

function endpointOf(name: EndpointName, site: DocsSite): Markup {
  const { methods, paths, summary, description, body, result, listedBy } = endpoints[name]
  const [path = '', ...others] = paths.map((each) => PATH_PREFIX + each)
  const also = [...methods.slice(1), ...others]
  return markup`<section class="endpoint">
<h2 id="${name}">${summary}</h2>
<p class="address"><b>${methods[0] ?? ''}</b> <code>${path}</code>${also.length === 0 ? null : markup` <span class="quiet">also ${also.join(', ')}</span>`}</p>
<p>${inline(description)}</p>
${listedBy === null ? null : markup`<p>Comes whole, or in <a href="${site.pageAddress('lists')}">pages</a> with <code>limit</code> and <code>cursor</code>.</p>`}
${body === null ? null : fieldsOf('What is sent', body)}
${samplesOf(name, site.siteUrl)}
${result === null ? null : fieldsOf('What comes back', result)}
<p class="label">Answer</p>
${new Markup(codeOf(JSON.stringify(answerOf(name), null, 2), 'json'))}
${errorList(name, site)}
${site.isService ? tryOut(name, path) : null}
</section>`
}

function errorList(name: EndpointName, site: DocsSite): Markup {
  const codes = errorsOf(name)
  const row = (code: ApiErrorCode): Markup =>
    markup`<tr><td>${statuses[code]}</td><td><code>${code}</code></td><td>${inline(sentenceOf(name, code))}</td></tr>`
  return markup`<details class="errors"><summary>Errors</summary>
<div class="table" tabindex="0" role="group" aria-label="Errors of ${name}"><table>
<thead><tr><th>Status</th><th>Code</th><th>What it says</th></tr></thead>
<tbody>${codes.toSorted((one, other) => statuses[one] - statuses[other]).map(row)}</tbody>
</table></div>
<p class="quiet">When to send it again is under <a href="${site.pageAddress('errors')}">Errors and retries</a>.</p></details>`
}

/** The script of the page makes a form of it; the key stays in the page's memory. */
function tryOut(name: EndpointName, path: string): Markup {
  const { methods, bodyType } = endpoints[name]
  const body =
    bodyType === 'application/json' && examples[name].body !== null ? JSON.stringify(examples[name].body, null, 2) : ''
  return markup`<details class="try" data-method="${methods[0] ?? 'GET'}" data-path="${path}" data-type="${bodyType}" data-body="${body}"><summary>Try it</summary></details>`
}

function fieldsOf(title: string, schema: ObjectSchema | { readonly type: 'array'; readonly items: Schema }): Markup {
  const of = schema.type === 'array' ? schema.items : schema
  if (of.type !== 'object') return markup`<p>${title}: ${constraintsOf(of)}</p>`
  const rows = Object.entries(of.properties).map(([field, part]) => {
    const { description = '' } = part
    const isRequired = of.required?.includes(field) === true
    const need = isRequired || title !== 'What is sent' ? null : alternativeOf(of, field)
    return markup`<tr><th scope="row"><code>${field}</code>${isRequired && title === 'What is sent' ? markup` <span class="tag">required</span>` : null}</th>
<td>${description} ${need} <span class="quiet">${constraintsOf(part)}</span></td></tr>`
  })
  return markup`<div class="table" tabindex="0" role="group" aria-label="${title}"><table class="fields">
<caption>${title}${schema.type === 'array' ? ', a list of' : ''}</caption>
<tbody>${rows}</tbody></table></div>`
}

function alternativeOf({ anyOf = [] }: ObjectSchema, field: string): Markup | null {
  const names = anyOf.flatMap(({ required }) => required)
  if (!names.includes(field)) return null
  const others = names.filter((name) => name !== field).map((name) => markup`<code>${name}</code>`)
  return markup`This or ${others} has to be there.`
}

/** What a value may be, in a few words: `string, 1 to 80 characters`. */
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
  const usual = schema.default === undefined || schema.default === '' ? '' : `, else ${schema.default}`
  return type + length + choice + usual
}

function range(least: number, most: number, unit: string): string {
  return `${least === 0 ? 'at most' : `${least} to`} ${most.toLocaleString('en')}${unit}`
}
