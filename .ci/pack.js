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
  execFileSync('npm', ['run', 'build'], { stdio: 'inherit' })
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'))
  // npm warns of every package that brings scripts, and nobody who installs this one needs ours.
  pack(destination, manifest, readFileSync('README.md', 'utf8'), ['dist', 'fixtures'])
  pack(destination, serverManifest(), readmeOf(readFileSync('src/server/README.md', 'utf8')), ['dist/server'])
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
 * Packs folders of the project, of which the description's `files` says what is taken.
 *
 * @param {string} destination
 * @param {object} manifest - its package.json
 * @param {string} readme
 * @param {readonly string[]} folders - each stands in the package under the first part of its path
 */
function pack(destination, manifest, readme, folders) {
  const from = mkdtempSync(join(tmpdir(), 'blockmark-'))
  try {
    writeFileSync(join(from, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    writeFileSync(join(from, 'README.md'), readme)
    copyFileSync('LICENSE', join(from, 'LICENSE'))
    for (const folder of folders) cpSync(folder, join(from, folder.split('/')[0] ?? ''), { recursive: true })
    execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: from, stdio: 'inherit' })
  } finally {
    rmSync(from, { recursive: true })
  }
}
