import { availableParallelism } from 'node:os'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** These look at what users install; it is built, packed and installed once, before they run. */
const installed = [
  'test/cli-check.test.ts',
  'test/cli.test.ts',
  'test/conformance.test.ts',
  'test/package.test.ts',
  'test/pages/browser/installed.test.ts',
  'test/runtimes.test.ts',
]

/** These look at pages in a real browser, which is unpacked once, before they run. */
const browser = 'test/pages/browser/*.test.ts'

const config: ViteUserConfig = defineConfig({
  // Migrations are built in as text, as the package's build does.
  plugins: [
    {
      name: 'sql-as-text',
      transform: (code, id) => (id.endsWith('.sql') ? `export default ${JSON.stringify(code)}` : null),
    },
  ],
  test: {
    root: new URL('..', import.meta.url).pathname,
    // Most tests wait for nothing but the processor.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // `.ci/run` counts what the report says.
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.cache/tests.json' }]]
      : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: [...installed, browser, '**/node_modules/**'],
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
          globalSetup: 'test/pages/support/chromium.ts',
          maxWorkers: 1,
        },
      },
    ],
  },
})

export default config
