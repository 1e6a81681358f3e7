/** Packs both packages: `npm run pack -- FOLDER`. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serverManifest } from './server-package.js'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('npm run pack -- FOLDER: say where the packages go')
  process.exitCode = 2
} else {
  // npm changes to the project's folder; a path is meant from where it was typed.
  const destination = resolve(process.env['INIT_CWD'] ?? '.', folder)
  mkdirSync(destination, { recursive: true })
  // This builds both (`prepare`).
  pack('.', destination)
  const server = mkdtempSync(join(tmpdir(), 'blockmark-server-'))
  try {
    writeFileSync(join(server, 'package.json'), `${JSON.stringify(serverManifest(), null, 2)}\n`)
    writeFileSync(join(server, 'README.md'), readmeOf(readFileSync('src/server/README.md', 'utf8')))
    copyFileSync('LICENSE', join(server, 'LICENSE'))
    cpSync('dist/server', join(server, 'dist'), { recursive: true })
    pack(server, destination)
  } finally {
    rmSync(server, { recursive: true })
  }
}

/**
 * What of the server's README is for those who run it: the rest names files that the package does not hold.
 *
 * @param {string} text
 */
function readmeOf(text) {
  const [head = '', ...sections] = text.split(/^(?=## )/m)
  return (
    [head, ...sections.filter((section) => !/^## (?:Where things are|Measured)$/m.test(section))].join('').trimEnd() +
    '\n'
  )
}

/**
 * @param {string} from
 * @param {string} destination
 */
function pack(from, destination) {
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: from, stdio: 'inherit' })
}
