/** The browser of the tests: unpacked once from the package that brings it, with the libraries that it needs. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: { readonly folder: string; readonly playground: string }
  }
}

const cache = new URL('../../../node_modules/.cache/', import.meta.url).pathname

export default async function setup(project: TestProject): Promise<void> {
  const { playground } = await import('../../../.ci/playground.js')
  project.provide('chromium', { folder: unpacked(), playground: await playground() })
}

function unpacked(): string {
  const home = dirname(dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))))
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const folder = join(cache, `chromium-${version}-unpacked`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'chromium-'))
  // It unpacks into the folder for temporary files, and its libraries where it believes itself in the place it is made for.
  const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`
  const environment = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  execFileSync(process.execPath, ['--eval', script], { cwd: home, env: environment, stdio: 'inherit' })
  writeFileSync(join(fresh, 'fonts', 'fonts.conf'), fontsOf(join(folder, 'fonts')))
  try {
    renameSync(fresh, folder)
  } catch {
    // Somebody else was faster.
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}

/** Only the fonts of the package, so that every machine draws the same. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`
}
