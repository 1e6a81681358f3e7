#!/usr/bin/env node
/** The program `blockmark-server`. */

import { run } from './index.js'

await run(process.argv.slice(2))
