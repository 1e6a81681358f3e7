/** A new process, in which nothing is compiled yet: how long until a test has its service, and the first response? */

import { createTestService } from '../../src/testing/index.js'

const started = performance.now()
const { apiKey, baseUrl, fetch } = createTestService({
  ...{ users: ['Ann', 'Bob'], channels: ['deploys', 'general'], chats: ['ops'] },
})
const ready = performance.now()
await fetch(`${baseUrl}/api/public/ping`, { headers: { authorization: `Bearer ${apiKey}` } })
console.log(JSON.stringify({ ready: ready - started, first: performance.now() - ready }))
