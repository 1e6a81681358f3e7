/** `blockmark/testing`: the service in a test of a bot, and matchers for trees and messages. */

export type { TestClock } from './clock.js'
export type { FailureOptions, FaultOptions, LossOptions } from './faults.js'
export { assertSameTree, type MatcherResult, matchers, type TreeMatchers } from './matchers.js'
export type { Posted, PostedComment, PostedMessage, PostedThread, TestChat, UploadedFile } from './posted.js'
export type { SeedUser } from './seeds.js'
export { createTestService, type TestService, type TestServiceOptions } from './service.js'
export type { TestRequest } from './test-fetch.js'
