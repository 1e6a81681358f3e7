/** The programs as processes, built in a folder from which they find the packages that they load. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** A built program. */
export interface BuiltCli {
  readonly path: string
  remove(): Promise<void>
}

let count = 0

const entries = { blockmark: 'src/cli/index.ts', 'blockmark-server': 'src/server/commands/bin.ts' } as const

/**
 * Builds a program.
 *
 * @param name - the program's name
 * @param folder - the folder for the program, from which its packages must be found
 * @returns the program
 */
export async function buildCli(
  name: keyof typeof entries = 'blockmark-server',
  folder: string = join(process.cwd(), 'node_modules/.blockmark-test'),
): Promise<BuiltCli> {
  count += 1
  const pieces = join(folder, `cli-${process.pid}-${count}`)
  const path = join(pieces, 'index.mjs')
  await build({
    ...{ entryPoints: { index: entries[name] }, bundle: true, format: 'esm', platform: 'node', packages: 'external' },
    // In several files, as it is published, so that a command loads only its own packages.
    ...{ splitting: true, outdir: pieces, outExtension: { '.js': '.mjs' } },
    ...{ loader: { '.sql': 'text', '.css': 'text', '.md': 'text' }, logLevel: 'error' },
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href) },
  })
  const remove = (): Promise<void> => rm(pieces, { recursive: true, force: true })
  return { path, remove }
}

/** The output and exit code of a process. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process, and its output so far. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
  stdout(): string
  stderr(): string
  /** Waits until the output matches, and returns the pattern's first group. */
  printed(pattern: RegExp): Promise<string>
}

/**
 * Starts the command line.
 *
 * @param cli - the built program
 * @param words - its arguments
 * @param environment - the variables that are added to those of this process
 * @param before - a program and its arguments that start it
 * @returns the process
 */
export function startCli(
  cli: BuiltCli,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
): Running {
  const [program = '', ...rest] = [...before, process.execPath, cli.path, ...words]
  const env = { ...process.env, ...environment }
  const child = spawn(program, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    written.stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    written.stderr += String(chunk)
  })
  const ended = once(child, 'close').then(([code]): Outcome => ({ code, ...written }))
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(written.stdout)
      if (found !== null) return found[1] ?? ''
      const news = once(child.stdout, 'data').catch(() => undefined)
      const end = await Promise.race([news, ended])
      if (end !== undefined && 'code' in end) throw new Error(`it ended with ${end.code}: ${end.stderr}`)
    }
  }
  return { child, ended, stdout: () => written.stdout, stderr: () => written.stderr, printed }
}

/**
 * Runs the command line to its end.
 *
 * @param cli - the built program
 * @param words - its arguments
 * @param environment - the variables that are added to those of this process
 * @param input - the standard input
 * @returns its output and exit code
 */
export function runCli(
  cli: BuiltCli,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Outcome> {
  const { child, ended } = startCli(cli, words, environment)
  child.stdin?.end(input)
  return ended
}
