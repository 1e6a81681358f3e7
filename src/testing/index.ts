/** `blockmark/testing`: the service in a test of a bot. */

export type { TestClock } from './clock.js'
export type { FailureOptions, FaultOptions, LossOptions } from './faults.js'
export type { Posted, PostedComment, PostedMessage, PostedThread, TestChat, UploadedFile } from './posted.js'
export type { SeedUser } from './seeds.js'
export { createTestService, type TestService, type TestServiceOptions } from './service.js'
export type { TestRequest } from './test-fetch.js'
