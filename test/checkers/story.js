// @ts-check
/** Makes a whole series of calls with a client that was generated from the OpenAPI document. Run: KEY=… node story.js http://127.0.0.1:3000 */
import createClient from 'openapi-fetch'

const [, , baseUrl = ''] = process.argv
/** @type {ReturnType<typeof createClient<import('./node_modules/.generated/api.js').paths>>} */
const client = createClient({ baseUrl, headers: { authorization: `Bearer ${process.env.KEY}` } })

/**
 * @template Data
 * @param {{ data?: Data, error?: { error: { message: string } } }} response
 * @returns {Data}
 */
function must({ data, error }) {
  if (data === undefined) throw new Error(error?.error.message)
  return data
}

const ping = must(await client.GET('/api/public/ping'))
const name = `generated ${process.pid}`
const channel = must(await client.POST('/api/public/createChannel', { body: { name } })).result
const { result: people } = must(await client.GET('/api/public/users', { params: { query: { limit: 1 } } }))
const userIDs = people.map((user) => user.userID)
must(await client.POST('/api/public/addChannelMembers', { body: { channelID: channel.channelID, userIDs } }))
const header = { 'Idempotency-Key': name }
const body = { channel: name, blocks: ['# Hello', `from ${ping.result.name}`] }
const thread = must(await client.POST('/api/public/postThread', { params: { header }, body })).result
const again = must(await client.POST('/api/public/postThread', { params: { header }, body })).result
if (again.threadID !== thread.threadID) throw new Error('posted twice')
const { commentID } = must(
  await client.POST('/api/public/postComment', { body: { threadID: thread.threadID, blocks: ['x'] } }),
).result
must(await client.POST('/api/public/deleteComment', { body: { commentID } }))
const { chatID } = must(await client.POST('/api/public/createChat', { body: { name } })).result
const { chatMessageID } = must(await client.POST('/api/public/postChatMessage', { body: { chatID, body: 'x' } })).result
must(await client.POST('/api/public/deleteChatMessage', { body: { messageID: chatMessageID } }))
must(await client.POST('/api/public/deleteChat', { body: { chatID } }))
must(await client.POST('/api/public/deleteThread', { body: { threadID: thread.threadID } }))
must(await client.POST('/api/public/deleteChannel', { body: { channelID: channel.channelID } }))
const refused = await client.POST('/api/public/deleteChannel', { body: { channelID: channel.channelID } })
if (refused.error?.error.code !== 'not_found') throw new Error('expected not_found')
console.log('the story is complete')
