/** The text that `--version` prints. This is a separate file, because the build lets only files in `dist/cli/` import the library. */

import { createRequire } from 'node:module'
import { dialectVersion } from '../index.js'

/** `package.json` is found by the package's name, because the bundler may move this code. */
const packageJson: { version: string } = createRequire(import.meta.url)('blockmark/package.json')

export const version: string = `${packageJson.version} (dialect ${dialectVersion})`
