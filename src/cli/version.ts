/** What `--version` prints; of the library, which no other start of the program needs. */

import { createRequire } from 'node:module'
import { dialectVersion } from '../index.js'

/** The package's name finds its description from wherever the bundler put this code. */
const description: { version: string } = createRequire(import.meta.url)('blockmark/package.json')

export const version: string = `${description.version} (dialect ${dialectVersion})`
