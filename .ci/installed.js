/** Says what to do if the project's packages are not installed yet. */

import { existsSync } from 'node:fs'

if (!existsSync('node_modules/.package-lock.json')) {
  console.error('The packages of this project are not installed: run npm ci first.')
  process.exitCode = 1
}
