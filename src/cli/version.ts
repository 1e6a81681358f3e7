/** The text that `--version` prints. Its own file: the build lets only files of `dist/cli/` import the library, when needed. */

import { createRequire } from 'node:module'
import { dialectVersion } from '../index.js'

/** The package's name resolves from wherever the bundler put this code. */
const description: { version: string } = createRequire(import.meta.url)('blockmark/package.json')

export const version: string = `${description.version} (dialect ${dialectVersion})`
