/** A request of an endpoint in curl, TypeScript and Python. */

import { endpoints } from '../../api/contract/endpoints.js'
import { examples } from '../../api/contract/examples.js'
import { type EndpointName, PATH_PREFIX } from '../../api/contract/types.js'
import { Markup, markup } from '../pages/markup.js'
import { codeOf } from './prose.js'

type Write = (name: EndpointName, siteUrl: string) => string

/** The languages of the samples, by the name that a reader's choice is kept by. */
const languages: Readonly<Record<string, readonly [label: string, colours: string, write: Write]>> = {
  curl: ['curl', 'bash', curl],
  typescript: ['TypeScript', 'typescript', typescript],
  python: ['Python', 'python', python],
}

/** All of them, one below the other; a page with a script shows the one that was chosen last. */
export function samplesOf(name: EndpointName, siteUrl: string): Markup {
  const buttons = Object.entries(languages).map(
    ([key, [label]]) => markup`<button type="button" data-language="${key}">${label}</button>`,
  )
  const samples = Object.entries(languages).map(
    ([key, [label, colours, write]]) =>
      markup`<div class="sample" data-language="${key}"><p class="label">${label}</p>${new Markup(codeOf(write(name, siteUrl), colours))}</div>`,
  )
  return markup`<div class="samples"><div class="languages" role="group" aria-label="Language of the examples">${buttons}</div>
${samples}</div>`
}

function address(name: EndpointName, siteUrl: string): string {
  return siteUrl + PATH_PREFIX + (endpoints[name].paths[0] ?? '')
}

function curl(name: EndpointName, siteUrl: string): string {
  const { body } = examples[name]
  const key = `-H "Authorization: Bearer $BLOCKMARK_KEY"`
  if (name === 'upload') return `curl ${address(name, siteUrl)} ${key} \\\n  -F data=@latency.png`
  if (body === null) return `curl ${address(name, siteUrl)} ${key}`
  const json = JSON.stringify(body).replaceAll("'", `'\\''`)
  return `curl ${address(name, siteUrl)} ${key} \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`
}

function typescript(name: EndpointName, siteUrl: string): string {
  const { body, result } = examples[name]
  const given = name === 'upload' ? `'latency.png'` : body === null ? '' : literal(body)
  const fields = Array.isArray(result) ? name : result === undefined ? '' : `{ ${Object.keys(result).join(', ')} }`
  return `import { createClient } from 'blockmark/client'

const bot = createClient({ baseUrl: '${siteUrl}', apiKey: process.env.BLOCKMARK_KEY ?? '' })
${fields === '' ? '' : `const ${fields} = `}await bot.${name}(${given})`
}

/** JSON in the way that people write TypeScript. */
function literal(value: object): string {
  const json = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  const quoted = json
    .replace(/"(\w+)": /g, '$1: ')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `'${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`)
  return quoted.replaceAll('[ ', '[').replaceAll(' ]', ']')
}

function python(name: EndpointName, siteUrl: string): string {
  const { body } = examples[name]
  const key = `headers={"Authorization": f"Bearer {os.environ['BLOCKMARK_KEY']}"}`
  const start = `import os\nimport requests\n\nanswer = requests.`
  const end = `\nanswer.raise_for_status()\nprint(answer.json()${examples[name].result === undefined ? '' : '["result"]'})`
  const [at, call] = [`    "${address(name, siteUrl)}",\n    ${key},`, body === null ? 'get' : 'post']
  if (name === 'upload') return `${start}post(\n${at}\n    files={"data": open("latency.png", "rb")},\n)${end}`
  const json = body === null ? '' : `\n    json=${JSON.stringify(body, null, 1).replace(/\n\s*/g, ' ')},`
  return `${start}${call}(\n${at}${json}\n)${end}`
}
