/** The size of the client in a program's bundle. */

import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const core = resolve('src/index.js')

/** Maximum number of bytes. The checks of responses and arguments take 2 KB of them. */
const BYTES_MAX = 9.5 * 1024

test('the client without the core has at most 9.5 KB, minified and gzipped, and imports nothing', async () => {
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: ['src/api/client/index.ts'], bundle: true, minify: true, format: 'esm', target: 'es2022' },
    ...{ platform: 'browser', write: false, metafile: true, outdir: 'out' },
    // The core has its own limit.
    plugins: [
      {
        name: 'core',
        setup: ({ onResolve }) =>
          onResolve({ filter: /index\.js$/ }, ({ path, resolveDir }) =>
            join(resolveDir, path) === core ? { path: 'blockmark', external: true } : undefined,
          ),
      },
    ],
  })
  const [output] = Object.values(metafile.outputs)
  expect(new Set(output?.imports.map(({ path }) => path))).toEqual(new Set(['blockmark']))
  expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(BYTES_MAX)
})
