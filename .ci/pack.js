/** Packs both packages: `npm run pack -- FOLDER`. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { reference } from './reference.js'
import { serverManifest } from './server-package.js'

/** The library's documents by their names in the package. */
const documents = {
  'README.md': 'README.md',
  'LIBRARY.md': 'src/LIBRARY.md',
  'CLIENT.md': 'src/api/client/README.md',
  'MODELS.md': 'src/api/client/models.md',
  'MESSENGERS.md': 'src/messengers/README.md',
  'CONVERSIONS.md': 'src/convert/README.md',
  'CHANGELOG.md': 'src/CHANGELOG.md',
}

/** Code, which stays as it is, or a link to a file. */
const CODE_OR_LINK = /(^(`{3,})[\s\S]*?^\2$|`[^`\n]*`)|\[([^\]]+)\]\((?!#|https?:)([^)#]+)(#[^)]*)?\)/gm

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('npm run pack -- FOLDER: name the folder for the packages')
  process.exitCode = 2
} else {
  // npm changes to the project's folder, but the path is relative to the folder where it was typed.
  const destination = resolve(process.env['INIT_CWD'] ?? '.', folder)
  mkdirSync(destination, { recursive: true })
  execFileSync('npm', ['run', 'build'], { stdio: 'inherit' })
  // Scripts are omitted, because npm warns about packages with scripts, and users do not need ours.
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'))
  writeFileSync('dist/REFERENCE.md', reference())
  pack(destination, manifest, { ...documents, 'REFERENCE.md': 'dist/REFERENCE.md' }, ['dist'])
  pack(destination, serverManifest(), { 'README.md': 'src/server/README.md' }, ['dist/server'])
}

/**
 * Adapts a document to a package. Sections for contributors are left out, because they name files that the package does
 * not contain. Links to the package's own documents are kept; links to other files become plain text. A document's name in
 * code becomes a link.
 *
 * @param {string} path
 * @param {Readonly<Record<string, string>>} packed - the documents of the package
 */
function documentOf(path, packed) {
  const [head = '', ...sections] = readFileSync(path, 'utf8').split(/^(?=## )/m)
  const text = [head, ...sections.filter((section) => !/^## (?:Where things are|Measured)$/m.test(section))].join('')
  const linked = text.replace(CODE_OR_LINK, (link, code, _fence, label, target, anchor = '') => {
    if (code !== undefined) return Object.hasOwn(packed, code.slice(1, -1)) ? `[${code}](${code.slice(1, -1)})` : code
    const name = Object.keys(packed).find((each) => packed[each] === join(dirname(path), target))
    return name === undefined ? (target === 'LICENSE' ? link : label) : `[${label}](${name}${anchor})`
  })
  return `${linked.trimEnd()}\n`
}

/**
 * Packs folders of the project; `files` of the manifest selects the files.
 *
 * @param {string} destination
 * @param {object} manifest - the package's package.json
 * @param {Readonly<Record<string, string>>} packed - the documents by their names in the package
 * @param {readonly string[]} folders - each is in the package under the first part of its path
 */
function pack(destination, manifest, packed, folders) {
  const from = mkdtempSync(join(tmpdir(), 'blockmark-'))
  try {
    writeFileSync(join(from, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    for (const [name, path] of Object.entries(packed)) writeFileSync(join(from, name), documentOf(path, packed))
    copyFileSync('LICENSE', join(from, 'LICENSE'))
    for (const folder of folders) cpSync(folder, join(from, folder.split('/')[0] ?? ''), { recursive: true })
    execFileSync('npm', ['pack', '--loglevel', 'warn', '--pack-destination', destination], {
      cwd: from,
      stdio: 'inherit',
    })
  } finally {
    rmSync(from, { recursive: true })
  }
}
