/** The pages of the endpoints, read from the contract's tables. */

import { endpointNames, endpoints, pathsOf } from '../api/contract/endpoints.js'
import { exampleOf, exampleResponse } from '../api/contract/openapi.js'
import { results } from '../api/contract/results.js'
import type { FieldSchema, ListSchema, ObjectSchema } from '../api/contract/schema.js'
import { type EndpointName, PATH_PREFIX } from '../api/contract/types.js'
import { type Markup, markup } from '../page/markup.js'
import { codeOf, type Draft, prose } from './prose.js'

/** The endpoints by their tag. Each tag has one page. */
export const endpointsByTag: ReadonlyMap<string, EndpointName[]> = new Map(
  endpointNames.map((name) => [endpoints[name].tag, []]),
)
for (const name of endpointNames) endpointsByTag.get(endpoints[name].tag)?.push(name)

export function slugOf(tag: string): string {
  return `endpoints-${tag.toLowerCase()}`
}

/** Writes the list of all endpoints, in Markdown. */
export function indexOfEndpoints(): string {
  const rows = endpointNames.map((name) => {
    const { methods, summary, tag } = endpoints[name]
    return `| ${methods[0]} | [${name}](page:${slugOf(tag)}#${name}) | ${summary} |`
  })
  return `The ${endpointNames.length} endpoints, below \`${PATH_PREFIX}\`. Programs read [the OpenAPI document](/openapi.json). There are no events: bots post, and nothing is sent to them.

| Method | Endpoint | Purpose |
| --- | --- | --- |
${rows.join('\n')}`
}

/** Draws an endpoint: its description, fields and errors, with code samples next to them. */
export function endpointMarkup(name: EndpointName, draft: Draft): Markup {
  const { methods, summary, description, body, listedBy, errors } = endpoints[name]
  const [path, ...others] = pathsOf(name)
  const otherCalls = [...methods.slice(1), ...others]
  const result = results[name]
  draft.sections.push({ id: name, title: `${name}: ${summary}`, depth: 2, text: description })
  const ownErrors = errors.map((code) => `[\`${code}\`](page:errors#${code})`).join(', ')
  const text = `${description}${listedBy === null ? '' : ' The list comes whole, or in [pages](page:lists) with `limit` and `cursor`.'}

${body === null ? '' : fieldsOf('Body', body)}
${result === null ? '' : fieldsOf('Response', result)}

**Errors:** ${ownErrors === '' ? '' : `${ownErrors}, and `}[those of every endpoint](page:errors).`
  return markup`<section class="endpoint" aria-labelledby="${name}">
<div>
<h2 id="${name}">${summary}</h2>
<p><b class="method">${methods[0] ?? ''}</b> <code>${path}</code>${otherCalls.length === 0 ? null : markup` <span class="quiet">also ${otherCalls.join(', ')}</span>`}</p>
${prose(text, { ...draft, sections: [] })}
</div>
<div class="calls">
${codeOf(curl(name), 'bash', 'curl')}
${codeOf(typescript(name), 'ts', 'TypeScript')}
${codeOf(JSON.stringify(exampleResponse(name), null, 2), 'json', 'Response')}
</div>
</section>`
}

function fieldsOf(title: 'Body' | 'Response', schema: ObjectSchema | ListSchema): string {
  const fields = schema.type === 'array' ? schema.items : schema
  const rows = Object.entries(fields.properties).map(([field, part]) => {
    const isRequired = title === 'Body' && fields.required?.includes(field) === true
    const alternatives = (fields.anyOf ?? []).flatMap(({ required }) => required)
    const others = alternatives.filter((other) => other !== field).map((other) => `\`${other}\``)
    const alternativesNote =
      title === 'Body' && alternatives.includes(field) ? ` Send this or ${others.join(' or ')}.` : ''
    return `| \`${field}\` ${constraintsOf(part)}${isRequired ? ', **required**' : ''} | ${part.description ?? ''}${alternativesNote} |`
  })
  return `| ${title}${schema.type === 'array' ? ': a list of' : ''} | Description |\n| --- | --- |\n${rows.join('\n')}\n`
}

/** Describes a value in a few words, for example `string, 1 to 80 characters`. */
function constraintsOf(schema: FieldSchema): string {
  if (schema.type === 'array') {
    const { minItems = 0, maxItems, items } = schema
    return `list${maxItems === undefined ? '' : ` of ${range(minItems, maxItems)}`}, each ${constraintsOf(items)}`
  }
  const { enum: choices, minLength = 0, maxLength, format } = schema
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(' or ')
  const kind = format === 'binary' ? 'file' : schema.type === 'string' ? 'string' : 'string or integer'
  return maxLength === undefined ? kind : `${kind}, ${range(minLength, maxLength)} characters`
}

function range(min: number, max: number): string {
  return min === 0 ? `at most ${max.toLocaleString('en')}` : `${min} to ${max.toLocaleString('en')}`
}

/** Shell variables for the ids of earlier responses. The guide `begin` explains them. */
const variables: Readonly<Record<string, string>> = {
  channelID: '$CHANNEL_ID',
  threadID: '$THREAD_ID',
  commentID: '$COMMENT_ID',
  chatID: '$CHAT_ID',
  messageID: '$CHAT_MESSAGE_ID',
}

function curl(name: EndpointName): string {
  const { body } = endpoints[name]
  const start = `curl $BLOCKMARK_URL${PATH_PREFIX}${name} \\\n  -H "Authorization: Bearer $BLOCKMARK_API_KEY"`
  if (name === 'upload') return `${start} \\\n  -F data=@latency.png`
  if (body === null) return start
  const json = JSON.stringify(exampleOf(body), (field, value) =>
    field === 'userIDs' ? ['$USER_ID'] : (variables[field] ?? value),
  )
  const quotedJson = json.replaceAll("'", `'\\''`).replace(/\$[A-Z_]+/g, `'$&'`)
  return `${start} \\\n  -H 'Content-Type: application/json' \\\n  -d '${quotedJson}'`
}

function typescript(name: EndpointName): string {
  const { body } = endpoints[name]
  const result = results[name]
  const example = body === null ? '' : JSON.stringify(exampleOf(body), null, 2)
  // The quotes around names of fields are removed, because TypeScript does not need them.
  const argument = name === 'upload' ? `'latency.png'` : example.replace(/^( *)"(\w+)":/gm, '$1$2:')
  const names = result?.type === 'object' ? `{ ${Object.keys(result.properties).join(', ')} }` : name
  return `${result === null ? '' : `const ${names} = `}await bot.${name}(${argument})`
}
