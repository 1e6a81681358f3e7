/** The code that all commands of a bot share: it finds the service and the API key, and sets the exit codes of failures. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BlockmarkApiError, type Client, type ClientOptions, createClient, SendError } from '../api/client/index.js'
import { BlockmarkError } from '../index.js'
import { Failure, UsageError } from '../terminal/errors.js'
import { fileReason } from '../terminal/input.js'

/** Options of every command that calls the service. */
export const botOptions: {
  readonly profile: { readonly value: string; readonly help: string }
  readonly json: { readonly help: string }
} = {
  profile: { value: 'FILE', help: 'the file with the URL and the API key, if they are not in the environment' },
  json: { help: 'print the result as JSON' },
}

/** Help text for every command that calls the service. */
export const botNotes = `The service and the API key come from BLOCKMARK_URL and BLOCKMARK_API_KEY, or from a profile that
only you can read (chmod 600): {"baseUrl": "https://…", "apiKey": "wsk_…"} in --profile FILE,
BLOCKMARK_PROFILE or ~/.config/blockmark/profile.json. Exit codes: 0 done, 1 a file or a message is
wrong, 2 the call is wrong, 3 the service rejected it, 4 the service could not be reached (try later).`

interface Environment {
  readonly BLOCKMARK_URL?: string
  readonly BLOCKMARK_API_KEY?: string
  readonly BLOCKMARK_PROFILE?: string
  readonly XDG_CONFIG_HOME?: string
}

/** Calls a function with a client. Throws a Failure of one line if a call fails. `profile` is the file that `--profile` names. */
export async function withBot(
  profile: string | undefined,
  work: (bot: Client) => Promise<void>,
  options: Pick<ClientOptions, 'retryFor'> = {},
): Promise<void> {
  await withOneLineErrors(async () => work(openClient(accountOf(profile), options)))
}

/** Creates the client of an account. An error about the URL names the variable or file that the URL comes from. */
function openClient(
  { baseUrl, apiKey, urlName }: Account & { readonly urlName: string },
  options: Pick<ClientOptions, 'retryFor'>,
): Client {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`${urlName}: expected a URL, for example https://messages.example.com`)
  return createClient({ baseUrl, apiKey, ...options })
}

/** Calls a function, and turns an error of the client or of a file into a Failure of one line. */
export async function withOneLineErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isSendError = error instanceof SendError
    const cause = isSendError ? error.cause : error
    if (cause instanceof BlockmarkApiError) {
      const isTemporary = cause.status === 0 || cause.status === 429 || cause.status >= 500
      throw failureOf(error, isTemporary ? 4 : 3)
    }
    if (isFileError(error)) throw new Failure(`${error.path}: ${fileReason(error)}`, { cause: error })
    if (isSendError || error instanceof BlockmarkError || error instanceof TypeError) throw failureOf(error, 1)
    throw error
  }
}

function isFileError(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

function failureOf(error: unknown, exitCode: 1 | 3 | 4): Failure {
  return new Failure(messageOf(error).replace(/\n\s*/g, '; '), { exitCode, cause: error })
}

function messageOf(error: unknown): string {
  if (error instanceof SendError) {
    const { delivered, cause, idempotencyKey } = error
    const isStream = error.method === 'sendStream'
    // If nothing was posted, the same call can be repeated without an idempotency key, so only the cause is reported.
    const isUnknown = cause instanceof BlockmarkApiError && cause.isUnknown
    if (delivered.length === 0 && !isUnknown) return messageOf(cause)
    const quotedKey = /^[\w.:/-]+$/.test(idempotencyKey) ? idempotencyKey : JSON.stringify(idempotencyKey)
    const count = delivered.length
    const deliveredText = `${count} ${count === 1 ? 'part was' : 'parts were'} posted for certain`
    return `${deliveredText}; then: ${messageOf(cause)}; the same ${isStream ? 'text' : 'call'} with --idempotency-key ${quotedKey} posts the rest`
  }
  if (error instanceof BlockmarkApiError && error.status === 401)
    return 'the service rejects the API key: check BLOCKMARK_API_KEY, or apiKey of the profile'
  if (error instanceof BlockmarkApiError && error.code === 'invalid_response')
    return `${error.message}: check BLOCKMARK_URL`
  if (error instanceof BlockmarkApiError) return error.message.replace('check baseUrl', 'check BLOCKMARK_URL')
  return error instanceof Error ? error.message : String(error)
}

interface Account {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Returns the account in the `--profile` file. Without this option, variables come first, then the file in BLOCKMARK_PROFILE or the default. */
function accountOf(profileOption: string | undefined): Account & { readonly urlName: string } {
  const environment: Environment = process.env
  // An empty variable counts as absent, because CI systems set an empty variable for a missing secret.
  const [url, key] = [environment.BLOCKMARK_URL || undefined, environment.BLOCKMARK_API_KEY || undefined]
  if (profileOption === undefined && url !== undefined && key !== undefined)
    return { baseUrl: url, apiKey: key, urlName: 'BLOCKMARK_URL' }
  const file = profileOption ?? environment.BLOCKMARK_PROFILE ?? defaultProfile(environment)
  const isMissing = !existsSync(file)
  if (isMissing && (profileOption !== undefined || environment.BLOCKMARK_PROFILE !== undefined)) {
    throw new Failure(`${file}: no such file`)
  }
  const profile = isMissing ? {} : readProfile(file)
  const account =
    profileOption === undefined ? { baseUrl: url ?? profile.baseUrl, apiKey: key ?? profile.apiKey } : profile
  const { baseUrl, apiKey } = account
  const isUrlFromProfile = profileOption !== undefined || url === undefined
  if (baseUrl !== undefined && apiKey !== undefined)
    return { baseUrl, apiKey, urlName: isUrlFromProfile ? `${file}: baseUrl` : 'BLOCKMARK_URL' }
  if (profileOption !== undefined) throw invalidProfile(file)
  const missingVariable = baseUrl === undefined ? 'BLOCKMARK_URL' : 'BLOCKMARK_API_KEY'
  throw new UsageError(`set ${missingVariable}, or write ${file}; see blockmark ping --help`)
}

function defaultProfile({ XDG_CONFIG_HOME: folder }: Environment): string {
  return join(folder ?? join(homedir(), '.config'), 'blockmark', 'profile.json')
}

/** Reads a profile. Throws Failure if other users can read the file, because its API key is then not secret. */
function readProfile(file: string): Partial<Account> {
  const { mode } = statSync(file)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Failure(`${file}: others can read the API key in it: chmod 600 ${file}, and have the key rotated`)
  }
  const fields = fieldsOf(readFileSync(file, 'utf8'))
  if (fields === null) throw invalidProfile(file)
  return fields
}

function invalidProfile(file: string): Failure {
  return new Failure(`${file}: expected {"baseUrl": "https://…", "apiKey": "wsk_…"}`)
}

/**
 * Returns the fields of a profile; null if the text is not JSON, or not an object or array. Never throws: an error could quote
 * the API key.
 */
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
