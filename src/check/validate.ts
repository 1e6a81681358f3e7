/** Checks messages for the service, before they are sent and when they arrive. */
import { isBlank } from '../characters.js'
import { describe, diagnose, type Problem } from '../errors.js'
import { createLocator } from '../search.js'
import { type LimitOptions, lengthOf, limitsOf } from './limits.js'

/**
 * Finds the reasons (at most about 1,000) for which the service would reject a message. If there are none, the service can reject
 * the message only because of the ids in it.
 *
 * @param message - a post's `blocks` or a chat message's `body`; values of the wrong type in it are reported as problems
 * @param options - limits that differ from the service's
 * @returns the problems, each with its code, path, position in the string, valid and received values
 * @throws {TypeError} if `message` is not an object, or a limit is not a number of 1 or more
 * @example
 * validate({ blocks: ['# Deployed', ' '] })
 * // => [{ code: 'blocks/blank', path: ['blocks', 1], valid: 'a character that is not white space', received: '" "' }]
 */
export function validate(
  message: { blocks: readonly string[] } | { body: string },
  options: LimitOptions = {},
): Problem[] {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new TypeError(`expected an object with blocks or body, received ${describe(message)}`)
  }
  const limits = limitsOf(options)
  const { blocks, body }: { blocks?: unknown; body?: unknown } = message
  const problems: Problem[] = []
  if ('body' in message) checkText(problems, ['body'], body, limits.bodyLength)
  if ('blocks' in message || !('body' in message)) checkBlocks(problems, blocks, limits)
  return problems.map(diagnose)
}

/** Maximum number of problems. Without it, the response to a request could be many times as large as the request. */
const PROBLEMS_MAX = 1_000

function checkBlocks(problems: Problem[], blocks: unknown, limits: Required<LimitOptions>): void {
  const path = ['blocks'] as const
  if (!Array.isArray(blocks)) {
    problems.push({ code: 'blocks/type', path, valid: 'array of strings', received: describe(blocks) })
    return
  }
  const { length } = blocks
  if (length < 1 || length > limits.blocks) {
    problems.push({ code: 'blocks/count', path, valid: `1 to ${limits.blocks} blocks`, received: String(length) })
  }
  for (let index = 0; index < length && problems.length < PROBLEMS_MAX; index += 1) {
    checkText(problems, ['blocks', index], blocks[index], limits.blockLength)
  }
}

type TextPath = readonly ['body'] | readonly ['blocks', number]

function checkText(problems: Problem[], path: TextPath, text: unknown, lengthMax: number): void {
  const report = (kind: 'type' | 'blank' | 'too-long', valid: string, received: string): void => {
    problems.push({ code: `${path[0]}/${kind}`, path, valid, received })
  }
  if (typeof text !== 'string') {
    report('type', 'string', describe(text))
    return
  }
  if (isBlank(text)) report('blank', 'a character that is not white space', describe(text))
  // A text does not have more code points than code units, so the code points of a short text need not be counted.
  const length = text.length > lengthMax ? lengthOf(text) : 0
  if (length > lengthMax) report('too-long', `1 to ${lengthMax} characters`, String(length))
  checkCharacters(problems, path, text)
}

const REJECTED_CHARACTERS = /[\0\uD800-\uDFFF]/gu

function checkCharacters(problems: Problem[], path: TextPath, text: string): void {
  let positionOf: ReturnType<typeof createLocator> | undefined
  for (const { 0: char, index } of text.matchAll(REJECTED_CHARACTERS)) {
    if (problems.length >= PROBLEMS_MAX) return
    positionOf ??= createLocator(text)
    const place = positionOf(index, index).start
    const received = `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    problems.push({ code: `${path[0]}/character`, path, place, valid: 'no U+0000 and no lone surrogate', received })
  }
}
