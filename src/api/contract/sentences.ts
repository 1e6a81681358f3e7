/** Every sentence of the API's errors: what is wrong, and what to do. */

/** Sentences about one field; `name` is the field in backticks, for example `blocks[1]`. */
export const fieldSentences = {
  missing: (name: string) => `${name} is missing: send it.`,
  missingOneOf: (name: string, others: string) => `${name} is missing: send it, or ${others}.`,
  notAList: (name: string) => `${name} must be a list.`,
  notAString: (name: string, received: unknown) => `${name} must be a string, not ${kindOf(received)}.`,
  notAChoice: (name: string, choices: string) => `${name} must be ${choices}.`,
  empty: (name: string) => `${name} is empty: write something, or leave an optional field out.`,
  tooLong: (name: string, max: number, unit: string, actual: number) =>
    `${name} is too long: ${withSeparators(actual)} ${unit}, at most ${withSeparators(max)} are allowed.`,
  tooManyPeople: (name: string, max: number, actual: number) =>
    `${name} and \`emails\` name too many people: ${withSeparators(actual)}, at most ${withSeparators(max)} are allowed.`,
  unreadable: (name: string) => `${name} contains U+0000 or a lone surrogate: remove it.`,
  hidden: (name: string) => `${name} contains an invisible or bidirectional control character: remove it.`,
  unknown: (name: string) => `${name} is not known: it does not exist, or this bot cannot see it.`,
  unknownUser: (name: string) => `${name} is not in this organization.`,
  notInThread: (name: string) => `${name} is neither the thread nor one of its comments.`,

  blank: (name: string) => `${name} is blank: leave it out or write something.`,
  blankBody: (name: string) => `${name} is blank: write something.`,
  emptyBlocks: (name: string) => `${name} is empty: send at least one block.`,
  blocksNotAList: (name: string) => `${name} must be a list of strings, one for each block of the message.`,
  foreignBlock: (name: string) =>
    `${name} is an object, but a block is a string: fromSlack of blockmark/messengers converts Slack's blocks.`,
  characterAt: (name: string, received: string, line: number, column: number) =>
    `${name} contains ${received} in line ${line}, column ${column}: remove it.`,
  unseenFile: (name: string, id: string) =>
    `${name} shows file ${id}, which this bot did not upload and cannot see: upload it first.`,

  notOneFile: (name: string) => `${name} must be one file: send exactly one part of this name, with a filename.`,
  emptyFile: (name: string) => `${name} is an empty file: send one with content.`,
  largeFile: (name: string, max: number) => `${name} is too large: at most ${withSeparators(max)} bytes are allowed.`,
  unknownFile: (name: string) =>
    `${name} has an unsupported type: send an image, a video, a PDF, or text in UTF-8 or UTF-16.`,
} as const

/** Sentences about the request as a whole. */
export const sentences = {
  noEndpoint: 'This endpoint does not exist: /openapi.json lists all endpoints.',
  noPage: 'This service has endpoints only: pages and files need a server.',
  several: (count: number) => `The request has ${count} problems: see details.`,
  suspended: 'The organization of this API key is suspended: ask the operator of this service.',
  missingKey: 'Send a valid API key: Authorization: Bearer <key>.',
  wrongMethod: (methods: string) => `This endpoint accepts ${methods}.`,
  invalidJson: 'The body must be JSON in UTF-8.',
  notAnObject: 'The body must be a JSON object: { … }.',
  notJsonType: 'Send the body as application/json.',
  notAForm: 'Send the file as multipart/form-data, in a part named `data`.',
  brokenForm:
    'The multipart body is incomplete or malformed, or its content type has no boundary: let your HTTP library write both.',
  brokenBody: 'The body is incomplete: send it again.',
  idle: (seconds: number) => `The body paused for ${seconds} seconds: send it again.`,
  encoded: 'Send the body as it is, without a Content-Encoding.',
  largeBody: (max: number) =>
    `The body is too large: at most ${withSeparators(max)} bytes are allowed. Send several requests.`,
  deepBody: (max: number) => `The body is nested too deeply: at most ${withSeparators(max)} levels are allowed.`,
  wideBody: (max: number) => `An object in the body has too many fields: at most ${withSeparators(max)} are allowed.`,
  fullBody: (max: number) => `The body has too many values: at most ${withSeparators(max)} are allowed.`,
  invalidIdempotencyKey: (max: number) => `An Idempotency-Key has 1 to ${max} characters.`,
  firstIsRunning: 'The first request with this Idempotency-Key is still running: try again in a second.',
  otherRequest: 'This Idempotency-Key was used for another request: choose a new one.',
  invalidLimit: (max: number) => `\`limit\` must be a number from 1 to ${withSeparators(max)}.`,
  invalidCursor: '`cursor` must be the `nextCursor` of the previous page.',
  tooFast: (rate: number, what: string, wait: number) =>
    `Too many ${what}, at most ${rate} a second: try again in ${wait} s, as Retry-After says.`,
  unknownUsers: 'Some of these people are not in the organization: see details.',
  ambiguousChat: 'Several chats have this name: send `chatID` instead.',
  twoTargets: (name: string) => `\`${name}\` and \`${name}ID\` name different things: send one of them.`,
  notOwner: 'Only the bot that created this can delete it.',
  taken: '`name` is taken: choose another one.',
  gone: 'The parent object was deleted in the meantime.',
  storageAway: 'The storage does not respond in time: try again with the same Idempotency-Key.',
  storageFull: 'The storage is full, and nothing was kept: try again later.',
  internal: 'The service failed: quote the requestID when you report it.',
} as const

function withSeparators(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Returns the type of a JSON value, with an article. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
