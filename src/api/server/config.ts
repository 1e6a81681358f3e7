/** The settings of a server: environment variables, each with its default, what it means, and how it is read. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import type { S3Options } from '../files/s3.js'

/** Everything that can be set. */
export interface Config {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  readonly data: string
  /** Another PostgreSQL than our own; null for our own. */
  readonly databaseUrl: string | null
  readonly connections: number
  /** Null for the address that the server listens on. */
  readonly siteUrl: string | null
  /** Where files are kept; null for the data folder. */
  readonly files: S3Options | null
  readonly uploadBytesMax: number
  readonly rateLimit: number
  readonly uploadRateLimit: number
  readonly trustsProxy: boolean
  readonly logLevel: string
}

/** A wrong value, in one line that names its variable. */
export class ConfigError extends Error {}

/** One variable, as the help lists it. */
export interface Variable {
  readonly name: string
  readonly help: string
  readonly default: string
}

/** Environment variables; those that other programs share are named. */
export interface Environment {
  readonly XDG_DATA_HOME?: string | undefined
  readonly AWS_REGION?: string | undefined
  readonly AWS_ENDPOINT_URL?: string | undefined
  readonly AWS_ENDPOINT_URL_S3?: string | undefined
  readonly [name: string]: string | undefined
}

interface Entry<Value> extends Variable {
  readonly read: (text: string, environment: Environment) => Value
}

const entries: { readonly [Field in keyof Config]: Entry<Config[Field]> } = {
  host: { name: 'HOST', default: '127.0.0.1', help: 'the address to listen on', read: (text) => text },
  port: { name: 'PORT', default: '3000', help: 'the port to listen on; 0 for any', read: wholeNumber(0, 65_535) },
  data: {
    name: 'DATA',
    default: '$XDG_DATA_HOME/blockmark',
    help: 'the folder for the database and the files',
    read: (text, environment) =>
      text.replace('$XDG_DATA_HOME', () => environment.XDG_DATA_HOME || join(homedir(), '.local/share')),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: '',
    help: 'another PostgreSQL than the one in DATA: postgres://…',
    read: (text) => (text === '' ? null : addressOf(text, ['postgres:', 'postgresql:']).href),
  },
  connections: {
    name: 'DATABASE_CONNECTIONS',
    default: '20',
    help: 'how many connections to the database are open at most',
    read: wholeNumber(1, 1000),
  },
  siteUrl: {
    name: 'SITE_URL',
    default: '',
    help: 'what addresses of pages begin with; http://HOST:PORT where empty',
    read: (text) => (text === '' ? null : siteOf(text)),
  },
  files: {
    name: 'FILES',
    default: '',
    help: 's3://BUCKET/PREFIX (AWS_* variables say who we are there); DATA/files where empty',
    read: (text, environment) => (text === '' ? null : bucketOf(text, environment)),
  },
  uploadBytesMax: {
    name: 'UPLOAD_LIMIT',
    default: '536870912',
    help: 'the most bytes of an uploaded file',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '100',
    help: 'requests a second for each bot, twice as many at once; 0 for no limits',
    read: wholeNumber(0, 1_000_000),
  },
  uploadRateLimit: {
    name: 'UPLOAD_RATE_LIMIT',
    default: '5',
    help: 'uploads a second for each bot; 0 for no limit',
    read: wholeNumber(0, 1_000_000),
  },
  trustsProxy: {
    name: 'TRUST_PROXY',
    default: 'off',
    help: 'on where a proxy in front adds to X-Forwarded-For whom it saw',
    read: (text) => oneOf(text, ['on', 'off']) === 'on',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    help: 'debug, info, warn, error or silent',
    read: (text) => oneOf(text, ['debug', 'info', 'warn', 'error', 'silent']),
  },
}

/** Every variable, for the help. */
export const variables: readonly Variable[] = Object.values(entries)

/**
 * Reads the settings.
 *
 * @param environment - `process.env`
 * @returns the settings
 * @throws {ConfigError} for a wrong value, with the variable's name
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
  return {
    ...{ host: read('host'), port: read('port'), data: read('data'), databaseUrl: read('databaseUrl') },
    ...{ connections: read('connections'), siteUrl: read('siteUrl'), files: read('files') },
    ...{ uploadBytesMax: read('uploadBytesMax'), rateLimit: read('rateLimit') },
    ...{ uploadRateLimit: read('uploadRateLimit'), trustsProxy: read('trustsProxy'), logLevel: read('logLevel') },
  }
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new Error(`expected a number from ${least} to ${most}`)
  }
}

function oneOf(text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text
  throw new Error(`expected ${choices.join(' or ')}`)
}

function addressOf(text: string, protocols: readonly string[]): URL {
  // A wrong address may hold a password, so it is not repeated.
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && protocols.includes(url.protocol)) return url
  throw new Error(`expected an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
}

function siteOf(text: string): string {
  const url = addressOf(text, ['http:', 'https:'])
  if (url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '') return url.origin
  throw new Error('expected an address without a path, as https://example.com')
}

function bucketOf(text: string, environment: Environment): S3Options {
  const { hostname, pathname } = addressOf(text, ['s3:'])
  if (hostname === '') throw new Error('expected s3://BUCKET/PREFIX')
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  return {
    ...{
      bucket: hostname,
      prefix: prefix === '' ? '' : `${prefix}/`,
      region: environment.AWS_REGION ?? 'us-east-1',
    },
    ...(endpoint === undefined ? {} : { endpoint }),
  }
}

/**
 * What addresses of pages begin with.
 *
 * @param config - the settings
 * @param port - the port that is listened on
 * @returns SITE_URL, or where the server listens
 */
export function siteUrlOf({ siteUrl, host }: Pick<Config, 'siteUrl' | 'host'>, port: number): string {
  if (siteUrl !== null) return siteUrl
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
