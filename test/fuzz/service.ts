/** Every endpoint of the service with its store in memory, and their properties for every request. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { endpointNames, endpoints } from '../../src/api/contract/endpoints.js'
import { statuses } from '../../src/api/contract/errors.js'
import { describeApi, errorsOf } from '../../src/api/contract/openapi.js'
import type { EndpointName } from '../../src/api/contract/types.js'
import { toHtml, validate } from '../../src/index.js'
import { createTestService, type TestService } from '../../src/testing/index.js'
import { readJson } from './json.js'
import { bodySeeds, formSeeds, querySeeds } from './seeds.js'
import { fail, type Input, type Target } from './target.js'

export const serviceTargets: readonly Target[] = endpointNames.map((name) => ({
  name,
  form: endpoints[name].body === null || name === 'upload' ? 'text' : 'json',
  seeds: () => (name === 'upload' ? formSeeds : endpoints[name].body === null ? querySeeds : bodySeeds(name)),
  check: (input) => check(name, input),
  show: (input) => JSON.stringify({ ...requestOf(name, input, 'KEY'), body: input.text }, null, 1),
  work: null,
}))

interface World {
  readonly service: TestService
  /** Placeholders for the ids of existing objects. */
  readonly ids: ReadonlyMap<string, string>
}

/** Creates one object of each kind. */
async function createWorld(): Promise<World> {
  const service = createTestService({
    users: [{ name: 'Ann', email: 'ann@people.test' }],
    channels: ['general'],
    chats: ['ops'],
  })
  const ids = new Map<string, string>()
  const send = async (name: string, body: object): Promise<Record<string, string>> => {
    const { url, ...init } = requestOf(name, { text: JSON.stringify(body), knob: 0 }, service.apiKey)
    const { result }: { result: Record<string, string> } = JSON.parse(await (await service.fetch(url, init)).text())
    return result
  }
  ids.set('USER', service.users.find(({ name }) => name === 'Ann')?.userID ?? '')
  ids.set('CHANNEL', service.channels[0]?.channelID ?? '')
  ids.set('CHAT', service.chats[0]?.chatID ?? '')
  const channelID = ids.get('CHANNEL')
  ids.set('THREAD', (await send('postThread', { channelID, blocks: ['a'] }))['threadID'] ?? '')
  ids.set('COMMENT', (await send('postComment', { threadID: ids.get('THREAD'), blocks: ['b'] }))['commentID'] ?? '')
  ids.set('MESSAGE', (await send('postChatMessage', { chat: 'ops', body: 'c' }))['chatMessageID'] ?? '')
  const form = requestOf('upload', { text: formSeeds[0] ?? '', knob: 0 }, service.apiKey)
  const uploaded = JSON.parse(await (await service.fetch(form.url, form)).text())
  ids.set('FILE', uploaded.result.fileID)
  return { service, ids }
}

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain', '']

/** Makes a request from an input. Most requests are regular; a number chooses the irregularity of the others. */
function requestOf(name: string, { text, knob }: Input, key: string): Sent {
  const url = `https://blockmark.test/api/public/${name}`
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (knob % 3 === 1) headers['idempotency-key'] = knob % 9 === 1 ? '' : `key-${knob % 5}`
  const endpoint = endpoints[name as EndpointName] // Only its name is used.
  if (endpoint.body === null) {
    const method = endpoint.methods[knob % endpoint.methods.length] ?? 'GET'
    return { url: `${url}?${text.replace(/[#\0-\u001f]/g, '')}`, method, headers }
  }
  if (name === 'upload') {
    headers['content-type'] = knob % 16 === 15 ? 'multipart/form-data' : 'multipart/form-data; boundary=X'
    return { url, method: 'POST', headers, body: new Uint8Array(Buffer.from(text, knob % 2 === 0 ? 'latin1' : 'utf8')) }
  }
  const type = knob % 16 === 15 ? jsonTypes[(knob >> 4) % jsonTypes.length] : jsonTypes[0]
  if (type !== undefined && type !== '') headers['content-type'] = type
  return { url, method: 'POST', headers, body: text }
}

async function check(name: EndpointName, { text, knob }: Input): Promise<string[]> {
  const { service, ids } = await createWorld()
  const known = text.replace(/\b[A-Z]{4,7}\b/g, (word) => ids.get(word) ?? word)
  const { url, ...init } = requestOf(name, { text: known, knob }, service.apiKey)
  const look = await checkResponse(name, init.method, await service.fetch(url, init))
  if (look.startsWith('200')) checkDone(name, known, service)
  const isKept = init.headers['idempotency-key'] !== undefined && init.method === 'POST'
  if (isKept && look.startsWith('200')) {
    const again = await service.fetch(url, init)
    if (again.headers.get('idempotent-replayed') !== 'true') fail('a repeated request gets the stored response', look)
    await checkResponse(name, init.method, again)
  }
  return [look]
}

/** Checks a response against the contract, and returns its kind. */
async function checkResponse(name: EndpointName, method: string, response: Response): Promise<string> {
  const text = await response.text()
  const body = readJson(text)
  if (response.status >= 500) fail('nothing is an error of the service', response.status, text)
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) fail('a response is JSON', text)
  if (body === undefined) fail('a response is JSON', text)
  const isValid = schemaOf(name, method, response.status)
  if (isValid === undefined) return fail('a response has a documented status', response.status, text)
  if (!isValid(body)) fail('a response has the documented form', isValid.errors, text)
  const { error } = body as { error?: { code: keyof typeof statuses; message: string; details?: { code: string }[] } }
  if ((response.status === 200) !== (error === undefined)) fail('only errors have an error', text)
  if (error === undefined) return `200 ${name}`
  const codes = errorsOf(name, method === 'GET' ? 'GET' : 'POST')
  if (!codes.includes(error.code) || statuses[error.code] !== response.status) fail('an error is documented', text)
  return `${response.status} ${error.code} ${error.details?.map(({ code }) => code).join(' ') ?? error.message}`
}

/** Checks the stored post, if one was posted. */
function checkDone(name: EndpointName, text: string, { threads, comments, messages }: TestService): void {
  const property = 'validate accepts every stored post'
  if (name === 'postThread' || name === 'postComment') {
    const { blocks } = readJson(text) as { blocks: string[] } // The service has accepted the body.
    if (validate({ blocks }).length > 0) fail(property, blocks)
  } else if (name === 'postChatMessage') {
    const { body } = readJson(text) as { body: string } // The service has accepted the body.
    if (validate({ body }).length > 0) fail(property, body)
  }
  for (const { tree } of [...threads, ...comments, ...messages]) toHtml(tree)
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const document = JSON.parse(JSON.stringify(describeApi('https://blockmark.test')))
ajv.addSchema({ $id: 'document', components: document.components })
const schemas = new Map<string, ValidateFunction | undefined>()

function schemaOf(name: EndpointName, method: string, status: number): ValidateFunction | undefined {
  const key = `${name} ${method} ${status}`
  if (!schemas.has(key)) {
    const responses = document.paths[`/api/public/${name}`]?.[method.toLowerCase()]?.responses ?? {}
    const schema = responses[String(status)]?.content?.['application/json']?.schema
    const text = schema === undefined ? undefined : JSON.stringify(schema).replaceAll('"#/', '"document#/')
    schemas.set(key, text === undefined ? undefined : ajv.compile(JSON.parse(text)))
  }
  return schemas.get(key)
}
