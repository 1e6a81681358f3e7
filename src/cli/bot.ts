/** What the commands of a bot share: whose key, which service, and what a failure means for the shell. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  BlockmarkApiError,
  type Client,
  type ClientOptions,
  createClient,
  SendAllError,
  SendStreamError,
} from '../api/client/index.js'
import { BlockmarkError } from '../index.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { fileReason } from '../terminal/input.js'

/** Options that each of these commands has. */
export const botOptions: {
  readonly profile: { readonly value: string; readonly help: string }
  readonly json: { readonly help: string }
} = {
  profile: { value: 'FILE', help: 'where the address and the key are, if not in the environment' },
  json: { help: 'print the result as JSON' },
}

/** What each of these commands says below its options. */
export const botNotes = `The service and the key come from BLOCKMARK_URL and BLOCKMARK_API_KEY, or from a profile that only you
can read (chmod 600): {"baseUrl": "https://…", "apiKey": "wsk_…"} in --profile FILE, BLOCKMARK_PROFILE or
~/.config/blockmark/profile.json. Exit codes: 0 done, 1 a file or a message is at fault, 2 a wrong call,
3 the service refused, 4 it could not be reached (try again later).`

interface Environment {
  readonly BLOCKMARK_URL?: string
  readonly BLOCKMARK_API_KEY?: string
  readonly BLOCKMARK_PROFILE?: string
  readonly XDG_CONFIG_HOME?: string
}

/**
 * Does something with a client, and says in one line why it could not be done.
 *
 * @param profile - the file that `--profile` names
 * @param work - the work
 * @param options - how long failed calls are repeated
 */
export async function withBot(
  profile: string | undefined,
  work: (bot: Client) => Promise<void>,
  options: Pick<ClientOptions, 'retryFor'> = {},
): Promise<void> {
  await inOneLineOfBot(async () => work(botOf(accountOf(profile), options)))
}

/** An address that is none was typed somewhere: that place is named, not the function that looked at it. */
function botOf(
  { baseUrl, apiKey, urlName }: Account & { readonly urlName: string },
  options: Pick<ClientOptions, 'retryFor'>,
): Client {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`${urlName}: expected an address as https://messages.example.com`)
  return createClient({ baseUrl, apiKey, ...options })
}

/**
 * Does something that a client does too.
 *
 * @param work - what to do
 * @throws {Failure} where it fails in a way that the client has an error for
 */
export async function inOneLineOfBot(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isPartly = error instanceof SendAllError || error instanceof SendStreamError
    const cause = isPartly ? error.cause : error
    if (cause instanceof BlockmarkApiError) {
      const isPassing = cause.status === 0 || cause.status === 429 || cause.status >= 500
      throw failure(error, isPassing ? 4 : 3)
    }
    if (isOfFile(error)) throw new Failure(`${error.path}: ${fileReason(error)}`, { cause: error })
    if (isPartly || error instanceof BlockmarkError || error instanceof TypeError) throw failure(error, 1)
    throw error
  }
}

function isOfFile(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

function failure(error: unknown, exitCode: 1 | 3 | 4): Failure {
  return new Failure(messageOf(error).replace(/\n\s*/g, '; '), { exitCode, cause: error })
}

function messageOf(error: unknown): string {
  if (error instanceof SendAllError || error instanceof SendStreamError) {
    const { delivered, cause, idempotencyKey, isNextUnknown } = error
    const isStream = error instanceof SendStreamError
    if (isStream && cause instanceof BlockmarkApiError && cause.code === 'idempotency_mismatch')
      return error.message.replace('sendStream: ', '')
    // Where nothing was posted, a call as it was is a call again.
    if (delivered.length === 0 && !isNextUnknown) return messageOf(cause)
    const word = /^[\w.:/-]+$/.test(idempotencyKey) ? idempotencyKey : JSON.stringify(idempotencyKey)
    const count = isStream ? delivered.length : `${delivered.length} of ${error.total}`
    const posted = `${count} ${count === 1 ? 'part was' : 'parts were'} posted`
    const next = isNextUnknown ? `, part ${delivered.length + 1} perhaps` : ''
    return `${posted}${next}; then: ${messageOf(cause)}; the same ${isStream ? 'text' : 'call'} with --idempotency-key ${word} posts the rest`
  }
  return error instanceof Error ? error.message : String(error)
}

interface Account {
  readonly baseUrl: string
  readonly apiKey: string
}

/** The environment says it all, or fills in what the profile leaves out. */
function accountOf(given: string | undefined): Account & { readonly urlName: string } {
  const environment: Environment = process.env
  const { BLOCKMARK_URL: url, BLOCKMARK_API_KEY: key } = environment
  if (given === undefined && url !== undefined && key !== undefined)
    return { baseUrl: url, apiKey: key, urlName: 'BLOCKMARK_URL' }
  const file = given ?? environment.BLOCKMARK_PROFILE ?? defaultProfile(environment)
  const isMissing = !existsSync(file)
  if (isMissing && (given !== undefined || environment.BLOCKMARK_PROFILE !== undefined)) {
    throw new Failure(`${file}: no such file`)
  }
  const profile = isMissing ? {} : readProfile(file)
  const account = given === undefined ? { baseUrl: url ?? profile.baseUrl, apiKey: key ?? profile.apiKey } : profile
  const { baseUrl, apiKey } = account
  const isOfProfile = given !== undefined || url === undefined
  if (baseUrl !== undefined && apiKey !== undefined)
    return { baseUrl, apiKey, urlName: isOfProfile ? `${file}: baseUrl` : 'BLOCKMARK_URL' }
  if (given !== undefined) throw noProfile(file)
  const missing = baseUrl === undefined ? 'BLOCKMARK_URL' : 'BLOCKMARK_API_KEY'
  throw new UsageError(`set ${missing}, or write ${file}; see blockmark ping --help`)
}

function defaultProfile({ XDG_CONFIG_HOME: folder }: Environment): string {
  return join(folder ?? join(homedir(), '.config'), 'blockmark', 'profile.json')
}

/** A key that others can read is no secret any more, so it is not used. */
function readProfile(file: string): Partial<Account> {
  const { mode } = statSync(file)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Failure(`${file}: others can read the key in it: chmod 600 ${file}, and have the key rotated`)
  }
  const fields = fieldsOf(readFileSync(file, 'utf8'))
  if (fields === null) throw noProfile(file)
  return fields
}

function noProfile(file: string): Failure {
  return new Failure(`${file}: expected {"baseUrl": "https://…", "apiKey": "wsk_…"}`)
}

/** Nothing of what stands in the file is repeated: it holds a key. */
function fieldsOf(text: string): Partial<Account> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { baseUrl, apiKey }: { baseUrl?: unknown; apiKey?: unknown } = value
    return {
      ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
      ...(typeof apiKey === 'string' ? { apiKey } : {}),
    }
  } catch {
    return null
  }
}
