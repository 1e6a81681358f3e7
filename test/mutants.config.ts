/** The tests that `npm run mutants` runs: those of the library, without those that bundle, compile or measure. */
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/*.test.ts', 'test/{convert,fixtures,messengers,properties}/**/*.test.ts'],
    exclude: ['test/{architecture,cli,cli-check,conformance,help,linear,readme,runtimes,supply-chain}.test.ts'],
    // Excluded: this test counts branches, and Stryker adds its own to the code.
    testNamePattern: /^(?!.*takes every branch)/,
    env: { RUNS: '30', SEED: '1' },
    testTimeout: 120_000,
    isolate: false,
  },
})

export default config
