/** The programs as processes, built in a folder from which they find the packages that they load. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { siteFolder } from '../../site-folder.js'

/** A built program. */
export interface BuiltCli {
  readonly path: string
}

const entries = { blockmark: 'src/cli/index.ts', 'blockmark-server': 'src/server/commands/bin.ts' } as const

const built = new Map<string, Promise<BuiltCli>>()

/** Builds a program once for all files of a process. */
export function buildCli(name: keyof typeof entries = 'blockmark-server'): Promise<BuiltCli> {
  const known = built.get(name)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-cli-'))
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const building = buildCliIn(folder, name)
  built.set(name, building)
  return building
}

/** Builds a program in a folder, from which its packages must be found. */
export async function buildCliIn(folder: string, name: keyof typeof entries = 'blockmark-server'): Promise<BuiltCli> {
  const path = join(folder, 'cli/index.mjs')
  await build({
    ...{ entryPoints: { index: entries[name] }, bundle: true, format: 'esm', platform: 'node', packages: 'external' },
    // The program is split into files like the published one, so that a command loads only the packages that it needs.
    ...{ splitting: true, outdir: join(folder, 'cli'), outExtension: { '.js': '.mjs' } },
    ...{ loader: { '.sql': 'text', '.css': 'text', '.md': 'text' }, logLevel: 'error' },
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href) },
  })
  // The files of the site are next to the program, as in the package.
  symlinkSync(fileURLToPath(siteFolder), join(folder, 'cli/site'))
  return { path }
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
 * @param words - the arguments of the program
 * @param environment - the variables that are added to those of this process
 * @param before - another program, with its arguments, that starts this one
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
 * @param words - the arguments of the program
 * @param environment - the variables that are added to those of this process
 * @param input - the standard input
 * @returns the output and the exit code
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
