/** What a message says: whether the core takes it, and which files it shows. */

import type { ErrorCode, Problem } from '../../errors.js'
import { parse } from '../../parse/index.js'
import type { Block } from '../../tree.js'
import { limitsOf } from '../../write/limits.js'
import { validate } from '../../write/validate.js'
import type { Detail } from '../contract/errors.js'
import { invalid } from '../contract/errors.js'
import { detail } from '../contract/schema.js'
import type { Identity, Rows } from '../store/store.js'

/**
 * Checks the message of a body that has one, by the core.
 *
 * @param body - a request's body, as its schema read it
 * @returns every problem
 */
export function checkMessage(body: unknown): Detail[] {
  if (typeof body !== 'object' || body === null) return []
  if ('blocks' in body) return validate({ blocks: asGiven<readonly string[]>(body.blocks) }).map(detailOf)
  if ('body' in body) return validate({ body: asGiven<string>(body.body) }).map(detailOf)
  return []
}

/** `validate` looks at what came, whatever it is; its parameter says what should have come. */
function asGiven<Expected>(value: unknown): Expected {
  return value as Expected
}

const limits = limitsOf({})

/** The limit that a problem of the core is about. */
const limitOfCode: Readonly<Partial<Record<ErrorCode, number>>> = {
  'blocks/count': limits.blocks,
  'blocks/too-long': limits.blockLength,
  'body/too-long': limits.bodyLength,
}

function detailOf({ code, path, expected, received }: Problem): Detail {
  const most = limitOfCode[code]
  const found = detail(path, code, `has to be ${expected}, this is ${received}`)
  if (most === undefined) return found
  const actual = Number(received)
  // Of what is counted there has to be one.
  return { ...found, limit: actual < 1 ? 1 : most, actual }
}

/** The parts of a message, with the path of each in the request. */
export type Parts = readonly { readonly source: string; readonly path: Detail['path'] }[]

/**
 * The parts of a post.
 *
 * @param blocks - its blocks
 * @returns each with its path
 */
export function partsOf(blocks: readonly string[]): Parts {
  return blocks.map((source, index) => ({ source, path: ['blocks', index] }))
}

/**
 * The files that a message shows: those that the bot uploaded or can see already. Nothing else is ever shown by it.
 *
 * @param rows - the organization
 * @param bot - who posts
 * @param parts - the message
 * @param earlier - what else is wrong with the request, to be told at once
 * @returns the ids of the files
 * @throws {ApiError} `validation_failed` for `<!id|>` of any other file
 */
export async function filesShown(
  rows: Rows,
  bot: Identity,
  parts: Parts,
  earlier: readonly Detail[] = [],
): Promise<string[]> {
  const named = parts.flatMap(({ source, path }) => fileReferences(source).map((found) => ({ ...found, path })))
  if (named.length + earlier.length === 0) return []
  const files = await rows.files([...new Set(named.map(({ id }) => id))])
  const own = files.filter((file) => file.uploaderID === bot.botID).map((file) => file.id)
  const others = files.filter((file) => file.uploaderID !== bot.botID).map((file) => file.id)
  const seen = others.length === 0 ? [] : await rows.filesSeen(others, bot.botID)
  const allowed = new Set([...own, ...seen])
  const unknown = named.filter(({ id, isFile }) => isFile && !allowed.has(id))
  const problems = unknown.map(({ id, path }) =>
    detail(path, 'file_not_found', `shows file ${id}, which this bot can not see`),
  )
  const all = [...earlier, ...problems]
  if (all.length > 0) throw invalid(all.slice(0, PROBLEMS_MAX))
  return [...allowed]
}

/** As many as the core tells: without an end, a request would be answered with many times its own size. */
const PROBLEMS_MAX = 1000

interface FileReference {
  readonly id: string
  /** Whether it is a file for sure: a mention that stands alone may be a person's. */
  readonly isFile: boolean
}

function fileReferences(source: string): FileReference[] {
  if (!source.includes('<!') && !source.includes('<@')) return []
  return parse(source, { position: false }).children.flatMap(referencesOf)
}

function referencesOf(block: Block): FileReference[] {
  if (block.type === 'file') return [{ id: block.fileID, isFile: true }]
  const [only, ...others] = block.type === 'paragraph' ? block.children : []
  const isLone = only?.type === 'mention' && only.label === null && others.length === 0
  return isLone ? [{ id: only.userID, isFile: false }] : []
}
