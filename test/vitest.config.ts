import { defineConfig, type ViteUserConfig } from 'vitest/config'

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
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

export default config
