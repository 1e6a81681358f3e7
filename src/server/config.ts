/** The settings of a server: environment variables, each with its default, its meaning, and the function that reads it. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_BYTES_MAX } from '../api/contract/types.js'
import type { S3Options } from './files/s3.js'
import { connectionOf } from './store/connection.js'

/** All settings. */
export interface Config {
  readonly host: string
  /** The port to listen on; 0 for any free port. */
  readonly port: number
  /** A separate port for the metrics; null if they are on `port`. */
  readonly metricsPort: number | null
  readonly data: string
  /** The URL of another PostgreSQL; null for the embedded one. */
  readonly databaseUrl: string | null
  readonly connections: number
  /** The start of all URLs; null for the URL that the server listens on. */
  readonly siteUrl: string | null
  /** The bucket for file data; null for the data folder. */
  readonly files: S3Options | null
  readonly uploadBytesMax: number
  readonly rateLimit: number
  readonly uploadRateLimit: number
  /** The number of proxies in front that add a client's address to X-Forwarded-For. */
  readonly trustedProxies: number
  readonly logLevel: string
}

/**
 * Thrown for a wrong setting. The message is one line that names the setting.
 *
 * @example
 * try {
 *   readConfig({ TRUST_PROXY: 'yes' })
 * } catch (error) {
 *   error instanceof ConfigError // => true
 * }
 */
export class ConfigError extends Error {}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Entry<Value> {
  readonly name: string
  readonly default: string
  readonly help: string
  readonly read: (text: string, environment: Environment) => Value
}

function entry<Value>(name: string, value: string, help: string, read: Entry<Value>['read']): Entry<Value> {
  return { name, default: value, help, read }
}

/** Declares a variable that may be empty. An empty value is read as null. */
function optional<Value>(name: string, help: string, read: Entry<Value>['read']): Entry<Value | null> {
  return entry(name, '', help, (text, environment) => (text === '' ? null : read(text, environment)))
}

const entries: { readonly [Field in keyof Config]: Entry<Config[Field]> } = {
  host: entry('HOST', '127.0.0.1', 'the IP address to listen on', (text) => text),
  port: entry('PORT', '3000', 'the port to listen on; 0 for any', wholeNumber(0, 65_535)),
  metricsPort: optional('METRICS_PORT', 'a port for /metrics alone; PORT if empty', wholeNumber(1, 65_535)),
  data: entry('DATA', '$XDG_DATA_HOME/blockmark', 'the folder for the database and the files', dataFolderOf),
  databaseUrl: optional('DATABASE_URL', 'another PostgreSQL instead of the one in DATA: postgres://…', databaseOf),
  connections: entry('DATABASE_CONNECTIONS', '20', 'the maximum connections to the database', wholeNumber(1, 1000)),
  siteUrl: optional('SITE_URL', 'the start of all URLs; http://HOST:PORT if empty', siteOf),
  files: optional('FILES', 's3://BUCKET/PREFIX, with the usual AWS_* variables; DATA/files if empty', bucketOf),
  uploadBytesMax: entry(
    'UPLOAD_LIMIT',
    String(UPLOAD_BYTES_MAX),
    'the maximum bytes of a file',
    wholeNumber(1, 2 ** 52),
  ),
  rateLimit: entry('RATE_LIMIT', '100', 'requests a second for each bot; 0 for no limits', wholeNumber(0, 1e6)),
  uploadRateLimit: entry(
    'UPLOAD_RATE_LIMIT',
    '5',
    'uploads a second for each bot; 0 for no limit',
    wholeNumber(0, 1e6),
  ),
  trustedProxies: entry('TRUST_PROXY', '0', 'the number of proxies in front that add to X-Forwarded-For', proxiesOf),
  logLevel: entry('LOG_LEVEL', 'info', 'debug, info, warn, error or silent', levelOf),
}

/** Every variable, for the help. */
export const variables: readonly Omit<Entry<unknown>, 'read'>[] = Object.values(entries)

