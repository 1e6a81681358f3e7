import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import manifest from '../package.json' with { type: 'json' }

/** Tests of the installed packages, which are built, packed and installed once before. */
const installed = [
  'test/cli-check.test.ts',
  'test/cli.test.ts',
  'test/conformance.test.ts',
  'test/install/*.test.ts',
  'test/pages/browser/installed.test.ts',
  'test/runtimes.test.ts',
]

/** Tests of functions without state. */
const library = ['test/*.test.ts', 'test/{convert,fixtures,messengers,properties}/**/*.test.ts']

/** Tests in a real browser, which is unpacked once before. */
const browser = 'test/pages/browser/*.test.ts'

/** Whether random tests were asked to do more than usual. */
const isLong = ['LONG', 'RUNS', 'REQUESTS', 'KILLS'].some((name) => process.env[name] !== undefined)

/** A folder whose packages replace ours: `test/peers` has the lowest versions of the peer dependencies. */
const peers = process.env['PEERS']
const alias = Object.keys(manifest.peerDependencies)
  .filter((name) => peers !== undefined && !name.startsWith('@types/'))
  .map((name) => ({ find: new RegExp(`^${name}$`), replacement: resolve(peers ?? '', 'node_modules', name) }))

// All temporary files are in one folder, which is removed: killed servers leave files. PostgreSQL runs as another user.
if (!basename(tmpdir()).startsWith('blockmark-tests-')) {
  const folder = mkdtempSync(resolve(tmpdir(), 'blockmark-tests-'))
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

const config: ViteUserConfig = defineConfig({
  resolve: { alias },
  // Migrations and the style sheet are built in as text, as the package's build does. The name hides that it is a style
  // sheet, which Vite would leave empty.
  plugins: [
    {
      name: 'text',
      enforce: 'pre',
      load: (id) =>
        /\.(?:sql|css|md)\.text$/.test(id)
          ? `export default ${JSON.stringify(readFileSync(id.slice(0, -5), 'utf8'))}`
          : null,
      resolveId: (id, importer) =>
        // Tests read no `dist`, which may be old or be built at the same time.
        /^\.\/(?:packed|site-folder)\.js$/.test(id)
          ? new URL(id.replace('js', 'ts'), import.meta.url).pathname
          : /\.(?:sql|css|md)$/.test(id) && importer !== undefined
            ? `${resolve(dirname(importer), id)}.text`
            : null,
    },
  ],
  test: {
    root: new URL('..', import.meta.url).pathname,
    // Modules are loaded once for all files of a process: loading them for each file took a fifth of the time of the service's tests.
    isolate: false,
    // Most tests need the CPU. While some wait for servers and browsers, others can use it.
    maxWorkers: availableParallelism() + 2,
    // A time limit only ends a test that hangs: on a busy machine, everything may take long.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: isLong ? 36_000_000 : 1_200_000,
    hookTimeout: 1_200_000,
    // `.ci/run` counts the tests of the report.
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.cache/tests.json' }]]
      : ['default'],
    projects: [
      {
        extends: true,
        test: { name: 'library', include: library, exclude: installed },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...library, ...installed, browser, '**/node_modules/**'],
          globalSetup: ['test/cluster.ts', 'test/site.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'installed',
          include: installed,
          globalSetup: ['test/installed.ts', 'test/pages/support/chromium.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [browser],
          exclude: installed,
          globalSetup: ['test/cluster.ts', 'test/site.ts', 'test/pages/support/chromium.ts'],
        },
      },
    ],
  },
})

export default config
