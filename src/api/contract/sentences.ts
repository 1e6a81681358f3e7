/** Every sentence that the API answers an error with: what is wrong, and what to do instead. */

/** Of a field of the request, by its name in backticks: `blocks[1]`. */
export const fieldSentences = {
  missing: (name: string) => `${name} is missing: send it.`,
  missingOneOf: (name: string, others: string) => `${name} is missing: send it, or ${others}.`,
  noObject: (name: string) => `${name} has to be an object.`,
  noList: (name: string) => `${name} has to be a list.`,
  noString: (name: string, received: string) => `${name} has to be a string, not ${received}.`,
  noChoice: (name: string, choices: string) => `${name} has to be ${choices}.`,
  empty: (name: string) => `${name} is empty: write something, or leave it out where it may be.`,
  tooLong: (name: string, most: number, unit: string, actual: number) =>
    `${name} has ${grouped(actual)} ${unit}, and at most ${grouped(most)} are taken.`,
  tooManyPeople: (name: string, most: number, actual: number) =>
    `${name} and \`emails\` name ${grouped(actual)} people, and at most ${grouped(most)} are taken at once.`,
  unreadable: (name: string) => `${name} holds U+0000 or half of a character: take it out.`,
  hidden: (name: string) => `${name} holds a character that nobody sees or that turns the text around it: take it out.`,
  nobody: (name: string) => `${name} is nobody in this organization.`,
  noParent: (name: string) => `${name} is neither the thread nor one of its comments.`,

  blank: (name: string) => `${name} is blank: leave it out or write something.`,
  blankBody: (name: string) => `${name} is blank: write something.`,
  noBlocks: (name: string) => `${name} is empty: send at least one block.`,
  noBlockList: (name: string) => `${name} has to be a list of strings, each a block of the message.`,
  foreignBlock: (name: string) =>
    `${name} is an object, and a block is a string: fromSlack of blockmark/slack converts Slack's blocks.`,
  characterAt: (name: string, received: string, line: number, column: number) =>
    `${name} holds ${received} in line ${line}, column ${column}: take it out.`,
  unseenFile: (name: string, id: string) => `${name} shows the file ${id}, which this bot neither uploaded nor sees.`,

  noFile: (name: string) => `${name} has to be one file: send exactly one part of this name, with a filename.`,
  emptyFile: (name: string) => `${name} is an empty file: send one that holds something.`,
  largeFile: (name: string, most: number) =>
    `${name} has more than ${grouped(most)} bytes, which is all that a file may have.`,
  unknownFile: (name: string) =>
    `${name} is of a type that is not taken: send an image, a video, a pdf or a text in UTF-8 or UTF-16.`,
} as const

/** What is not there for a bot is not there, whether it is absent or hidden; each is named by the field that was sent. */
export const absent = {
  channelID: '`channelID`: there is no such channel, or this bot does not see it.',
  channel: '`channel`: there is no channel of this name, or this bot does not see it.',
  threadID: '`threadID`: there is no such thread, or this bot does not see it.',
  commentID: '`commentID`: there is no such comment, or this bot does not see it.',
  chatID: '`chatID`: there is no such chat, or this bot is no member of it.',
  chat: '`chat`: there is no chat of this name, or this bot is no member of it.',
  messageID: '`messageID`: there is no such message, or this bot does not see it.',
  endpoint: 'There is no such endpoint: /openapi.json lists those that there are.',
  page: 'There is nothing but endpoints here: pages and files are a server’s.',
} as const

/** Of the request as a whole. */
export const sentences = {
  several: (count: number) => `${count} things are wrong: see details.`,
  noKey: 'Send a valid API key: Authorization: Bearer <key>.',
  noMethod: (methods: string) => `This endpoint takes ${methods}.`,
  noJson: 'The body has to be JSON in UTF-8.',
  noJsonObject: 'The body has to be a JSON object: { … }.',
  noJsonType: 'Send the body as application/json.',
  noForm: 'Send the file as multipart/form-data, in a part named `data`.',
  noBoundary: 'The multipart body has no boundary in its content type: let your HTTP library set it.',
  brokenForm: 'The multipart body breaks off or can not be read: send it again.',
  brokenBody: 'The body breaks off: send it again.',
  idle: (seconds: number) => `The body paused for ${seconds} seconds: send it again.`,
  encoded: 'Send the body as it is, without a Content-Encoding.',
  largeBody: (most: number) =>
    `The body has more than ${grouped(most)} bytes, which is all that is taken: send it in several parts.`,
  deepBody: (most: number) => `The body is more than ${grouped(most)} levels deep, which is all that is taken.`,
  wideBody: (most: number) =>
    `An object of the body has more than ${grouped(most)} fields, which is all that is taken.`,
  fullBody: (most: number) => `The body holds more than ${grouped(most)} values, which is all that is taken.`,
  noIdempotencyKey: (most: number) => `An Idempotency-Key has 1 to ${most} characters.`,
  firstUnderWay: 'The first request with this Idempotency-Key is still under way: try again in a second.',
  otherRequest: 'This Idempotency-Key was used for another request: take a new one.',
  noPageSize: (most: number) => `\`limit\` has to be a number from 1 to ${grouped(most)}.`,
  noCursor: '`cursor` has to be the `nextCursor` of the page before.',
  tooFast: (rate: number, what: string, wait: number) =>
    `Too many ${what}, at most ${rate} a second: try again in ${wait} s, as Retry-After says.`,
  strangers: 'Some of these people are not in the organization: see details.',
  ambiguousChat: 'Several chats have this name: send `chatID` instead.',
  twoTargets: (name: string) => `\`${name}\` and \`${name}ID\` name two different things: send one of them.`,
  notOwner: 'Only the bot that made this can delete it.',
  taken: '`name` is taken: choose another one.',
  gone: 'What this belongs to was deleted meanwhile.',
  storageAway: 'The storage does not answer in time: try again with the same Idempotency-Key.',
  storageFull: 'The storage is full, and nothing was kept: try again later.',
  internal: 'Something is wrong on our side: name the requestID when you report it.',
} as const

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