/** Each variable with its meaning and default, as the help lists them. */
export const settings: string = [
  'Settings, from the environment:',
  ...variables.map(({ name, help, default: value }) => {
    const width = Math.max(...variables.map((each) => each.name.length))
    return `  ${name.padEnd(width)}  ${help}${value === '' ? '' : ` (default ${value})`}`
  }),
].join('\n')

/**
 * Reads the settings.
 *
 * @param environment - `process.env`
 * @returns the settings
 * @throws {ConfigError} for a wrong value, with the variable's name
 * @example
 * readConfig({ PORT: '8080' }).port // => 8080
 * readConfig({ PORT: 'http' }) // => throws Error: PORT: expected a number from 0 to 65535, received http
 */
export function readConfig(environment: Environment): Config {
  const read = <Field extends keyof Config>(field: Field): Config[Field] => {
    const entry: Entry<Config[Field]> = entries[field]
    const text = environment[entry.name]?.trim() ?? ''
    try {
      return entry.read(text === '' ? entry.default : text, environment)
    } catch (error) {
      throw new ConfigError(`${entry.name}: ${error instanceof Error ? error.message : ''}`)
    }
  }
  const settings = (Object.keys(entries) as (keyof Config)[]).map((field) => [field, read(field)])
  // The cast is safe: every field of the table is a setting, which was read by its own entry.
  return Object.fromEntries(settings) as Config
}

/**
 * Completes the settings that a program passes: a setting that is undefined gets its default. `siteUrl` is normalized like
 * SITE_URL, because a slash at its end would be in all URLs twice.
 *
 * @throws {ConfigError} if the name of a setting is not known, or if `siteUrl` is wrong
 */
export function configOf(options: { readonly [Field in keyof Config]?: Config[Field] | undefined } = {}): Config {
  const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined)
  const unknown = definedOptions.find(([name]) => !Object.hasOwn(entries, name))
  if (unknown !== undefined)
    throw new ConfigError(`${unknown[0]}: there is no such setting: choose from ${Object.keys(entries).join(', ')}`)
  const { siteUrl } = readConfig({ SITE_URL: options.siteUrl ?? '' })
  return { ...readConfig({}), ...Object.fromEntries(definedOptions), siteUrl }
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new Error(`expected a number from ${min} to ${max}, received ${text}`)
  }
}

function proxiesOf(text: string): number {
  return text === 'off' ? 0 : text === 'on' ? 1 : wholeNumber(0, 10)(text)
}

function levelOf(text: string): string {
  if (/^(?:debug|info|warn|error|silent)$/.test(text)) return text
  throw new Error(`expected debug, info, warn, error or silent, received ${text}`)
}

function parseUrl(text: string, protocols: readonly string[]): URL {
  // The value is not repeated, because it may contain a password.
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && protocols.includes(url.protocol)) return url
  throw new Error(`expected a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
}

function dataFolderOf(text: string, { XDG_DATA_HOME }: Environment): string {
  return text.replace('$XDG_DATA_HOME', () => XDG_DATA_HOME || join(homedir(), '.local/share'))
}

function databaseOf(text: string): string {
  connectionOf(text)
  return text
}

function siteOf(text: string): string {
  const url = parseUrl(text, ['http:', 'https:'])
  if (url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '') return url.origin
  throw new Error('expected a URL without a path, for example https://example.com')
}

function bucketOf(text: string, environment: Environment): S3Options {
  const { hostname, pathname } = parseUrl(text, ['s3:'])
  if (hostname === '') throw new Error('expected s3://BUCKET/PREFIX')
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
  if (!accessKeyId || !secretAccessKey) throw new Error('set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too')
  const { AWS_SESSION_TOKEN: sessionToken, AWS_REGION: region = 'us-east-1', AWS_ENDPOINT_URL: address } = environment
  const { AWS_ENDPOINT_URL_S3: endpoint = address } = environment
  return {
    ...{ bucket: hostname, prefix, region, accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint } : {}),
    ...(sessionToken ? { sessionToken } : {}),
  }
}

/** Returns the start of all URLs: SITE_URL, or the URL that the server listens on. */
export function siteUrlOf({ siteUrl, host }: Pick<Config, 'siteUrl' | 'host'>, port: number): string {
  if (siteUrl !== null) return siteUrl
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
