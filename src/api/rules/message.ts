/** Checks a message with the core's `validate`, and finds the files that it shows. */

import { LIMITS, lengthOf } from '../../check/limits.js'
import { type Block, type Problem, parse, validate } from '../../index.js'
import { type Detail, invalid } from '../contract/errors.js'
import { detail } from '../contract/schema.js'
import { fieldSentences as say } from '../contract/sentences.js'
import type { Identity, Rows } from '../store/store.js'
import type { TimeSlices } from './scheduler.js'

/** Checks the message of a body with the core's `validate`. A body without a message has no problems. */
export function checkMessage(fields: Readonly<Record<string, unknown>>): Detail[] {
  const name = fields['blocks'] === undefined ? 'body' : 'blocks'
  const message = fields[name]
  if (message === undefined) return []
  const max = name === 'body' ? LIMITS.bodyLength : LIMITS.blockLength
  const shortened = Array.isArray(message) ? message.map((each) => shorten(each, max)) : shorten(message, max)
  // The cast is safe: `validate` accepts any value, although its parameter has the expected type.
  return validate({ [name]: shortened } as Parameters<typeof validate>[0]).map((problem) => detailOf(problem, message))
}

/** Replaces a text that is certainly too long by a short text that is too long as well, so that megabytes are not checked. */
function shorten(text: unknown, max: number): unknown {
  return typeof text === 'string' && text.length > 2 * max ? 'x'.repeat(max + 1) : text
}

/** Converts a problem of the core to a detail; `field` is the value of `blocks` or `body`. */
function detailOf({ code, path, place, received }: Problem, field: unknown): Detail {
  const value: unknown = path.length > 1 && Array.isArray(field) ? field[Number(path[1])] : field
  const tooLong = (limit: number, unit: string, actual: number): Detail =>
    detail(path, code, (name) => say.tooLong(name, limit, unit, actual), { limit, actual })
  const isBody = path[0] === 'body'
  switch (code.slice(code.indexOf('/') + 1)) {
    case 'count':
      if (received === '0') return detail(path, code, say.emptyBlocks, { limit: 1, actual: 0 })
      return tooLong(LIMITS.blocks, 'blocks', Number(received))
    case 'too-long':
      return tooLong(isBody ? LIMITS.bodyLength : LIMITS.blockLength, 'characters', lengthOf(String(value)))
    case 'blank':
      return detail(path, code, isBody ? say.blankBody : say.blank)
    case 'character':
      return detail(path, code, (name) => say.characterAt(name, received, place?.line ?? 1, place?.column ?? 1))
  }
  if (!isBody && path.length === 1) return detail(path, code, say.blocksNotAList)
  if (!isBody && typeof value === 'object' && value !== null) return detail(path, code, say.foreignBlock)
  return detail(path, code, (name) => say.notAString(name, value))
}

/** A file that a message names. */
export interface FileReference {
  readonly id: string
  /** False for a mention alone on its line, because it may mention a person. */
  readonly isFile: boolean
  readonly path: Detail['path']
}

/** Finds the files that the message of a body names. The message must have been checked. */
export async function fileReferencesOf(fields: object, slices: TimeSlices): Promise<FileReference[]> {
  const { blocks, body }: { readonly blocks?: readonly string[]; readonly body?: string } = fields
  const files: FileReference[] = []
  for (const [index, source] of (blocks ?? [body ?? '']).entries()) {
    if (!source.includes('<!') && !source.includes('<@')) continue
    const tree = await slices.run(source.length, () => parse(source, { position: false }))
    for (const block of tree.children) {
      const reference = fileReference(block)
      if (reference !== null) files.push({ ...reference, path: blocks === undefined ? ['body'] : ['blocks', index] })
    }
  }
  return files
}

/**
 * Returns the ids of the files that a message shows and that the bot uploaded or can see already.
 * Throws `validation_failed` for `<!id|>` of any other file, together with the other problems of the request.
 */
export async function filesShown(
  { rows, bot, files: references }: { rows: Rows; bot: Identity; files: readonly FileReference[] },
  earlierProblems: readonly Detail[] = [],
): Promise<string[]> {
  if (references.length + earlierProblems.length === 0) return []
  const files = await rows.files([...new Set(references.map(({ id }) => id))])
  const ownFileIDs = files.filter((file) => file.uploaderID === bot.botID).map((file) => file.id)
  const otherFileIDs = files.filter((file) => file.uploaderID !== bot.botID).map((file) => file.id)
  const seenFileIDs = otherFileIDs.length === 0 ? [] : await rows.filesSeen(otherFileIDs, bot.botID)
  const allowedIDs = new Set([...ownFileIDs, ...seenFileIDs])
  const unknown = references.filter(({ id, isFile }) => isFile && !allowedIDs.has(id))
  const problems = unknown.map(({ id, path }) => detail(path, 'file_not_found', (name) => say.unseenFile(name, id)))
  const allProblems = [...earlierProblems, ...problems]
  if (allProblems.length > 0) throw invalid(allProblems.slice(0, PROBLEMS_MAX))
  return [...allowedIDs]
}

/** Maximum number of problems in a response, which would otherwise be many times the size of the request. */
const PROBLEMS_MAX = 1000

/** Returns the file that a block may show: `<!id|>`, or a mention without a label alone on its line (§6); else null. */
export function fileReference(block: Block): Omit<FileReference, 'path'> | null {
  if (block.type === 'file') return { id: block.fileID, isFile: true }
  const [only, ...others] = block.type === 'paragraph' ? block.children : []
  const isLone = only?.type === 'mention' && only.label === null && others.length === 0
  return isLone ? { id: only.userID, isFile: false } : null
}
