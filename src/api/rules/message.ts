/** The check of a message by the core, and the files that a message shows. */

import { lengthOf, limitsOf } from '../../check/limits.js'
import { type Block, type ErrorCode, type Problem, parse, validate } from '../../index.js'
import type { Detail } from '../contract/errors.js'
import { invalid } from '../contract/errors.js'
import { detail } from '../contract/schema.js'
import { fieldSentences as say } from '../contract/sentences.js'
import type { Identity, Rows } from '../store/store.js'
import type { TimeSlices } from './scheduler.js'

/** Checks the message of a body with the core's `validate`. A body without a message has no problems. */
export function checkMessage(body: object): Detail[] {
  if ('blocks' in body) {
    const { blocks } = body
    const short = Array.isArray(blocks) ? blocks.map((block: unknown) => shortened(block, limits.blockLength)) : blocks
    const valueAt = (index: string | number | undefined): unknown =>
      Array.isArray(blocks) ? blocks[Number(index)] : ''
    return validate({ blocks: asGiven<readonly string[]>(short) }).map((each) => detailOf(each, valueAt(each.path[1])))
  }
  if (!('body' in body)) return []
  const short = asGiven<string>(shortened(body.body, limits.bodyLength))
  return validate({ body: short }).map((each) => detailOf(each, body.body))
}

/**
 * Replaces a text that is certainly too long, because megabytes would otherwise be checked character by character.
 */
function shortened(text: unknown, most: number): unknown {
  return typeof text === 'string' && text.length > 2 * most ? 'x'.repeat(most + 1) : text
}

/** `validate` accepts any value, although the type of its parameter is the expected one. */
function asGiven<Expected>(value: unknown): Expected {
  return value as Expected
}

const limits = limitsOf({})

/** The limit that was exceeded, by the code of the core's problem. */
const limitOfCode: Readonly<Partial<Record<ErrorCode, number>>> = {
  'blocks/count': limits.blocks,
  'blocks/too-long': limits.blockLength,
  'body/too-long': limits.bodyLength,
}

/** Converts a problem of the core; `value` is the block or the body that it is about. */
function detailOf(problem: Problem, value: unknown): Detail {
  const { code, path } = problem
  const most = limitOfCode[code]
  const isLong = typeof value === 'string' && code.endsWith('/too-long')
  const received = isLong ? String(lengthOf(value)) : problem.received
  const found = detail(path, code, (name) => sentenceOf({ ...problem, received }, name, value))
  if (most === undefined) return found
  const actual = Number(received)
  // An empty list or text is below the minimum, which is 1.
  return { ...found, limit: actual < 1 ? 1 : most, actual }
}

/** The sentence about a problem of the core, with the name of its field. */
function sentenceOf({ code, path, place, received }: Problem, name: string, value: unknown): string {
  switch (code) {
    case 'blocks/type':
      if (path.length === 1) return say.noBlockList(name)
      return typeof value === 'object' && value !== null ? say.foreignBlock(name) : say.noString(name, value)
    case 'blocks/count':
      return Number(received) < 1 ? say.noBlocks(name) : say.tooLong(name, limits.blocks, 'blocks', Number(received))
    case 'blocks/blank':
      return say.blank(name)
    case 'body/blank':
      return say.blankBody(name)
    case 'blocks/too-long':
      return say.tooLong(name, limits.blockLength, 'characters', Number(received))
    case 'body/too-long':
      return say.tooLong(name, limits.bodyLength, 'characters', Number(received))
    case 'blocks/character':
    case 'body/character':
      return say.characterAt(name, received, place?.line ?? 1, place?.column ?? 1)
    default:
      return say.noString(name, value)
  }
}

/** A file that a message names. */
export interface FileReference {
  readonly id: string
  /** False for a mention on its own line, which may be a person's. */
  readonly isFile: boolean
  readonly path: Detail['path']
}

export async function fileReferencesOf(body: object, slices: TimeSlices): Promise<FileReference[]> {
  const found: FileReference[] = []
  for (const { source, path } of sourcesOf(body)) {
    if (!source.includes('<!') && !source.includes('<@')) continue
    const tree = await slices.take(source.length, () => parse(source, { position: false }))
    for (const block of tree.children) {
      const reference = fileReference(block)
      if (reference !== null) found.push({ ...reference, path })
    }
  }
  return found
}

function sourcesOf(body: object): { source: string; path: Detail['path'] }[] {
  // The types are certain, because the message was checked.
  if ('body' in body) return [{ source: asGiven<string>(body.body), path: ['body'] }]
  if (!('blocks' in body)) return []
  return asGiven<readonly string[]>(body.blocks).map((source, index) => ({ source, path: ['blocks', index] }))
}

/**
 * The files that a message shows: those that the bot uploaded or can see already. A message never shows other files.
 * Throws `validation_failed` for `<!id|>` of any other file, together with the other problems of the request.
 */
export async function filesShown(
  {
    rows,
    bot,
    files: named,
  }: { readonly rows: Rows; readonly bot: Identity; readonly files: readonly FileReference[] },
  earlier: readonly Detail[] = [],
): Promise<string[]> {
  if (named.length + earlier.length === 0) return []
  const files = await rows.files([...new Set(named.map(({ id }) => id))])
  const own = files.filter((file) => file.uploaderID === bot.botID).map((file) => file.id)
  const others = files.filter((file) => file.uploaderID !== bot.botID).map((file) => file.id)
  const seen = others.length === 0 ? [] : await rows.filesSeen(others, bot.botID)
  const allowed = new Set([...own, ...seen])
  const unknown = named.filter(({ id, isFile }) => isFile && !allowed.has(id))
  const problems = unknown.map(({ id, path }) => detail(path, 'file_not_found', (name) => say.unseenFile(name, id)))
  const all = [...earlier, ...problems]
  if (all.length > 0) throw invalid(all.slice(0, PROBLEMS_MAX))
  return [...allowed]
}

/** Maximum number of problems in a response, which would otherwise be many times the size of the request. */
const PROBLEMS_MAX = 1000

/** The file that a block may be: `<!id|>`, or a mention without a label alone on its line (§6). */
export function fileReference(block: Block): Omit<FileReference, 'path'> | null {
  if (block.type === 'file') return { id: block.fileID, isFile: true }
  const [only, ...others] = block.type === 'paragraph' ? block.children : []
  const isLone = only?.type === 'mention' && only.label === null && others.length === 0
  return isLone ? { id: only.userID, isFile: false } : null
}
