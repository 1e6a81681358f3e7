/** Package managers as users call them, without this project's own settings. */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../source.js'

export type Manager = 'npm' | 'pnpm' | 'yarn classic' | 'yarn'

const programs: Readonly<Record<Manager, readonly [program: string, ...words: string[]]>> = {
  npm: ['npm'],
  pnpm: [process.execPath, programOf('pnpm/bin/pnpm.cjs')],
  'yarn classic': [process.execPath, programOf('yarn/bin/yarn.js')],
  yarn: [process.execPath, programOf('@yarnpkg/cli-dist/bin/yarn.js')],
}

function programOf(path: string): string {
  return join(top, 'test/install/node_modules', path)
}

/** The output of a process that has ended. */
export interface ProgramOutput {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Whether the packages of `test/install`, or of another folder, are installed. */
export function isInstalled(folder: 'install' | 'peers' = 'install'): boolean {
  return existsSync(join(top, 'test', folder, 'node_modules'))
}

/** The environment of a user with a registry and no other settings. */
export function environmentOf(home: string, registry: string): Record<string, string> {
  mkdirSync(home, { recursive: true })
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ...{ npm_config_registry: registry, npm_config_cache: join(home, 'npm'), npm_config_update_notifier: 'false' },
    ...{ npm_config_audit: 'false', npm_config_fund: 'false' },
    ...{ YARN_REGISTRY: registry, YARN_CACHE_FOLDER: join(home, 'yarn'), YARN_NPM_REGISTRY_SERVER: registry },
    ...{ YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1', YARN_ENABLE_TELEMETRY: '0', YARN_ENABLE_IMMUTABLE_INSTALLS: '0' },
  }
}

/** Calls a package manager in a folder, asynchronously, because the registry runs in this process. */
export function call(
  manager: Manager,
  words: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<ProgramOutput> {
  const [program, ...first] = programs[manager]
  return outputOf(program, [...first, ...words], folder, env)
}

/** Calls a program, and waits for its end. */
export function outputOf(
  program: string,
  words: readonly string[],
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      output.stdout += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      output.stderr += String(chunk)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}
