/** A request of an endpoint in curl, TypeScript and Python. */

import { examples } from '../../api/contract/examples.js'
import { type EndpointName, PATH_PREFIX } from '../../api/contract/types.js'
import { Markup, markup } from '../pages/markup.js'
import { codeOf } from './prose.js'

type Write = (name: EndpointName, siteUrl: string) => string

/** The languages of the samples, by the name under which the reader's choice is stored. */
const languages: Readonly<Record<string, readonly [label: string, colors: string, write: Write]>> = {
  curl: ['curl', 'bash', curl],
  typescript: ['TypeScript', 'typescript', typescript],
  python: ['Python', 'python', python],
}

/** Draws all of them, one below the other; a page with a script shows the one that was chosen last. */
export function samplesOf(name: EndpointName, siteUrl: string): Markup {
  const buttons = Object.entries(languages).map(
    ([key, [label]]) => markup`<button type="button" data-language="${key}">${label}</button>`,
  )
  const samples = Object.entries(languages).map(
    ([key, [label, colors, write]]) =>
      markup`<div class="sample" data-language="${key}">${new Markup(codeOf(write(name, siteUrl), colors, label))}</div>`,
  )
  return markup`<div class="samples"><div class="languages" role="group" aria-label="Language of the examples">${buttons}</div>
${samples}</div>`
}

/** The shell's variables for ids of earlier responses, which the first page explains. */
const variables: Readonly<Record<string, string>> = {
  channelID: '$CHANNEL_ID',
  threadID: '$THREAD_ID',
  commentID: '$COMMENT_ID',
  chatID: '$CHAT_ID',
  messageID: '$CHAT_MESSAGE_ID',
}

function curl(name: EndpointName, siteUrl: string): string {
  const { body } = examples[name]
  const key = `-H "Authorization: Bearer $BLOCKMARK_API_KEY"`
  if (name === 'upload') return `curl ${siteUrl}${PATH_PREFIX}${name} \\\n  ${key} \\\n  -F data=@latency.png`
  if (body === null) return `curl ${siteUrl}${PATH_PREFIX}${name} \\\n  ${key}`
  const json = JSON.stringify(body, (field, value) =>
    field === 'userIDs' ? ['$USER_ID'] : (variables[field] ?? value),
  )
  const quoted = json.replaceAll("'", `'\\''`).replace(/\$[A-Z_]+/g, `'$&'`)
  return `curl ${siteUrl}${PATH_PREFIX}${name} \\\n  ${key} \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted}'`
}

function typescript(name: EndpointName, siteUrl: string): string {
  const { body, result } = examples[name]
  const given = name === 'upload' ? `'latency.png'` : body === null ? '' : literal(body)
  const fields = Array.isArray(result) ? name : result === undefined ? '' : `{ ${Object.keys(result).join(', ')} }`
  return `import { createClient } from 'blockmark/client'

const bot = createClient({ baseUrl: '${siteUrl}', apiKey: process.env.BLOCKMARK_API_KEY ?? '' })
${fields === '' ? '' : `const ${fields} = `}await bot.${name}(${given})`
}

/** Writes JSON as people write TypeScript. */
function literal(value: object): string {
  const json = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  const quoted = json
    .replace(/"(\w+)": /g, '$1: ')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `'${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`)
  return quoted.replaceAll('[ ', '[').replaceAll(' ]', ']')
}

function python(name: EndpointName, siteUrl: string): string {
  const { body } = examples[name]
  const key = `headers={"Authorization": f"Bearer {os.environ['BLOCKMARK_API_KEY']}"}`
  const start = `import os\nimport requests\n\nresponse = requests.`
  const end = `\nresponse.raise_for_status()\nprint(response.json()${examples[name].result === undefined ? '' : '["result"]'})`
  const [at, call] = [`    "${siteUrl}${PATH_PREFIX}${name}",\n    ${key},`, body === null ? 'get' : 'post']
  if (name === 'upload') return `${start}post(\n${at}\n    files={"data": open("latency.png", "rb")},\n)${end}`
  const json = body === null ? '' : `\n    json=${JSON.stringify(body, null, 1).replace(/\n\s*/g, ' ')},`
  return `${start}${call}(\n${at}${json}\n)${end}`
}
